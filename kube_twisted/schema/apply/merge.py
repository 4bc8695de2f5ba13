"""Merging an applied configuration into an object, and removing a set of fields from an object."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

from kube_twisted.schema.apply.fieldset import FieldSet, is_member
from kube_twisted.schema.apply.plan import ListNode, MapNode, Node


class _Missing(Enum):
    MISSING = 0


MISSING: Final = _Missing.MISSING


def merge(node: Node, live: Any, applied: Any) -> Any:
    """The live value with the applied one laid over it; nothing is removed.

    Lists keep the applied order for shared items; items of the live list alone stay near their neighbours.
    The result may share parts of both arguments. ``MISSING`` stands for a value that is not there.

    :raises ElementError: if a list item has no path element.
    """
    leaf = live if applied is MISSING else applied
    if node.leaf or not (_filled(node, live) or _filled(node, applied)):
        return leaf
    if isinstance(node, ListNode):
        old, new = (value if _filled(node, value) else [] for value in (live, applied))
        return _merge_lists(node, old, new)
    assert isinstance(node, MapNode)
    if not _filled(node, applied):
        return live if applied is None or applied is MISSING or applied == {} else applied
    return _merge_maps(node, live if _filled(node, live) else {}, applied)


def _filled(node: Node, value: Any) -> bool:
    return isinstance(value, list if isinstance(node, ListNode) else dict) and bool(value)


def _merge_maps(node: MapNode, live: dict[str, Any], applied: dict[str, Any]) -> dict[str, Any]:
    result = dict(live)
    for name, value in applied.items():
        known = node.child(name)
        if known is not None:
            result[name] = merge(known[1], live.get(name, MISSING), value)
    return result


def _merge_lists(node: ListNode, live: list[Any], applied: list[Any]) -> list[Any]:
    old = [(node.element(item), item) for item in live]
    new = {node.element(item): item for item in applied}
    originals: dict[str, Any] = {}
    for element, item in old:
        originals[element] = None if element in originals else item
    return [item if element not in new else merge(node.item, originals.get(element, MISSING), new[element])
            for element, item in _in_order(old, list(new), originals)]


def _in_order(old: list[tuple[str, Any]], new: list[str],
              originals: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The elements of a merged list: those of ``new`` in its order, those of ``old`` alone in between."""
    wanted = set(new)
    shared = [element for element in new if element in originals]
    merged: set[str] = set()
    i = j = 0
    while i < len(old) or j < len(new):
        element = old[i][0] if i < len(old) else None
        target = shared[0] if shared else None
        if element is not None and element not in wanted:
            yield old[i]
            i += 1
        elif j == len(new) or (element is not None and target not in (None, element)):
            i += 1
        else:
            yield new[j], None
            merged.add(new[j])
            if new[j] == target:
                shared.pop(0)
            i += element in merged
            j += 1


def remove(node: Node, value: Any, fields: FieldSet) -> Any:
    """The value without the fields and items in the set; objects and lists that become empty stay, empty."""
    if isinstance(node, MapNode) and not node.leaf and isinstance(value, dict):
        result = {}
        for name, item in value.items():
            known = node.child(name)
            below = fields.get(known[0]) if known else None
            if known is None or below is None:
                result[name] = item
            elif not is_member(below):
                result[name] = remove(known[1], item, below)
        return result
    if isinstance(node, ListNode) and not node.leaf and isinstance(value, list):
        return [item if below is None else remove(node.item, item, below)
                for item, below in ((item, fields.get(node.element(item))) for item in value)
                if below is None or not is_member(below)]
    return value


def copied(value: Any) -> Any:
    """A deep copy of JSON data."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value
