"""The fields that an applied configuration mentions; sets completed or corrected with a type's help."""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.apply.fieldset import SELF, FieldSet
from kube_twisted.schema.apply.plan import ListNode, MapNode, Node, ScalarNode


def owned(node: Node, value: Any) -> FieldSet:
    """All leaves of an object, and its list items and map entries themselves.

    :raises ElementError: if a list item has no path element.
    """
    result: FieldSet = {}
    if isinstance(node, MapNode) and isinstance(value, dict):
        for name, item in value.items():
            known = node.child(name)
            if known is not None:
                itself = item is None or item == {} or name not in node.fields
                _add(result, known[0], known[1], item, itself)
    elif isinstance(node, ListNode) and value:
        for item in value:
            element = node.element(item)
            if element in result:
                result[element] = {}
            else:
                _add(result, element, node.item, item, True)
    return result


def _add(result: FieldSet, element: str, node: Node, value: Any, itself: bool) -> None:
    below = {} if node.leaf else owned(node, value)
    if not below:
        if itself or node.leaf or not (isinstance(value, dict) or isinstance(node, ListNode)):
            result[element] = {}
    else:
        result[element] = {SELF: {}, **below} if itself else below


def with_named_fields(node: Node | None, fields: FieldSet) -> FieldSet:
    """The set with every declared field on the way to a member made a member as well."""
    result: FieldSet = {}
    for element, below in fields.items():
        if not below:
            result[element] = below
            continue
        declared, child = _child(node, element)
        completed = with_named_fields(child, below)
        result[element] = {SELF: {}, **completed} if declared and SELF not in completed else completed
    return result


def _child(node: Node | None, element: str) -> tuple[bool, Node | None]:
    if isinstance(node, MapNode) and element.startswith("f:"):
        known = node.child(element[2:])
        return element[2:] in node.fields, known[1] if known else None
    if isinstance(node, ListNode) and element.startswith("k:"):
        return False, node.item
    return False, None


def reconciled(node: Node, fields: FieldSet) -> FieldSet:
    """The set as it must be for the type as it is now: what became atomic since is owned as a whole.

    The same dict comes back when nothing had to change.
    """
    result = fields
    for element, below in fields.items():
        if not below or element == SELF:
            continue
        child = _descend(node, element)
        if child is None or (isinstance(child, ScalarNode) and child.kind != "any"):
            continue
        fixed = {} if child.leaf else reconciled(child, below)
        if fixed is not below:
            result = {**result, element: fixed}
    return result


def _descend(node: Node, element: str) -> Node | None:
    if isinstance(node, MapNode):
        known = node.child(element[2:])
        return known[1] if known else None
    return node.item if isinstance(node, ListNode) else None
