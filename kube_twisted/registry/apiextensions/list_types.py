"""``x-kubernetes-map-type``, ``x-kubernetes-list-type`` and ``x-kubernetes-list-map-keys``."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.registry.apiextensions.strictness import Strictness
from kube_twisted.registry.apiextensions.walk import Schema

_LIST, _MAP, _KEYS = "x-kubernetes-list-type", "x-kubernetes-map-type", "x-kubernetes-list-map-keys"
_PRESERVE = "x-kubernetes-preserve-unknown-fields"
_ATOMIC_ITEM = f"must be atomic as item of a list with {_LIST}=set"
_IF_MAP = f"if {_LIST} is map"
_IF_KEYS = f"must be map if {_KEYS} is non-empty"
_IF_PARENT = f"if parent array's {_LIST} is map"
_KEY = f"this property is in {_KEYS}, so it"


def validate_map_type(path: str, schema: Schema) -> list[FieldError]:
    """Whether a map is written as a whole; unknown fields are preserved or the keyword is absent."""
    errors = []
    if schema.get(_PRESERVE) is False:
        errors.append(invalid(f"{path}.{_PRESERVE}", False, "must be true or undefined"))
    kind = schema.get(_MAP)
    if kind is None:
        return errors
    errors += _validate_type(path, schema, "object", _MAP)
    if kind not in ("atomic", "granular"):
        errors.append(not_supported(f"{path}.{_MAP}", kind, ("atomic", "granular")))
    return errors


def is_set_of_parts(schema: Schema) -> bool:
    """Whether a schema is of a set whose items are merged rather than written as a whole."""
    return schema.get(_LIST) == "set" and bool(_validate_set_items("", schema.get("items")))


def has_incomplete_items(schema: Schema) -> bool:
    """Whether items of a set or a map may be null, or lack their keys."""
    return bool(_validate_items_complete("", schema))


def validate_list_type(path: str, schema: Schema, strictness: Strictness) -> list[FieldError]:
    """How lists merge: sets of scalars, or maps by the keys named."""
    errors, kind, keys = [], schema.get(_LIST), schema.get(_KEYS) or []
    if kind is not None and schema.get("type") != "array":
        errors += _validate_type(path, schema, "array", _LIST)
    elif kind == "set" and strictness.atomic_sets:
        errors += _validate_set_items(path, schema.get("items"))
    if kind not in (None, "atomic", "set", "map"):
        errors.append(not_supported(f"{path}.{_LIST}", kind, ("atomic", "set", "map")))
    if keys and kind is None:
        errors.append(required(f"{path}.{_LIST}", _IF_KEYS))
    elif keys and kind != "map":
        errors.append(invalid(f"{path}.{_LIST}", kind, _IF_KEYS))
    if kind == "map":
        errors += _validate_map_list(path, schema, keys)
    return errors + (_validate_items_complete(path, schema) if strictness.complete_items else [])


def _validate_type(path: str, schema: Schema, wanted: str, keyword: str) -> list[FieldError]:
    kind, detail = schema.get("type", ""), f"must be {wanted} if {keyword} is specified"
    if kind == wanted:
        return []
    return [invalid(f"{path}.type", kind, detail) if kind else required(f"{path}.type", detail)]


def _validate_set_items(path: str, items: Any) -> list[FieldError]:
    if not isinstance(items, dict):
        return []
    if items.get("type") == "array" and items.get(_LIST, "atomic") != "atomic":
        return [invalid(f"{path}.items.{_LIST}", items[_LIST], _ATOMIC_ITEM)]
    if items.get("type") == "object" and items.get(_MAP) != "atomic":
        return [invalid(f"{path}.items.{_MAP}", items.get(_LIST), _ATOMIC_ITEM)]
    return []


def _validate_map_list(path: str, schema: Schema, keys: list[str]) -> list[FieldError]:
    errors, items = [], schema.get("items")
    if not keys:
        errors.append(required(f"{path}.{_KEYS}", f"must not be empty {_IF_MAP}"))
    if items is None:
        return [*errors, required(f"{path}.items", f"must have a schema {_IF_MAP}")]
    if not isinstance(items, dict):
        return [*errors, invalid(f"{path}.items", items, f"must only have a single schema {_IF_MAP}")]
    kind = items.get("type", "")
    if kind != "object":
        return [*errors, invalid(f"{path}.items.type", kind, f"must be object {_IF_PARENT}")]
    return errors + _validate_keys(path, items.get("properties") or {}, keys)


def _validate_keys(path: str, properties: dict[str, Schema], keys: list[str]) -> list[FieldError]:
    errors = []
    for index, key in enumerate(keys):
        if key not in properties:
            errors.append(invalid(f"{path}.{_KEYS}", keys, "entries must all be names of item properties"))
        elif properties[key].get("type") in ("array", "object"):
            detail = f"must be a scalar type {_IF_PARENT}"
            # Upstream shows the type of the items, not of the key.
            errors.append(invalid(f"{path}.items.properties[{key}].type", "object", detail))
        if key in keys[:index]:
            errors.append(invalid(f"{path}.{_KEYS}", keys, "must not contain duplicate entries"))
    return errors


def _validate_items_complete(path: str, schema: Schema) -> list[FieldError]:
    """Items of sets and maps are not null; the keys of map items are always there."""
    kind, items = schema.get(_LIST), schema.get("items")
    if kind not in ("set", "map") or not isinstance(items, dict):
        return []
    errors = []
    if items.get("nullable"):
        errors.append(forbidden(f"{path}.items.nullable", f"cannot be nullable when {_LIST} is {kind}"))
    properties = items.get("properties") or {}
    for key in schema.get(_KEYS) or [] if kind == "map" else []:
        if key not in properties:
            continue
        below, one = f"{path}.items.properties[{key}]", properties[key]
        if key not in (items.get("required") or []) and one.get("default") is None:
            errors.append(required(f"{below}.default",
                                   f"{_KEY} must have a default or be a required property"))
        if one.get("nullable"):
            errors.append(forbidden(f"{below}.nullable", f"{_KEY} cannot be nullable"))
    return errors
