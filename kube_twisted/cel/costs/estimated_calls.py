"""Estimated costs of calls, by function or overload."""

from __future__ import annotations

import math
from collections.abc import Callable

from kube_twisted.cel.ast import Call, Literal
from kube_twisted.cel.costs.estimate import CallEstimate, Estimator, Operand
from kube_twisted.cel.costs.estimated_lists import list_estimator
from kube_twisted.cel.costs.ranges import UNKNOWN, Range, capped, fixed
from kube_twisted.cel.costs.runtime import AUTHORIZATION, COMPARED, NOMINAL, REGEX, SCANNED, TRAVERSAL

#: From the receiver and the arguments to the estimate, without the cost of the arguments themselves.
_Estimate = Callable[[Estimator, Operand | None, list[Operand]], CallEstimate | None]

_CONSTANT_EQUALITY = frozenset((
    "net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver", "kubernetes.authorization.Authorizer",
    "kubernetes.authorization.PathCheck", "kubernetes.authorization.GroupCheck",
    "kubernetes.authorization.ResourceCheck", "kubernetes.authorization.Decision"))
_MAX_FORMAT = 64
_MAX_FORMAT_REGEX = 128
_ADDRESS = Range(4, 16)


def estimate_call(estimator: Estimator, node: Call, function: str, overload: str, target: Operand | None,
                  args: list[Operand], costs: list[Range]) -> CallEstimate:
    """The cost of one overload with that of its arguments."""
    special = _LAZY.get(overload)
    if special is not None:
        return special(estimator, node, args, costs)
    found = _estimate(estimator, function, overload, target, args)
    own = CallEstimate(fixed(1)) if found is None else found
    return CallEstimate(sum(costs, own.cost), own.size)


def _estimate(estimator: Estimator, function: str, overload: str, target: Operand | None,
              args: list[Operand]) -> CallEstimate | None:
    lists = list_estimator(overload)
    if lists is not None:
        found = lists(target, args)
        if found is not None:
            return found
    if function == "check":
        return CallEstimate(fixed(AUTHORIZATION))
    if function in NOMINAL or overload == "cidr_ip":
        return CallEstimate(fixed(1))
    if function in SCANNED and target is not None:
        return _scan(estimator, target)
    if function == "_==_":
        found = _foreign_equality(args)
        if found is not None:
            return found
    by_name = _BY_FUNCTION.get(function) or _BY_OVERLOAD.get(overload)
    if by_name is not None:
        return by_name(estimator, target, args)
    return _compare(args) if overload in COMPARED else None


def size(operand: Operand) -> Range:
    return UNKNOWN if operand.size is None else operand.size


def _traversal(operand: Operand, factor: float = TRAVERSAL) -> Range:
    return size(operand).scaled(factor)


def element(estimator: Estimator, target: Operand) -> Operand | None:
    """What a list holds; None for a text."""
    if not target.type.params:
        return None
    path = (*target.path, "@items") if target.path else ()
    return Operand(None, target.type.params[0], path, estimator.sizes(path) if path else None)


def _scan(estimator: Estimator, target: Operand) -> CallEstimate:
    held = element(estimator, target)
    if held is None:
        return CallEstimate(_traversal(target))
    cost = fixed(1)
    if held.type.kind in ("string", "bytes"):
        cost += _traversal(held)
    return CallEstimate(size(target) * cost)


def _first_argument(factor: float, keeps_size: bool) -> _Estimate:
    def estimated(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate | None:
        return CallEstimate(_traversal(args[0], factor), size(args[0]) if keeps_size else None) if args else None
    return estimated


def _on_target(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    return None if target is None else CallEstimate(_traversal(target), size(target))


def _selector(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate:
    length = size(args[0])
    return CallEstimate(fixed(10) + length.scaled(TRAVERSAL) + length.scaled(0.5).scaled(50.0))


def _replace(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    """The result is longest when as much as possible is replaced by what is longest."""
    if target is None:
        return None
    whole, old, new = size(target), size(args[0]), size(args[1])
    most = kept_most = 0
    if old.low == 0:
        most, kept_most = capped(whole.high + 1), whole.high
    elif new.high <= old.low:
        kept_most = whole.high
    else:
        most = capped(math.ceil(whole.high / old.low))
    least = kept_least = 0
    if old.high == 0:
        least, kept_least = capped(whole.low + 1), whole.low
    elif old.high <= new.low:
        kept_least = whole.low
    else:
        least = capped(math.ceil(whole.low / old.high))
    return CallEstimate(_traversal(target, 2 * TRAVERSAL),
                        Range(least, most) * new + Range(kept_least, kept_most))


def _split(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    if target is None:
        return None
    pieces = size(target).high
    if len(args) > 1 and isinstance(args[1].node, Literal) and type(args[1].node.value) is int:
        pieces = args[1].node.value % (1 << 64)
    return CallEstimate(_traversal(target, 2 * TRAVERSAL), Range(0, pieces))


def _join(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    if target is None:
        return None
    count, held, total = size(target), element(estimator, target), Range()
    if held is not None:
        total = count * size(held)
    if args:
        total += size(args[0]) * Range(max(count.low - 1, 0), max(count.high - 1, 0))
    return CallEstimate(total.scaled(TRAVERSAL), total)


def _matching(text: Operand, pattern: Operand) -> Range:
    return (size(text) + fixed(1)).scaled(TRAVERSAL) * size(pattern).scaled(REGEX)


def _find(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    return None if target is None else CallEstimate(_matching(target, args[0]), Range(0, size(target).high))


def _matches(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    return None if target is None else CallEstimate(_matching(target, args[0]))


def _contains_ip(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate:
    cost = (_ADDRESS + _ADDRESS).scaled(TRAVERSAL)
    return CallEstimate(cost + _traversal(args[0]) if args[0].type.kind == "string" else cost)


def _contains_cidr(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate:
    cost = _contains_ip(estimator, target, args).cost
    return CallEstimate(cost + _ADDRESS.scaled(TRAVERSAL) + fixed(1))


def _validate(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate:
    return CallEstimate(_traversal(args[0]).scaled(_MAX_FORMAT_REGEX * REGEX))


def _foreign_equality(args: list[Operand]) -> CallEstimate | None:
    """Values of libraries are compared at a cost of their own."""
    first, second = args
    if first.type != second.type or first.type.kind not in ("opaque", "struct"):
        return None
    if first.type.name in _CONSTANT_EQUALITY:
        return CallEstimate(fixed(1))
    if first.type.name == "kubernetes.NamedFormat":
        return CallEstimate(Range(1, _MAX_FORMAT).scaled(TRAVERSAL))
    if first.type.name == "kubernetes.URL":
        return CallEstimate(Range(1, second.size.high if second.size else 1).scaled(TRAVERSAL))
    return None


def _compare(args: list[Operand]) -> CallEstimate:
    smaller = min(size(args[0]).high, size(args[1]).high)
    return CallEstimate(Range(1 if smaller else 0, smaller).scaled(TRAVERSAL))


def _to_bytes(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate:
    length = size(args[0])
    return CallEstimate(length.scaled(TRAVERSAL), Range(length.low, length.high * 4 % (1 << 64)))


def _to_text(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate:
    length = size(args[0])
    return CallEstimate(length.scaled(TRAVERSAL), Range(length.low // 4, length.high))


def _quote(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate:
    length = size(args[0])
    return CallEstimate(length.scaled(TRAVERSAL), Range(length.low + 2, (length.high * 2 + 2) % (1 << 64)))


def _format(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    return None if target is None else CallEstimate(_traversal(target))


def _in_list(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate:
    return CallEstimate(size(args[1]).scaled(1.0))


def _contains(estimator: Estimator, target: Operand | None, args: list[Operand]) -> CallEstimate | None:
    return None if target is None else CallEstimate(_traversal(target) * _traversal(args[0]))


_BY_FUNCTION: dict[str, _Estimate] = {
    "fieldSelector": _selector, "labelSelector": _selector, "url": _first_argument(TRAVERSAL, True),
    "jsonpatch.escapeKey": _first_argument(TRAVERSAL, True), "lowerAscii": _on_target, "upperAscii": _on_target,
    "substring": _on_target, "trim": _on_target, "replace": _replace, "split": _split, "join": _join, "find": _find,
    "findAll": _find, "ip.isCanonical": _first_argument(2 * TRAVERSAL, False), "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr, "validate": _validate,
    **dict.fromkeys(("cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver"),
                    _first_argument(TRAVERSAL, False))}
_BY_OVERLOAD: dict[str, _Estimate] = {
    "string_format": _format, "string_to_bytes": _to_bytes, "bytes_to_string": _to_text, "strings_quote": _quote,
    "starts_with_string": _first_argument(TRAVERSAL, False), "ends_with_string": _first_argument(TRAVERSAL, False),
    "in_list": _in_list, "matches_string": _matches, "contains_string": _contains}


# Overloads that look at the cost of each argument, or tell more of their result

def _logical(estimator: Estimator, node: Call, args: list[Operand], costs: list[Range]) -> CallEstimate:
    return CallEstimate(Range(costs[0].low, (costs[0] + costs[1]).high))


def _conditional(estimator: Estimator, node: Call, args: list[Operand], costs: list[Range]) -> CallEstimate:
    entries = estimator.entries(node.args[1])
    estimator.remember(node, None, None if entries is None else entries.union(estimator.entries(node.args[2])))
    return CallEstimate(costs[0] + costs[1].union(costs[2]), size(args[1]).union(size(args[2])))


def _added(factor: float) -> Callable[[Estimator, Call, list[Operand], list[Range]], CallEstimate]:
    """A concatenation, of texts by their length or of lists at once."""
    def estimated(estimator: Estimator, node: Call, args: list[Operand], costs: list[Range]) -> CallEstimate:
        entries = estimator.entries(node.args[0])
        estimator.remember(node, None, None if entries is None else entries.union(estimator.entries(node.args[1])))
        total = size(args[0]) + size(args[1])
        return CallEstimate(sum(costs, total.scaled(factor) if factor else fixed(1)), total)
    return estimated


_LAZY = {"logical_and": _logical, "logical_or": _logical, "conditional": _conditional, "add_list": _added(0),
         "add_string": _added(TRAVERSAL), "add_bytes": _added(TRAVERSAL)}

