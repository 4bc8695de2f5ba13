"""Lists: Kubernetes' own functions, and cel-go's extension library, version 3."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from kube_twisted.cel.arithmetic import add, no_operator
from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.typenames import type_name
from kube_twisted.cel.values import Duration, Lists, Timestamp, UInt, compare, equal

_COMPARABLE = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_ORDERED = (bool, int, float, str, bytes, Duration, Timestamp)
_ZEROS = {"int": 0, "uint": UInt(0), "double": 0.0, "duration": Duration(0)}
_DECLARATIONS = """
    indexOf list_a_index_of_int: list(A).(A) -> int
    lastIndexOf list_a_last_index_of_int: list(A).(A) -> int
    slice list_slice: list(T).(int, int) -> list(T)
    flatten list_flatten: list(list(T)).() -> list(T)
    flatten list_flatten_int: list(dyn).(int) -> list(dyn)
    lists.range lists_range: (int) -> list(int)
    reverse list_reverse: list(T).() -> list(T)
    distinct list_distinct: list(T).() -> list(T)
"""
#: ``lists.range`` of more is refused, as it could not be paid for anyway.
_MAX_RANGE = 1_000_000


def _declarations() -> str:
    lines = [_DECLARATIONS]
    for name in _COMPARABLE:
        lines += [f"isSorted list_{name}_is_sorted_bool: list({name}).() -> bool",
                  f"max list_{name}_max_{name}: list({name}).() -> {name}",
                  f"min list_{name}_min_{name}: list({name}).() -> {name}",
                  f"sort list_{name}_sort: list({name}).() -> list({name})",
                  f"@sortByAssociatedKeys list_{name}_sortByAssociatedKeys: list(T).(list({name})) -> list(T)"]
    lines += [f"sum list_{name}_sum_{name}: list({name}).() -> {name}" for name in _ZEROS]
    return "\n".join(lines)


def _order(first: Any, second: Any) -> int:
    """As ``compare``; values without an order count as equal."""
    try:
        return compare(first, second)
    except CelError:
        return 0


def _is_sorted(values: Any) -> bool:
    return all(_order(one, two) <= 0 for one, two in pairwise(values))


def _sum(zero: Any) -> Callable[[Any], Any]:
    def total(values: Any) -> Any:
        result = zero
        for one in values:
            result = add(result, one)
        return result
    return total


def _extreme(name: str, wanted: int) -> Callable[[Any], Any]:
    def extreme(values: Any) -> Any:
        items = list(values)
        if not items:
            raise CelError(f"{name} called on empty list")
        result = items[0]
        for one in items[1:]:
            if _order(result, one) == wanted:
                result = one
        return result
    return extreme


def _index_of(values: Any, wanted: Any) -> int:
    return next((index for index, one in enumerate(values) if equal(one, wanted)), -1)


def _last_index_of(values: Any, wanted: Any) -> int:
    return next((index for index in reversed(range(len(values))) if equal(values[index], wanted)), -1)


def _slice(values: Any, start: int, end: int) -> list[Any]:
    begin = f"cannot slice({start}, {end}), "
    if start < 0 or end < 0:
        raise CelError(f"{begin}negative indexes not supported")
    if start > end:
        raise CelError(f"{begin}start index must be less than or equal to end index")
    if len(values) < end:
        raise CelError(f"{begin}list is length {len(values)}")
    return [values[index] for index in range(start, end)]


def _flatten(values: Any, depth: Any = 1) -> list[Any]:
    if not isinstance(values, Lists) or type(depth) is not int:
        raise no_such_overload()
    if depth < 0:
        raise CelError("level must be non-negative")
    found: list[Any] = []
    for one in values:
        if depth and isinstance(one, Lists):
            found += _flatten(one, depth - 1)
        else:
            found.append(one)
    return found


def _sort(values: Any) -> list[Any]:
    if not isinstance(values, Lists):
        raise no_operator("sort", values, ())
    return _sort_by(values, values)


def _sort_by(values: Any, keys: Any) -> list[Any]:
    if not isinstance(values, Lists) or not isinstance(keys, Lists):
        raise no_such_overload()
    if len(values) != len(keys):
        raise CelError("@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got "
                       f"{len(values)} and {len(keys)} elements respectively")
    if keys and not isinstance(keys[0], _ORDERED):
        raise CelError("list elements must be comparable")
    if len({type_name(one) for one in keys}) > 1:
        raise CelError("list elements must have the same type")
    order = cmp_to_key(_order)
    items, sort_keys = list(values), [order(one) for one in keys]
    return [items[index] for index in sorted(range(len(items)), key=lambda index: sort_keys[index])]


def _range(count: int) -> list[int]:
    if count > _MAX_RANGE:
        raise CelError("lists.range is too long")
    return list(range(count))


def _distinct(values: Any) -> list[Any]:
    found: list[Any] = []
    for one in values:
        if not any(equal(one, other) for other in found):
            found.append(one)
    return found


LISTS: Library = library(_declarations(), {
    **{f"list_{name}_is_sorted_bool": _is_sorted for name in _COMPARABLE},
    **{f"list_{name}_max_{name}": _extreme("max", -1) for name in _COMPARABLE},
    **{f"list_{name}_min_{name}": _extreme("min", 1) for name in _COMPARABLE},
    "sort": _sort, "@sortByAssociatedKeys": _sort_by,
    **{f"list_{name}_sum_{name}": _sum(zero) for name, zero in _ZEROS.items()},
    "list_a_index_of_int": _index_of, "list_a_last_index_of_int": _last_index_of, "list_slice": _slice,
    "flatten": _flatten, "lists_range": _range, "list_reverse": lambda values: list(values)[::-1],
    "list_distinct": _distinct})
