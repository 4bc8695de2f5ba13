"""Estimated costs of the list and set functions of cel-go's extension libraries."""

from __future__ import annotations

from collections.abc import Callable

from kube_twisted.cel.ast import Literal
from kube_twisted.cel.costs.estimate import CallEstimate, Operand
from kube_twisted.cel.costs.ranges import MAX, UNKNOWN, Range, fixed

_Estimate = Callable[[Operand | None, list[Operand]], CallEstimate | None]
_TEXTS = ("list_string_", "list_bytes_")


def list_estimator(overload: str) -> _Estimate | None:
    """What estimates the overload of a list or set function."""
    if not overload.startswith("list"):
        return None
    found = _ESTIMATORS.get(overload)
    if found is None and overload.endswith(("_sort", "_sortByAssociatedKeys")):
        return _sorting(2.1 if overload.startswith(_TEXTS) else 2.0)
    return found


def _size(operand: Operand) -> Range:
    return UNKNOWN if operand.size is None else operand.size


def _allocated(factor: float, length: Range) -> CallEstimate:
    """A new list made by going through as much."""
    return CallEstimate(length.scaled(factor) + fixed(1) + fixed(10), length)


def _number(operand: Operand, default: int) -> int:
    node = operand.node
    if isinstance(node, Literal) and type(node.value) is int:
        return max(node.value, 0)
    return default


def _slice(target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    if target is None or len(args) != 2:
        return None
    start, end = _number(args[0], 0), _number(args[1], _size(target).high)
    return _allocated(1, fixed((end - start) % (1 << 64)))


def _range(target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    return _allocated(1, fixed(_number(args[0], MAX)))


def _reverse(target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    return None if target is None else _allocated(1, _size(target))


def _flatten(target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    if target is None:
        return None
    return _allocated(float(_number(args[0], MAX) if args else 1), _size(target))


def _distinct(target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    return None if target is None else _allocated(2.0, _size(target) * _size(target))


def _sorting(factor: float) -> _Estimate:
    def estimated(target: Operand | None, args: list[Operand]) -> CallEstimate | None:
        if target is None:
            return None
        length = _size(args[0] if args else target)
        return _allocated(factor, length * length)
    return estimated


def _sets(factor: float) -> _Estimate:
    def estimated(target: Operand | None, args: list[Operand]) -> CallEstimate | None:
        return CallEstimate((_size(args[0]) * _size(args[1])).scaled(factor) + fixed(1))
    return estimated


_ESTIMATORS: dict[str, _Estimate] = {
    "list_slice": _slice, "lists_range": _range, "list_reverse": _reverse, "list_flatten": _flatten,
    "list_flatten_int": _flatten, "list_distinct": _distinct, "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1), "list_sets_equivalent_list": _sets(2)}
