"""Objects that mutating admission policies make: ``Object{spec: Object.spec{...}}`` and ``JSONPatch{...}``.

Source: KEP-3962.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.cel.errors import CelError
from kube_twisted.cel.schema_values import to_json
from kube_twisted.cel.typenames import type_name
from kube_twisted.cel.types import DYN, STRING, Type, list_of, struct
from kube_twisted.cel.values import Foreign, Lists, Maps, entries, equal

#: What an expression of either kind of patch must give.
OBJECT: Type = struct("Object")
JSON_PATCHES: Type = list_of(struct("JSONPatch"))
_PATCH_FIELDS: dict[str, Type] = {"op": STRING, "path": STRING, "from": STRING, "value": DYN}


@frozen(eq=False)
class ObjectValue(Foreign):
    """What ``Object.spec{...}`` makes: fields of any type.

    :ivar type_name: ``Object``, with the path of the field that the object is meant for.
    """

    type_name: str
    fields: dict[str, Any]

    def equals(self, other: Any) -> bool:
        return isinstance(other, ObjectValue) and self.type_name == other.type_name and equal(
            self.fields, other.fields)


@frozen(eq=False)
class PatchValue(Foreign):
    """What ``JSONPatch{...}`` makes: one operation of a JSON patch."""

    fields: dict[str, Any]
    type_name = "JSONPatch"

    def equals(self, other: Any) -> bool:
        return isinstance(other, PatchValue) and equal(self.fields, other.fields)


class MutationTypes:
    """The types ``Object``, those of its fields by their paths, and ``JSONPatch``."""

    def has_type(self, name: str) -> bool:
        return name in ("JSONPatch", "Object") or name.startswith("Object.")

    def field_type(self, name: str, field: str) -> Type | None:
        return _PATCH_FIELDS.get(field) if name == "JSONPatch" else DYN

    def construct(self, name: str, fields: dict[str, Any]) -> Any:
        if name != "JSONPatch":
            return ObjectValue(name, fields)
        for field in ("op", "path", "from"):
            if not isinstance(fields.get(field, ""), str):
                raise CelError(f"unexpected type {type_name(fields[field])} for JSONPatchType '{field}' field")
        return PatchValue(fields)


def native(value: Any) -> Any:
    """JSON for a value that an expression gave.

    :raises CelError: it holds something that JSON has no form for, or a map with other keys than strings.
    """
    if isinstance(value, (ObjectValue, PatchValue)):
        return {name: native(one) for name, one in value.fields.items()}
    value = to_json(value)
    if value is None or isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Lists):
        return [native(one) for one in value]
    if isinstance(value, Maps):
        return {_key(key): native(one) for key, one in entries(value)}
    raise CelError(f"unable to convert a value of type {type_name(value)}")


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise CelError(f"map key of type {type_name(key)}, not string")
    return key


def misplaced(value: Any, path: str = "Object") -> list[str]:
    """Complaints about objects whose type doesn't name the place that they are at."""
    found: list[str] = []
    if isinstance(value, ObjectValue):
        if value.type_name != path:
            found.append(f'unexpected type name "{value.type_name}", expected "{path}", which matches field name path '
                         "from root Object type")
        for name, one in value.fields.items():
            found += misplaced(one, f"{path}.{name}")
    elif isinstance(value, list):
        found = [complaint for one in value for complaint in misplaced(one, path)]
    elif isinstance(value, dict):
        found = [complaint for one in value.values() for complaint in misplaced(one, path)]
    return found
