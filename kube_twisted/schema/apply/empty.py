"""The empty object of a kind as Go writes it: what a new object is compared with to see what its creator set."""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.types import Field, Scalar, Struct

_ZERO: dict[str, Any] = {
    "string": "", "bool": False, "int32": 0, "int64": 0, "float64": 0, "quantity": "0", "int-or-string": 0,
    "duration": "0s",
}


def empty_object(struct: Struct) -> dict[str, Any]:
    """Structs that are no pointers are there, empty; so are the zero values that are written without ``omitempty``."""
    return {field.name: _empty_value(field) for field in struct.fields.values() if not _left_out(field)}


def _left_out(field: Field) -> bool:
    if field.omit_zero:
        return True
    return field.omit_empty and (field.pointer or not isinstance(field.type, Struct))


def _empty_value(field: Field) -> Any:
    if field.pointer:
        return None
    if isinstance(field.type, Struct):
        return empty_object(field.type)
    return _ZERO.get(field.type.kind) if isinstance(field.type, Scalar) else None
