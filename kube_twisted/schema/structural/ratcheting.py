"""Ratcheting: what did not change in an update is not checked anew (KEP-4008).

Values of fields are compared with those of the same field, items of map lists with those of the same keys; items of
other lists have no counterpart.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.jsonvalue import identity, same
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.structural.problems import At

_TYPE_META = ("apiVersion", "kind")


def is_excused(at: At, value: Any, old: Any, node: Structural) -> bool:
    """Whether the value at a place, or anything that it is in, did not change."""
    keys = _keys(at)
    if keys and keys[0] in _TYPE_META:
        keys = []  # a change of the version does not show: both objects are converted to the same one
    here: Structural | None = node
    while here is not None:
        if _unchanged(value, old, here):
            return True
        if not keys:
            return False
        key = keys.pop(0)
        counterpart = _counterpart(key, value, old, here)
        if counterpart is None:
            return False
        value, old, here = counterpart
    return False


def _keys(at: At) -> list[str | int]:
    keys: list[str | int] = []
    while at[0] is not None:
        keys.append(at[1])
        at = at[0]
    return keys[::-1]


def _counterpart(key: str | int, value: Any, old: Any, node: Structural) -> tuple[Any, Any, Structural] | None:
    """The value of a field or item, the old one, and their node; None without an old one."""
    if isinstance(key, int):
        return _item(key, value, old, node)
    if not isinstance(value, dict) or not isinstance(old, dict) or key not in value or key not in old:
        return None
    below = node.child(key)
    return None if below is None else (value[key], old[key], below)


def _item(index: int, value: Any, old: Any, node: Structural) -> tuple[Any, Any, Structural] | None:
    if node.list_type != "map" or node.items is None or not isinstance(value, list) or not isinstance(old, list):
        return None
    wanted = _item_key(value[index], node)
    if wanted is not None:
        for one in old:
            if _item_key(one, node) == wanted:
                return value[index], one, node.items
    return None


def _item_key(item: Any, node: Structural) -> tuple[Any, ...] | None:
    if not isinstance(item, dict):
        return None
    keys = [item.get(key) for key in node.list_keys]
    if any(one is None or isinstance(one, (dict, list)) for one in keys):
        return None
    return tuple(map(identity, keys))


def _unchanged(value: Any, old: Any, node: Structural) -> bool:
    """Whether two values are equal. Fields that the schema does not describe are never taken to be equal."""
    if type(value) is not type(old):
        return False
    if isinstance(value, dict):
        return len(value) == len(old) and all(_part_unchanged(key, value, old, node) for key in value)
    if isinstance(value, list) and node.list_type == "map" and value:
        return len(value) == len(old) and all(_part_unchanged(index, value, old, node) for index in range(len(value)))
    return same(value, old)


def _part_unchanged(key: str | int, value: Any, old: Any, node: Structural) -> bool:
    counterpart = _counterpart(key, value, old, node)
    return counterpart is not None and _unchanged(*counterpart)
