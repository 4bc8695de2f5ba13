"""What type a value has, and what that is called."""

from __future__ import annotations

from typing import Any

from kube_twisted.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Type,
)
from kube_twisted.cel.values import Duration, Foreign, Lists, Maps, Optional, Timestamp, TypeValue, UInt

_SIMPLE = {bool: BOOL, bytes: BYTES, float: DOUBLE, int: INT, type(None): NULL, str: STRING, UInt: UINT,
           Timestamp: TIMESTAMP, Duration: DURATION, TypeValue: TYPE}
#: What the original's own classes for values are called, which a few messages tell.
_GO_NAMES = {bool: "types.Bool", bytes: "types.Bytes", float: "types.Double", int: "types.Int",
             type(None): "types.Null", str: "types.String", UInt: "types.Uint", Timestamp: "types.Timestamp",
             Duration: "types.Duration", TypeValue: "*types.Type", Optional: "*types.Optional"}


def literal_type(value: Any) -> Type:
    """The type of a literal's value."""
    return _SIMPLE[type(value)]


def type_name(value: Any) -> str:
    """What ``type(value)`` is called."""
    simple = _SIMPLE.get(type(value))
    if simple is not None:
        return simple.name
    if isinstance(value, Lists):
        return "list"
    if isinstance(value, Foreign):
        return value.type_name
    if isinstance(value, Maps):
        return "map"
    return "optional_type" if isinstance(value, Optional) else DYN.name


def go_type_name(value: Any) -> str:
    """What the original's class of a value that is no list and no map is called."""
    known = _GO_NAMES.get(type(value))
    return known or f"cel.{type_name(value).rpartition('.')[2]}"


def fits(value: Any, wanted: Type) -> bool:
    """Whether an argument may be passed for a parameter, as far as that shows at run time."""
    kind = wanted.kind
    if kind in ("dyn", "param"):
        return True
    simple = _SIMPLE.get(type(value))
    if simple is not None:
        return simple.kind == kind
    if kind == "list":
        return isinstance(value, Lists) and _elements_fit(value, wanted.params[0])
    if kind == "map":
        return isinstance(value, Maps)
    return type_name(value) == wanted.name


def _elements_fit(value: Any, wanted: Type) -> bool:
    """As the original, look at the first element only."""
    return wanted.kind in ("dyn", "param") or len(value) == 0 or fits(value[0], wanted)
