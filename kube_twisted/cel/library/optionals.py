"""Optional values: ``optional.of(x)``, ``a.?b.orValue(c)``."""

from __future__ import annotations

from typing import Any

from kube_twisted.cel.errors import CelError
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.values import NONE, Duration, Lists, Maps, Optional, Timestamp

_DECLARATIONS = """
    optional.of optional_of: (V) -> optional(V)
    optional.ofNonZeroValue optional_ofNonZeroValue: (V) -> optional(V)
    optional.none optional_none: () -> optional(V)
    value optional_value: optional(V).() -> V
    hasValue optional_hasValue: optional(V).() -> bool
    or optional_or_optional: optional(V).(optional(V)) -> optional(V)
    orValue optional_orValue_value: optional(V).(V) -> V
    _?._ select_optional_field: (dyn, string) -> optional(V)
    _[?_] list_optindex_optional_int: (list(V), int) -> optional(V)
    _[?_] optional_list_optindex_optional_int: (optional(list(V)), int) -> optional(V)
    _[?_] map_optindex_optional_value: (map(K, V), K) -> optional(V)
    _[?_] optional_map_optindex_optional_value: (optional(map(K, V)), K) -> optional(V)
    _[_] optional_list_index_int: (optional(list(V)), int) -> optional(V)
    _[_] optional_map_index_value: (optional(map(K, V)), K) -> optional(V)
    last list_last: list(V).() -> optional(V)
    first list_first: list(V).() -> optional(V)
    optional.unwrap optional_unwrap: (list(optional(V))) -> list(V)
    unwrapOpt optional_unwrapOpt: list(optional(V)).() -> list(V)
"""


def _value(optional: Optional) -> Any:
    if not optional.present:
        raise CelError("optional.none() dereference")
    return optional.value


def _non_zero(value: Any) -> Optional:
    """Nothing for false, zero, and what is empty."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return Optional(value) if value else NONE
    if isinstance(value, (*Lists, *Maps)):
        return Optional(value) if len(value) else NONE
    if isinstance(value, (Timestamp, Duration)):
        zero = 0 if isinstance(value, Duration) else -62135596800 * 10 ** 9
        return NONE if value.nanoseconds == zero else Optional(value)
    return Optional(value)


def _unwrap(values: Any) -> list[Any]:
    for one in values:
        if not isinstance(one, Optional):
            raise CelError(f"value {one} is not optional")
    return [one.value for one in values if one.present]


def _end(index: int) -> Any:
    return lambda values: Optional(values[index % len(values)]) if len(values) else NONE


OPTIONALS: Library = library(_DECLARATIONS, {
    "optional_of": Optional, "optional_ofNonZeroValue": _non_zero, "optional_none": lambda: NONE,
    "optional_value": _value, "optional_hasValue": lambda optional: optional.present, "list_last": _end(-1),
    "list_first": _end(0), "optional_unwrap": _unwrap, "optional_unwrapOpt": _unwrap})
