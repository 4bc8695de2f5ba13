"""Keywords of a schema and of the schemas inside: which are allowed, and with what."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from kube_twisted.api.field import FieldError, forbidden, not_supported
from kube_twisted.registry.apiextensions.list_types import validate_list_type, validate_map_type
from kube_twisted.registry.apiextensions.strictness import Strictness
from kube_twisted.registry.apiextensions.validation_rules import validate_rules
from kube_twisted.registry.apiextensions.walk import Schema

TYPES = ("array", "boolean", "integer", "number", "object", "string")
_META = ("metadata", "kind", "apiVersion")
_EMBEDDED = "x-kubernetes-embedded-resource"
_UNIQUE = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
_EXCLUSIVE = "additionalProperties and properties are mutual exclusive"
_IN_META_VALUES = "inside additionalProperties applying to object metadata"
_NO_NULL = "type cannot be set to null, use nullable as an alternative"


@frozen
class Scope:
    """Where in an object a schema applies.

    :ivar no_defaults: why defaults are forbidden here; None when they are allowed.
    :ivar in_meta: inside of kind, apiVersion or metadata.
    """

    strictness: Strictness
    no_defaults: str | None = None
    in_meta: bool = False


def validate_keywords(path: str, schema: Schema, strictness: Strictness) -> list[FieldError]:
    """Check a root schema."""
    return _validate(path, schema, Scope(strictness), True)


def _validate(path: str, schema: Schema, scope: Scope, is_root: bool) -> list[FieldError]:
    errors = _validate_supported(path, schema, scope)
    if schema.get("uniqueItems"):
        errors.append(forbidden(f"{path}.uniqueItems", _UNIQUE))
    if schema.get("properties") and schema.get("additionalProperties", True) is not True:
        errors.append(forbidden(f"{path}.additionalProperties", _EXCLUSIVE))
    for child_path, child, child_scope in _children(path, schema, scope, is_root):
        errors += _validate(child_path, child, child_scope, False)
    errors += validate_map_type(path, schema)
    errors += validate_list_type(path, schema, scope.strictness)
    return errors + validate_rules(path, schema)


def _validate_supported(path: str, schema: Schema, scope: Scope) -> list[FieldError]:
    errors, kind = [], schema.get("type", "")
    if kind and kind not in TYPES and scope.strictness.known_types:
        errors.append(not_supported(f"{path}.type", kind, TYPES))
    if schema.get("default") is not None and scope.no_defaults is not None:
        errors.append(forbidden(f"{path}.default", f"must not be set {scope.no_defaults}"))
    for key in ("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"):
        if schema.get(key) or (key in ("additionalItems", "dependencies", "$ref")
                               and schema.get(key) is not None):
            errors.append(forbidden(f"{path}.{key}", f"{key} is not supported"))
    if kind == "null":
        errors.append(forbidden(f"{path}.type", _NO_NULL))
    if isinstance(schema.get("items"), list) and schema["items"]:
        errors.append(forbidden(f"{path}.items", "items must be a schema object and not an array"))
    if scope.in_meta and schema.get(_EMBEDDED):
        errors.append(forbidden(f"{path}.{_EMBEDDED}", "must not be used inside of resource meta"))
    return errors


def _children(path: str, schema: Schema, scope: Scope, is_root: bool) -> Iterator[tuple[str, Schema, Scope]]:
    values = schema.get("additionalProperties")
    if isinstance(values, dict):
        reason = _IN_META_VALUES if scope.in_meta else scope.no_defaults
        yield f"{path}.additionalProperties", values, evolve(scope, no_defaults=reason)
    properties = schema.get("properties") or {}
    is_object = is_root or bool(schema.get(_EMBEDDED))
    for key in sorted(properties):
        below = _meta_scope(scope, key, is_root) if is_object and key in _META else scope
        yield f"{path}.properties[{key}]", properties[key], below
    yield from _junctors(path, schema, scope)
    items = schema.get("items")
    if isinstance(items, dict):
        yield f"{path}.items", items, scope
    elif items:
        yield from ((f"{path}.items[{index}]", one, scope) for index, one in enumerate(items))
    yield from _keyed(path, "dependencies", schema, scope)


def _meta_scope(scope: Scope, key: str, is_root: bool) -> Scope:
    return evolve(scope, in_meta=True, no_defaults=f"in top-level {key}" if is_root else scope.no_defaults)


def _junctors(path: str, schema: Schema, scope: Scope) -> Iterator[tuple[str, Schema, Scope]]:
    if "not" in schema:
        yield f"{path}.not", schema["not"], scope
    for key in ("allOf", "oneOf", "anyOf"):
        yield from ((f"{path}.{key}[{index}]", one, scope) for index, one in enumerate(schema.get(key) or []))
    yield from _keyed(path, "definitions", schema, scope)


def _keyed(path: str, key: str, schema: Schema, scope: Scope) -> Iterator[tuple[str, Schema, Scope]]:
    held = schema.get(key) or {}
    for name in sorted(held):
        if isinstance(held[name], dict):
            yield f"{path}.{key}[{name}]", held[name], scope
