"""Sets (``sets.contains`` and the like), and what the macros for maps use."""

from __future__ import annotations

from typing import Any

from kube_twisted.cel.attributes import shown
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.values import MISSING, entries, equal, find

_DECLARATIONS = """
    sets.contains list_sets_contains_list: (list(T), list(T)) -> bool
    sets.equivalent list_sets_equivalent_list: (list(T), list(T)) -> bool
    sets.intersects list_sets_intersects_list: (list(T), list(T)) -> bool
    cel.@mapInsert mapInsert_map_key_value: (map(K, V), K, V) -> map(K, V)
    cel.@mapInsert mapInsert_map_map: (map(K, V), map(K, V)) -> map(K, V)
"""


def _has(values: Any, wanted: Any) -> bool:
    return any(equal(one, wanted) for one in values)


def _contains(values: Any, wanted: Any) -> bool:
    return all(_has(values, one) for one in wanted)


def _equivalent(first: Any, second: Any) -> bool:
    return _contains(first, second) and _contains(second, first)


def _intersects(first: Any, second: Any) -> bool:
    return any(_has(second, one) for one in first)


def _insert(target: dict[Any, Any], *added: Any) -> dict[Any, Any]:
    """Put in a key with its value, or all entries of a map; the target is the fold's own and changed in place."""
    pairs = [added] if len(added) == 2 else list(entries(added[0]))
    for key, value in pairs:
        if find(target, key) is not MISSING:
            raise CelError(f"insert failed: key {shown(key)} already exists")
        target[key] = value
    return target


COLLECTIONS: Library = library(_DECLARATIONS, {
    "list_sets_contains_list": _contains, "list_sets_equivalent_list": _equivalent,
    "list_sets_intersects_list": _intersects, "cel.@mapInsert": _insert})
