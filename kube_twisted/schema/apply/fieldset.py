"""Sets of field paths, kept in the very shape of FieldsV1, and their algebra.

A set is a tree of dicts keyed by path elements (``f:spec``, ``k:{"name":"a"}``, ``v:"x"``). A node without
children, or with the key ``"."``, is a member; other nodes only lead to members. The empty dict at the root
is the empty set. Sets are values: every function builds new dicts, shares what did not change, and never
changes its arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

FieldSet: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str, ...]

SELF = "."


def is_member(node: FieldSet) -> bool:
    """Whether a node below the root is itself in the set, besides what lies below it."""
    return not node or SELF in node


def union(left: FieldSet, right: FieldSet) -> FieldSet:
    """All paths of both."""
    if not right or left is right:
        return left
    if not left:
        return right
    result = dict(left)
    for element, theirs in right.items():
        ours = result.get(element)
        result[element] = theirs if ours is None else _union_node(ours, theirs)
    return result


def _union_node(ours: FieldSet, theirs: FieldSet) -> FieldSet:
    if ours and theirs:
        return union(ours, theirs)
    whole = ours or theirs
    return whole if not whole or SELF in whole else {SELF: {}, **whole}


def includes(whole: FieldSet, part: FieldSet) -> bool:
    """Whether all paths of ``part`` are in ``whole``: their union is ``whole`` then."""
    for element, theirs in part.items():
        ours = whole.get(element)
        if ours is None:
            return False
        if ours and (not theirs or SELF in theirs) and SELF not in ours:
            return False
        if theirs and not includes(ours, theirs):
            return False
    return True


def intersection(left: FieldSet, right: FieldSet) -> FieldSet:
    """The paths that are in both."""
    if len(right) < len(left):
        left, right = right, left
    result: FieldSet = {}
    for element, ours in left.items():
        theirs = right.get(element)
        if theirs is None or element == SELF:
            continue
        below = intersection(ours, theirs) if ours and theirs else {}
        if is_member(ours) and is_member(theirs):
            result[element] = {SELF: {}, **below} if below else {}
        elif below:
            result[element] = below
    return result


def difference(left: FieldSet, right: FieldSet) -> FieldSet:
    """The paths of ``left`` that are not in ``right``; what lies below a path of ``right`` stays.

    ``left`` itself comes back when nothing was taken away.
    """
    result = left
    for element, theirs in right.items():
        ours = left.get(element)
        if ours is None or element == SELF:
            continue
        rest = _difference_node(ours, theirs)
        if rest is ours:
            continue
        if result is left:
            result = dict(left)
        if rest is None:
            del result[element]
        else:
            result[element] = rest
    return result


def _difference_node(ours: FieldSet, theirs: FieldSet) -> FieldSet | None:
    """One node less another; None if nothing is left of it."""
    if not ours:
        return None if is_member(theirs) else ours
    rest = difference(ours, theirs)
    if SELF in rest:
        if is_member(theirs):
            rest = {element: node for element, node in rest.items() if element != SELF}
        elif len(rest) == 1:
            return {}
    return rest or None


def without(left: FieldSet, right: FieldSet) -> FieldSet:
    """The paths of ``left`` that are neither in ``right`` nor below a path of it."""
    result: FieldSet = {}
    for element, ours in left.items():
        theirs = right.get(element)
        if theirs is None:
            result[element] = ours
        elif not is_member(theirs):
            rest = without(ours, theirs)
            if rest or not ours:
                result[element] = {} if list(rest) == [SELF] else rest
    return result


def matching(fields: FieldSet, pattern: FieldSet) -> FieldSet:
    """The paths on the way to, on or below a path of ``pattern``, where the element ``*`` is any element."""
    result: FieldSet = {}
    for element, node in fields.items():
        below = pattern.get(element, pattern.get("*"))
        if below is None or element == SELF:
            continue
        kept = matching(node, below) if below else node
        if is_member(node):
            result[element] = {SELF: {}, **kept} if kept else {}
        elif kept:
            result[element] = kept
    return result


def has(fields: FieldSet, path: Iterable[str]) -> bool:
    """Whether the path itself is a member."""
    node: FieldSet | None = fields
    for element in path:
        node = node.get(element) if node else None
        if node is None:
            return False
    return node is not fields and node is not None and is_member(node)


def from_paths(paths: Iterable[Path]) -> FieldSet:
    """The set of the paths given as tuples of path elements."""
    result: FieldSet = {}
    for path in paths:
        single: FieldSet = {}
        for element in reversed(path):
            single = {element: single}
        result = union(result, single)
    return result


def field_path(*names: str) -> Path:
    """The path of nested named fields: ``field_path("spec", "replicas")``."""
    return tuple(f"f:{name}" for name in names)


def paths(fields: FieldSet, prefix: Path = ()) -> Iterator[Path]:
    """All member paths; at each level first its members, then what lies below, in the order of the dicts."""
    for element, node in fields.items():
        if element != SELF and is_member(node):
            yield (*prefix, element)
    for element, node in fields.items():
        if element != SELF:
            yield from paths(node, (*prefix, element))
