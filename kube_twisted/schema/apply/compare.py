"""What a write changed: one walk over the old and the new object finds the changed and the removed fields."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.schema.apply.fieldset import FieldSet
from kube_twisted.schema.apply.plan import ListNode, MapNode, Node


@frozen
class Changes:
    """The difference between two objects.

    :ivar changed: fields that are new or have another value.
    :ivar removed: fields that are gone.
    """

    changed: FieldSet
    removed: FieldSet


def compare(node: MapNode, old: dict[str, Any], new: dict[str, Any]) -> Changes:
    """Compare two objects of one type; parts that are equal are not walked.

    :raises ElementError: if a list item has no path element.
    """
    changed: FieldSet = {}
    removed: FieldSet = {}
    _compare_maps(node, old, new, changed, removed)
    return Changes(changed, removed)


def present(node: Node, value: Any) -> FieldSet:
    """The set below the path of a value that was absent: all it has, and each object and list itself."""
    if node.leaf or not value:
        return {}
    result: FieldSet = {".": {}}
    if isinstance(node, MapNode):
        if not isinstance(value, dict):
            return {}
        fields, rest = node.fields, node.rest
        for name, item in value.items():
            known = fields.get(name)
            if known is not None:
                child = known[1]
                result[known[0]] = {} if child.leaf or not item else present(child, item)
            elif rest is not None:
                result["f:" + name] = {} if rest.leaf or not item else present(rest, item)
    elif isinstance(node, ListNode):
        for item in value:
            element = node.element(item)
            result[element] = {} if element in result else present(node.item, item)
    return result


def _compare_maps(node: MapNode, old: dict[str, Any], new: dict[str, Any],
                  changed: FieldSet, removed: FieldSet) -> None:
    fields, rest = node.fields, node.rest
    shared = 0
    for name, value in new.items():
        known = fields.get(name)
        if name in old:
            shared += 1
            before = old[name]
            if before is value or before == value:
                continue
            if known is not None:
                _compare_values(known[0], known[1], before, value, changed, removed)
            elif rest is not None:
                _compare_values("f:" + name, rest, before, value, changed, removed)
        elif known is not None:
            changed[known[0]] = present(known[1], value)
        elif rest is not None:
            changed["f:" + name] = present(rest, value)
    if shared < len(old):
        for name, value in old.items():
            if name not in new and (gone := node.child(name)) is not None:
                removed[gone[0]] = present(gone[1], value)


def _compare_values(element: str, node: Node, old: Any, new: Any,
                    changed: FieldSet, removed: FieldSet) -> None:
    """Compare unequal values at ``element``, writing what is found into the sets of the level above."""
    if node.leaf or not (old or new):
        changed[element] = {}
        return
    changed_below: FieldSet = {}
    removed_below: FieldSet = {}
    if isinstance(node, ListNode):
        _compare_lists(node, old or [], new or [], changed_below, removed_below)
    elif isinstance(node, MapNode):
        if not (_is_map(old) and _is_map(new)):
            _replace_kind(element, node, old, new, changed, removed)
            return
        _compare_maps(node, old or {}, new or {}, changed_below, removed_below)
    if changed_below:
        changed[element] = changed_below
    if removed_below:
        removed[element] = removed_below


def _is_map(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _replace_kind(element: str, node: Node, old: Any, new: Any,
                  changed: FieldSet, removed: FieldSet) -> None:
    """A value of open type became an object, or was one."""
    changed[element] = present(node, new)
    below = {key: value for key, value in present(node, old).items() if key != "."}
    if below:
        removed[element] = below


def _compare_lists(node: ListNode, old: list[Any], new: list[Any],
                   changed: FieldSet, removed: FieldSet) -> None:
    before = _by_element(node, old)
    after = _by_element(node, new)
    for element, items in after.items():
        olds = before.get(element)
        if olds is None:
            changed[element] = present(node.item, items[0]) if len(items) == 1 else {}
        elif olds == items:
            continue
        elif len(olds) == len(items) == 1:
            _compare_values(element, node.item, olds[0], items[0], changed, removed)
        else:
            _compare_repeated(element, node, olds, items, changed, removed)
    for element, olds in before.items():
        if element not in after:
            removed[element] = present(node.item, olds[0]) if len(olds) == 1 else {}


def _by_element(node: ListNode, items: list[Any]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for item in items:
        found.setdefault(node.element(item), []).append(item)
    return found


def _compare_repeated(element: str, node: ListNode, old: list[Any], new: list[Any],
                      changed: FieldSet, removed: FieldSet) -> None:
    """Items of the same key, several before or after: repeated items are owned as one leaf."""
    changed[element] = present(node.item, new[0]) if len(new) == 1 else {}
    if len(old) == 1:
        removed[element] = present(node.item, old[0])
    elif len(new) == 1:
        removed[element] = {}
