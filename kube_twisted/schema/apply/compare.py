"""What a write changed: one walk over the old and the new object finds the changed and the removed fields."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.api.jsonvalue import go_type
from kube_twisted.schema.apply.elements import ElementError
from kube_twisted.schema.apply.fieldset import SELF, FieldSet
from kube_twisted.schema.apply.fieldsv1 import in_order
from kube_twisted.schema.apply.plan import ListNode, MapNode, Node


@frozen
class Changes:
    """The difference between two objects.

    :ivar changed: fields that are new or have another value, in the order in which FieldsV1 lists them.
    :ivar removed: fields that are gone.
    """

    changed: FieldSet
    removed: FieldSet


def compare(node: MapNode, old: dict[str, Any], new: dict[str, Any]) -> Changes:
    """Compare two objects of one type; parts that are equal are not walked.

    :raises ElementError: if a list item has no path element, or something else is where a list belongs.
    """
    changed: FieldSet = {}
    removed: FieldSet = {}
    _compare_maps(node, old, new, changed, removed)
    return Changes(changed, removed)


def present(node: Node, value: Any) -> FieldSet:
    """The set below the path of a value that was absent: all it has, and each object and list itself."""
    if node.leaf or not value:
        return {}
    if isinstance(node, MapNode):
        if not isinstance(value, dict):
            return {}
        shape = node.shapes[tuple(value)]
        if not shape.below:
            return shape.blank
        result = shape.blank.copy()
        for name, element, child in shape.below:
            if item := value[name]:
                result[element] = present(child, item)
        return result
    return {SELF: {}, **_present_items(node, value)} if isinstance(node, ListNode) else {SELF: {}}


def _present_items(node: ListNode, items: list[Any]) -> FieldSet:
    """The same for the items of a list that was absent: repeated ones are owned as one leaf."""
    _check_list(items)
    result: FieldSet = {}
    for item in items:
        element = node.element(item)
        result[element] = {} if element in result else present(node.item, item)
    return in_order(result)


def _compare_maps(node: MapNode, old: dict[str, Any], new: dict[str, Any],
                  changed: FieldSet, removed: FieldSet) -> None:
    for name, element, child in node.shapes[tuple(new)].fields:
        value = new[name]
        if name not in old:
            changed[element] = {} if child.leaf or not value else present(child, value)
            continue
        before = old[name]
        if before is not value and before != value:
            _compare_values(element, child, before, value, changed, removed)
    if not old.keys() <= new.keys():
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
        if old:
            _compare_lists(node, old, new or [], changed_below, removed_below)
            changed_below = in_order(changed_below)
        else:
            changed_below = _present_items(node, new)
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
    below = {key: value for key, value in present(node, old).items() if key != SELF}
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


def _check_list(value: Any) -> None:
    """:raises ElementError: for what is no list. Custom resources are owned before they are validated."""
    if not isinstance(value, list):
        raise ElementError(f"expected list, got {go_type(value)}")


def _by_element(node: ListNode, items: list[Any]) -> dict[str, list[Any]]:
    _check_list(items)
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
