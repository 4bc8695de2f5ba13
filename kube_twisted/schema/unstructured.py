"""Reads plain data into a kind as the original does without JSON text: after strategic merges and applies.

It is more lenient than decoding (a whole float is an integer, a big integer wraps round), words its errors in its own
way, and lists unknown fields in the order of their messages. Source: apimachinery's ``runtime/converter.go``.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.decode import DecodeError, decode
from kube_twisted.schema.leaves import DECODERS
from kube_twisted.schema.strict import go_type_of_field, inner_go_type
from kube_twisted.schema.types import List, Map, Scalar, ScalarKind, Struct, Type

_GO_KINDS = {str: "string", bool: "bool", int: "int64", float: "float64", dict: "map", list: "slice"}
_BITS = {"int32": 32, "int64": 64}
_JSON_KINDS = {str: "string", bool: "bool", dict: "object", list: "array"}
#: Kinds that have a JSON decoder of their own.
_SELF_DECODED = ("quantity", "int-or-string", "time", "micro-time", "duration")


def read(struct: Struct, value: dict[str, Any], unknown: list[str]) -> dict[str, Any]:
    """Read plain data into a struct.

    :param unknown: gets a message for each field that the kind does not have.
    :raises DecodeError: when the value does not fit; the message is the original's.
    """
    found: list[str] = []
    try:
        result = decode(struct, value, found)
    except DecodeError:
        found.clear()
        result = decode(struct, _fitted(struct, struct.go_type, value), found)
    unknown += sorted(found)
    return result


def _fitted(kind: Type, go_type: str, value: Any) -> Any:
    """The value with numbers of the right sort and size."""
    if value is None:
        return None
    match kind:
        case Struct():
            _expect(dict, value, "struct from: ")
            return {**value, **{name: _fitted(field.type, go_type_of_field(field), value[name])
                                for name, field in kind.fields.items() if name in value}}
        case Map():
            _expect(dict, value, "map from ")
            return {name: _fitted(kind.value, inner_go_type(kind.value, go_type), item)
                    for name, item in value.items()}
        case List():
            _expect(list, value, "slice from ")
            return [_fitted(kind.item, inner_go_type(kind.item, go_type), item) for item in value]
        case Scalar():
            return _scalar(kind.kind, go_type, value)
    return value


def _expect(wanted: type, value: Any, what: str) -> None:
    if type(value) is not wanted:
        raise DecodeError(f"cannot restore {what}{_GO_KINDS[type(value)]}")


def _scalar(kind: ScalarKind, go_type: str, value: Any) -> Any:
    if kind in _SELF_DECODED:
        return _self_decoded(kind, value)
    if kind == "bytes":
        return _bytes(value)
    if kind in _BITS and (type(value) is int or (type(value) is float and value.is_integer())):
        return _wrapped(int(value), _BITS[kind])
    try:
        return DECODERS[kind](value, None)
    except ValueError:
        raise DecodeError(_misfit(kind, go_type, value)) from None


def _misfit(kind: ScalarKind, go_type: str, value: Any) -> str:
    """Go converts between numbers, and from integers to text; what it then refuses is worded in another way."""
    number = type(value) in (int, float)
    convertible = number and (kind in (*_BITS, "float64") or (kind == "string" and type(value) is int))
    if convertible:
        return f"cannot convert {_GO_KINDS[type(value)]} to {go_type}"
    return f"unrecognized type: {kind}"


def _wrapped(value: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half


def _bytes(value: Any) -> Any:
    _expect(str, value, "slice from ")
    try:
        return DECODERS["bytes"](value, None)
    except ValueError as error:
        raise DecodeError(f"error decoding from json: {error}") from None


def _self_decoded(kind: ScalarKind, value: Any) -> Any:
    what = _JSON_KINDS.get(type(value), "number")
    if kind == "int-or-string" and type(value) is not str:
        if type(value) is int and _wrapped(value, 32) == value:
            return value
        raise _not_json(f"number {value}" if what == "number" else what, "int32")
    if kind != "quantity" and type(value) is not str:
        raise _not_json(what, "string")
    try:
        return DECODERS[kind](value, None)
    except ValueError as error:
        raise DecodeError(str(error)) from None


def _not_json(what: str, wanted: str) -> DecodeError:
    return DecodeError(f"json: cannot unmarshal {what} into Go value of type {wanted}")
