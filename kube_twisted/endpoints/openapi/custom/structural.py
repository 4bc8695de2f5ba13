"""Structural schemas as OpenAPI publishes them: in v3 all that they say, in v2 what its clients understand.

Source of the rules: the Kubernetes documentation, "Publish Validation Schema in OpenAPI".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kube_twisted.endpoints.openapi.definitions import PREFIXES, Form

Schema = dict[str, Any]

CONVENTIONS = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md"
_META = "io.k8s.apimachinery.pkg.apis.meta.v1."
_PRESERVE = "x-kubernetes-preserve-unknown-fields"
_EMBEDDED = "x-kubernetes-embedded-resource"
_INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]
#: What v2 can't say, or does not.
_NOT_IN_V2 = ("allOf", "oneOf", "anyOf", "not", "nullable", "default")


def published(schema: Mapping[str, Any], form: Form) -> Schema:
    """A structural schema in one form; a new one."""
    result = (_in_v2 if form == "v2" else _in_v3)(schema)

    def child(inner: Mapping[str, Any]) -> Schema:
        return published(inner, form)

    _apply(child, result)
    if result.get(_EMBEDDED) is True and not (form == "v2" and result.get(_PRESERVE) is True):
        _add_resource_fields(result, form)
    return result


def _apply(change: Callable[[Mapping[str, Any]], Schema], schema: Schema) -> None:
    """Replace the schemas that a schema holds outside of logical junctors."""
    if "properties" in schema:
        schema["properties"] = {name: change(one) for name, one in sorted(schema["properties"].items())}
    for held in ("items", "additionalProperties"):
        if isinstance(schema.get(held), Mapping):
            schema[held] = change(schema[held])


def _in_v3(schema: Mapping[str, Any]) -> Schema:
    """What an int-or-string takes is written out, unless it is already."""
    result = dict(schema)
    if not schema.get("x-kubernetes-int-or-string"):
        return result
    any_of, all_of = schema.get("anyOf"), schema.get("allOf") or []
    if any_of == _INT_OR_STRING or (all_of and all_of[0].get("anyOf") == _INT_OR_STRING):
        return result
    if any_of:
        result["allOf"] = [{"anyOf": _INT_OR_STRING}, *all_of]
    else:
        result["anyOf"] = _INT_OR_STRING
    return result


def _in_v2(schema: Mapping[str, Any]) -> Schema:
    """What can be null, or have unknown fields, has no type: kubectl can't cope with more."""
    result = {name: value for name, value in schema.items() if name not in _NOT_IN_V2}
    nullable, preserving = schema.get("nullable"), schema.get(_PRESERVE)
    if nullable or preserving:
        result.pop("items", None)
        result.pop("properties", None)
    lacks_items = "items" not in result and result.get("type") == "array"
    if nullable or lacks_items or (preserving and result.get("type") == "object"):
        result.pop("type", None)
    _drop_required(result)
    return result


def _drop_required(schema: Schema) -> None:
    """What can be null need not be there."""
    values = schema.get("additionalProperties")
    required = schema.pop("required", ())
    if isinstance(values, Mapping) and values.get("nullable"):
        return
    properties = schema.get("properties") or {}
    needed = [name for name in required if not properties.get(name, {}).get("nullable")]
    if needed:
        schema["required"] = needed


def _add_resource_fields(schema: Schema, form: Form) -> None:
    """What any object has, which is embedded in another one."""
    schema["properties"] = dict(sorted({
        **schema.get("properties", {}),
        "metadata": reference("ObjectMeta", f"Standard object's metadata. More info: {CONVENTIONS}#metadata", form),
        "apiVersion": {"description": "apiVersion defines the versioned schema of this representation of an "
                                      f"object. More info: {CONVENTIONS}#resources", "type": "string"},
        "kind": {"description": "kind is a string value representing the type of this object. In CamelCase. "
                                f"More info: {CONVENTIONS}#types-kinds", "type": "string"}}.items()))
    required = schema.get("required", [])
    schema["required"] = [*required, *(one for one in ("kind", "apiVersion") if one not in required)]


def reference(name: str, description: str, form: Form) -> Schema:
    """A property whose schema is one of meta/v1."""
    target = {"$ref": PREFIXES[form] + _META + name}
    return {"description": description, **target} if form == "v2" else {"description": description, "allOf": [target]}
