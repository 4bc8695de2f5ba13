"""What a path finds in data. Missing fields find nothing; what does not fit is an error."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from kube_twisted.api.jsonpath.nodes import (
    Field,
    Filter,
    Identifier,
    JSONPathError,
    Literal,
    Node,
    Path,
    Recursive,
    Slice,
    Union,
    Wildcard,
)
from kube_twisted.api.jsonvalue import go_print, go_type

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def evaluate(path: Path, values: list[Any]) -> list[Any]:
    """What the path finds from these values on; words are left for those who know what they are about.

    :raises JSONPathError: worded as client-go's error.
    """
    for node in path:
        values = _step(node, values)
    return values


def _step(node: Node, values: list[Any]) -> list[Any]:
    match node:
        case Field(name):
            return [value[name] for value in values if isinstance(value, dict) and name in value]
        case Literal(literal):
            return [literal] if isinstance(literal, str) else [literal] * len(values)
        case Slice():
            return _sliced(node, values)
        case Wildcard():
            return [child for value in values for child in _children(value)]
        case Recursive():
            return _all_within(values)
        case Union(paths):
            return [one for path in paths for one in evaluate(path, values)]
        case Filter():
            return _filtered(node, values)
        case Identifier(name):
            raise JSONPathError(f"unrecognized identifier {name}")


def _children(value: Any) -> list[Any]:
    """What a value holds: the original takes texts apart as well, into bytes."""
    if isinstance(value, dict):
        return [value[name] for name in sorted(value)]
    return list(value.encode() if isinstance(value, str) else value) if isinstance(value, (list, str)) else []


def _all_within(values: list[Any]) -> list[Any]:
    """The values and all that they hold, depth first, but for what holds nothing."""
    found, waiting = [], values[::-1]
    while waiting:
        value = waiting.pop()
        children = _children(value)
        if children:
            found.append(value)
            waiting += reversed(children)
    return found


def _sliced(node: Slice, values: list[Any]) -> list[Any]:
    result: list[Any] = []
    for value in values:
        if value is None:
            continue
        if not isinstance(value, list):
            raise JSONPathError(f"{go_type(value)} is not array or slice")
        start, end = _bounds(node, len(value))
        if start == end:
            break
        _check_bounds(start, end, len(value))
        if node.step is not None and node.step <= 0:
            raise JSONPathError("step must be > 0")
        result += value[start:end:node.step]
    return result


def _bounds(node: Slice, length: int) -> tuple[int, int]:
    start = node.start or 0
    if node.single:
        end = start + 1 or length
    else:
        end = length if node.end is None else node.end
    return start + length if start < 0 else start, end + length if end < 0 else end


def _check_bounds(start: int, end: int, length: int) -> None:
    if not 0 <= start < length:
        raise JSONPathError(f"array index out of bounds: index {start}, length {length}")
    if not 0 <= end <= length:
        raise JSONPathError(f"array index out of bounds: index {end - 1}, length {length}")
    if start > end:
        raise JSONPathError(f"starting index {start} is greater than ending index {end}")


# -- filters ----------------------------------------------------------------------------------------------------------


def _filtered(node: Filter, values: list[Any]) -> list[Any]:
    result = []
    for value in values:
        if not isinstance(value, list):
            raise JSONPathError(f"{go_print(value)} is not array or slice and cannot be filtered")
        result += [item for item in value if _passes(node, item)]
    return result


def _passes(node: Filter, item: Any) -> bool:
    if node.operator == "exists":
        return _exists(node.left, item)
    left, right = _operand(node.left, item), _operand(node.right, item)
    if not left or not right:
        return False
    compare = _COMPARISONS.get(node.operator)
    if compare is None:
        raise JSONPathError(f"unrecognized filter operator {node.operator}")
    return _compared(compare, left[0], right[0])


def _exists(path: Path, item: Any) -> bool:
    """Whether the path finds something. As in the original, one that doesn't fit does."""
    try:
        return bool(evaluate(path, [item]))
    except JSONPathError:
        return True


def _operand(path: Path, item: Any) -> list[Any]:
    found = evaluate(path, [item])
    if len(found) > 1:
        raise JSONPathError("can only compare one element at a time")
    return found


def _compared(compare: Callable[[Any, Any], bool], left: Any, right: Any) -> bool:
    """Compare scalars of one type; booleans have no order."""
    if not isinstance(left, (str, int, float)) or not isinstance(right, (str, int, float)):
        raise JSONPathError("invalid type for comparison")
    if type(left) is not type(right):
        raise JSONPathError("incompatible types for comparison")
    if isinstance(left, bool) and compare not in (eq, ne):
        raise JSONPathError("invalid type for comparison")
    return compare(left, right)
