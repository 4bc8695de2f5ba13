"""Structural schemas: each field's type is said once, outside of logical junctors such as ``anyOf``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from kube_twisted.api.field import FieldError, forbidden, invalid, required
from kube_twisted.registry.apiextensions.completeness import validate_completeness
from kube_twisted.registry.apiextensions.walk import Schema
from kube_twisted.util.regexp import RegexpError, compile_regexp

Level = Literal["root", "item", "field"]

_PLACES = {"root": "at the root", "item": "for specified array items", "field": "for specified object fields"}
_EMBEDDED = "x-kubernetes-embedded-resource"
_INT_OR_STRING = "x-kubernetes-int-or-string"
_PRESERVE = "x-kubernetes-preserve-unknown-fields"
_INT_OR_STRING_FORM = [{"type": "integer"}, {"type": "string"}]
_METADATA = ("must not specify anything other than name and generateName, but metadata is implicitly "
             "specified")

#: Keywords that do not belong below a logical junctor, and what to say.
_FORBIDDEN_BELOW = {
    "type": "must be empty to be structural",
    "additionalProperties": "must be undefined to be structural",
    "default": "must be undefined to be structural",
    "title": "must be empty to be structural",
    "description": "must be empty to be structural",
    "nullable": "must be false to be structural",
    _PRESERVE: "must be false to be structural",
    _EMBEDDED: "must be false to be structural",
    _INT_OR_STRING: "must be false to be structural",
    "x-kubernetes-list-map-keys": "must be empty to be structural",
    "x-kubernetes-list-type": "must be undefined to be structural",
    "x-kubernetes-map-type": "must be undefined to be structural",
    "x-kubernetes-validations": "must be empty to be structural",
}
#: Those of them that are there even when they are empty.
_POINTERS = ("additionalProperties", "default", "x-kubernetes-list-type", "x-kubernetes-map-type")


def validate(path: str, schema: Schema) -> list[FieldError]:
    """What keeps the schema from being structural, sorted by text."""
    errors = _validate_node(path, schema, "root") + validate_completeness(path, schema)
    return sorted(errors, key=str)


def _validate_node(path: str, schema: Schema, level: Level) -> list[FieldError]:
    errors = _validate_children(path, schema, level)
    errors += _validate_extensions(path, schema)
    errors += _validate_values(path, schema, _is_int_or_string(schema), _starts_with_int_or_string(schema))
    errors += _validate_type(path, schema, level)
    if schema.get(_EMBEDDED) and "additionalProperties" in schema:
        detail = f"must not be used if {_EMBEDDED} is set"
        errors.append(forbidden(f"{path}.additionalProperties", detail))
    errors += _validate_meta(path, schema, level)
    if schema.get(_EMBEDDED) and not schema.get(_PRESERVE) and not schema.get("properties"):
        detail = f"must not be empty if {_EMBEDDED} is true without {_PRESERVE}"
        errors.append(required(f"{path}.properties", detail))
    return errors


def _validate_children(path: str, schema: Schema, level: Level) -> list[FieldError]:
    errors = []
    items = schema.get("items")
    if schema.get("type") == "array" and items is None:
        errors.append(required(f"{path}.items", "must be specified"))
    if items is not None:
        errors += _validate_node(f"{path}.items", items, "item")
    for key, value in (schema.get("properties") or {}).items():
        errors += _validate_node(f"{path}.properties[{key}]", value, "field")
    if "additionalProperties" in schema:
        if level == "root":
            errors.append(forbidden(f"{path}.additionalProperties", "must not be used at the root"))
        if isinstance(schema["additionalProperties"], dict):
            errors += _validate_node(f"{path}.additionalProperties", schema["additionalProperties"], "field")
    return errors


def _validate_extensions(path: str, schema: Schema) -> list[FieldError]:
    if not schema.get(_INT_OR_STRING):
        return []
    detail = f"must be false if {_INT_OR_STRING} is true"
    return [invalid(f"{path}.{key}", True, detail) for key in (_PRESERVE, _EMBEDDED) if schema.get(key)]


def _validate_type(path: str, schema: Schema, level: Level) -> list[FieldError]:
    errors, kind = [], schema.get("type", "")
    if schema.get(_EMBEDDED) and kind != "object":
        detail = f"must be object if {_EMBEDDED} is true"
        errors.append(invalid(f"{path}.type", kind, detail) if kind else required(f"{path}.type", detail))
    elif not kind and not schema.get(_INT_OR_STRING) and not schema.get(_PRESERVE):
        errors.append(required(f"{path}.type", f"must not be empty {_PLACES[level]}"))
    if level == "root" and kind not in ("", "object"):
        errors.append(invalid(f"{path}.type", kind, "must be object at the root"))
    return errors


def _validate_meta(path: str, schema: Schema, level: Level) -> list[FieldError]:
    """``kind``, ``apiVersion`` and ``metadata`` of a whole object are given; only names may be restricted."""
    errors = []
    is_object = level == "root" or bool(schema.get(_EMBEDDED))
    properties = schema.get("properties") or {}
    for key in ("kind", "apiVersion"):
        kind = properties.get(key, {"type": "string"}).get("type", "")
        if is_object and kind != "string":
            errors.append(invalid(f"{path}.properties[{key}].type", kind, "must be string"))
    if "metadata" not in properties:
        return errors
    metadata = properties["metadata"]
    if is_object and metadata.get("type") != "object":
        errors.append(invalid(f"{path}.properties[metadata].type", metadata.get("type", ""),
                              "must be object"))
    if level == "root" and _says_more_than_names(metadata):
        errors.append(forbidden(f"{path}.properties[metadata]", _METADATA))
    return errors


def _says_more_than_names(metadata: Schema) -> bool:
    rest = {key for key in metadata if key not in ("type", "default")}
    if set(metadata.get("properties") or {}) <= {"name", "generateName"}:
        rest.discard("properties")
    return bool(rest)


def _is_int_or_string(schema: Schema) -> bool:
    return schema.get("anyOf") == _INT_OR_STRING_FORM


def _starts_with_int_or_string(schema: Schema) -> bool:
    clauses = schema.get("allOf") or []
    return bool(clauses) and _is_int_or_string(clauses[0])


def _validate_values(path: str, schema: Schema, skip_any: bool, skip_first_all: bool) -> list[FieldError]:
    errors = []
    for clause_path, clause, skipped in _clauses(path, schema, skip_any, skip_first_all):
        errors += _validate_below(clause_path, clause, skipped)
    return errors + _validate_pattern(f"{path}.pattern", schema.get("pattern", ""))


def _validate_pattern(path: str, pattern: str) -> list[FieldError]:
    try:
        if pattern:
            compile_regexp(pattern)
    except RegexpError as error:
        return [invalid(path, pattern, f"must be a valid regular expression, but isn't: {error}")]
    return []


def _clauses(path: str, schema: Schema, skip_any: bool,
             skip_first_all: bool) -> Iterator[tuple[str, Schema, bool]]:
    """The schemas under junctors, each with whether its own ``anyOf`` is the accepted int-or-string form."""
    for key in ("anyOf", "allOf", "oneOf"):
        if key == "anyOf" and skip_any:
            continue
        for index, clause in enumerate(schema.get(key) or []):
            yield f"{path}.{key}[{index}]", clause, key == "allOf" and index == 0 and skip_first_all
    if "not" in schema:
        yield f"{path}.not", schema["not"], False


def _validate_below(path: str, schema: Schema, skip_any: bool) -> list[FieldError]:
    errors = _validate_values(path, schema, skip_any, False)
    if isinstance(schema.get("items"), dict):
        errors += _validate_below(f"{path}.items", schema["items"], False)
    for key, value in (schema.get("properties") or {}).items():
        errors += _validate_below(f"{path}.properties[{key}]", value, False)
    for key, detail in _FORBIDDEN_BELOW.items():
        if schema.get(key) or (key in _POINTERS and _is_given(schema, key)):
            errors.append(forbidden(f"{path}.{key}", detail))
    if "metadata" in (schema.get("properties") or {}):
        errors.append(forbidden(f"{path}.properties[metadata]", "must not be specified in a nested context"))
    return errors


def _is_given(schema: Schema, key: str) -> bool:
    value = schema.get(key)
    return value is not None and not (key == "additionalProperties" and value is False)
