"""Plain JSON values: copying, comparing as Go does, and naming and printing them as Go's messages do."""

from __future__ import annotations

from collections.abc import Hashable
from decimal import Decimal
from typing import Any

import orjson

_KINDS = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number"}
_TYPES = {dict: "map[string]interface {}", list: "[]interface {}", str: "string", bool: "bool", int: "int64",
          float: "float64"}


def deep_copy(value: Any) -> Any:
    """A copy that shares no list or dict with the original."""
    if isinstance(value, dict):
        return {key: deep_copy(one) if isinstance(one, (dict, list)) else one for key, one in value.items()}
    if isinstance(value, list):
        return [deep_copy(one) if isinstance(one, (dict, list)) else one for one in value]
    return value


def identity(value: Any) -> Hashable:
    """A hashable stand-in: two values have the same one when Go finds them equal; 1 is not 1.0 or true."""
    if isinstance(value, (dict, list)):
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return type(value), value


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, of the same types throughout."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def json_kind(value: Any) -> str:
    """What Go's JSON decoder calls a value: ``object``, ``array``, ``string``, ``number``, ``bool``."""
    return _KINDS.get(type(value), "null")


def go_type(value: Any) -> str:
    """The Go type that a decoded value has."""
    return _TYPES.get(type(value), "%!s(<nil>)")


def go_print(value: Any) -> str:
    """A value as Go's ``%v`` prints it: ``map[a:1 b:[x y]]``, keys sorted."""
    if isinstance(value, dict):
        return "map[" + " ".join(f"{key}:{go_print(value[key])}" for key in sorted(value)) + "]"
    if isinstance(value, list):
        return "[" + " ".join(map(go_print, value)) + "]"
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _go_float(value) if isinstance(value, float) else str(value)


def _go_float(value: float) -> str:
    """Shortest digits, with an exponent below 1e-4 and from 1e21 on."""
    text = repr(value)
    if "e+" in text and abs(value) < 1e21:
        text = format(Decimal(text), "f")
    return text.removesuffix(".0")
