"""The cost of calls while they run, in units of about 50 ns of the original."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from kube_twisted.cel.values import Foreign, Lists, Maps, Optional, entries

#: From a call's arguments and result to its cost.
Cost = Callable[[list[Any], Any], int]

TRAVERSAL, REGEX = 0.1, 0.25
#: In the place of an argument that could not be evaluated.
FAILED: Any = object()
AUTHORIZATION = 350000
_SELECTOR_BASE, _SELECTOR_PART = 10, 50
#: Functions of one unit, whatever their arguments.
NOMINAL = frozenset((
    "serviceAccount", "path", "group", "resource", "subresource", "namespace", "name", "allowed", "reason", "error",
    "errored", "masked", "prefixLength", "family", "isUnspecified", "isLoopback", "isLinkLocalMulticast",
    "isLinkLocalUnicast", "isGlobalUnicast", "format.named", "sign", "asInteger", "isInteger", "asApproximateFloat",
    "isGreaterThan", "isLessThan", "compareTo", "add", "sub", "major", "minor", "patch", "getScheme", "getHostname",
    "getHost", "getPort", "getEscapedPath", "getQuery"))
#: Function -> how often its first argument is gone through.
_TRAVERSALS = {
    "url": 1, "lowerAscii": 1, "upperAscii": 1, "substring": 1, "trim": 1, "jsonpatch.escapeKey": 1, "cidr": 1,
    "isIP": 1, "isCIDR": 1, "ip": 1, "quantity": 1, "isQuantity": 1, "semver": 1, "isSemver": 1, "replace": 2,
    "split": 2, "ip.isCanonical": 2}
SCANNED = frozenset(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"))
_STRING_OVERLOADS = frozenset(("starts_with_string", "ends_with_string", "string_to_bytes", "bytes_to_string",
                               "strings_quote", "string_format"))
COMPARED = frozenset((
    "equals", "not_equals", "less_string", "greater_string", "less_equals_string", "greater_equals_string",
    "less_bytes", "greater_bytes", "less_equals_bytes", "greater_equals_bytes"))


def size(value: Any) -> int:
    """How much a value counts: characters, bytes, elements, or one."""
    if isinstance(value, (str, bytes, *Lists, *Maps)):
        return len(value)
    if isinstance(value, Foreign):
        return value.size()
    if isinstance(value, Optional) and value.present:
        return size(value.value)
    return 1


def traversal(length: float, factor: float = TRAVERSAL) -> int:
    """The cost of going through a text."""
    return math.ceil(length * factor)


def matching(text: int, pattern: int) -> int:
    """The cost of a regular expression, by the lengths of the text and of the pattern."""
    return traversal(1.0 + text) * traversal(pattern, REGEX)


def selector_cost(length: int) -> int:
    """The cost of reading a label or field selector."""
    return _SELECTOR_BASE + traversal(length) + math.ceil(math.ceil(length * 0.5) * _SELECTOR_PART)


def needs_result(cost: Cost) -> bool:
    """Whether a cost can be told only after the call."""
    return cost in (joined, _by_result)


def call_cost(function: str, overload: str) -> Cost:
    """What computes the cost of a call of one overload; it is empty when several may be meant."""
    if overload.startswith("list"):
        found = _LISTS.get(overload) or (_sorted if overload.endswith(("_sort", "_sortByAssociatedKeys")) else None)
        if found is not None:
            return found
    if function == "check":
        return _fixed(AUTHORIZATION)
    if function in NOMINAL or overload == "cidr_ip":
        return _fixed(1)
    if function in _TRAVERSALS:
        times = _TRAVERSALS[function]
        return lambda args, result: traversal(size(args[0]), TRAVERSAL * times)
    if function in SCANNED:
        return lambda args, result: _scan(args[0])
    special = _SPECIAL.get(function) or _BY_OVERLOAD.get(overload)
    if special is not None:
        return special
    if overload in _STRING_OVERLOADS:
        return lambda args, result: traversal(size(args[0]))
    return _compared if overload in COMPARED else _fixed(1)


def _fixed(cost: int) -> Cost:
    return lambda args, result: cost


def _scan(value: Any) -> int:
    """Every text in a list is gone through; anything else is one."""
    if isinstance(value, (str, bytes)):
        return int(len(value.encode() if isinstance(value, str) else value) * TRAVERSAL)
    if isinstance(value, Lists):
        return sum(_scan(one) for one in value)
    if isinstance(value, Maps):
        return sum(_scan(key) + _scan(one) for key, one in entries(value))
    return 1


def joined(args: list[Any], result: Any) -> int:
    """By what it gives."""
    return traversal(size(result), TRAVERSAL * 2)


def _find(args: list[Any], result: Any) -> int:
    return matching(size(args[0]), size(args[1]))


def _selector(args: list[Any], result: Any) -> int:
    return selector_cost(size(args[1]))


def _contains_ip(args: list[Any], result: Any) -> int:
    parsed = traversal(size(args[1])) if isinstance(args[1], str) else 0
    return traversal(2 * size(args[0])) + parsed


def _contains_cidr(args: list[Any], result: Any) -> int:
    return _contains_ip(args, result) + traversal(size(args[0])) + 1


def _validate(args: list[Any], result: Any) -> int:
    pattern: int | None = getattr(args[0], "max_regex_size", None)
    return 1 if pattern is None or args[1] is FAILED else matching(size(args[1]), pattern)


def _compared(args: list[Any], result: Any) -> int:
    if isinstance(args[0], Foreign):
        return 1
    return traversal(min(size(args[0]), size(args[1])))


def _contains(args: list[Any], result: Any) -> int:
    return traversal(size(args[0])) * traversal(size(args[1]))


def _added(args: list[Any], result: Any) -> int:
    return traversal(size(args[0]) + size(args[1]))


_SPECIAL: dict[str, Cost] = {
    "join": joined, "find": _find, "findAll": _find, "fieldSelector": _selector, "labelSelector": _selector,
    "containsIP": _contains_ip, "containsCIDR": _contains_cidr, "validate": _validate}
_BY_OVERLOAD: dict[str, Cost] = {
    "in_list": lambda args, result: size(args[1]), "add_string": _added, "add_bytes": _added,
    "matches_string": _find, "contains_string": _contains}


def _allocated(length: int, factor: float) -> int:
    """A new list, made by going through something."""
    return int(length * factor) + 1 + 10


def _by_result(args: list[Any], result: Any) -> int:
    return _allocated(size(result), 1)


def _flattened(args: list[Any], result: Any) -> int:
    return _allocated(size(args[0]), args[1] if len(args) == 2 and type(args[1]) is int else 1)


def _distinct(args: list[Any], result: Any) -> int:
    return _self_comparison(args[0])


def _sorted(args: list[Any], result: Any) -> int:
    """By the keys, if there are any, or by the elements themselves."""
    return _self_comparison(args[-1])


def _self_comparison(values: Any) -> int:
    length = size(values)
    texts = length > 0 and isinstance(values, Lists) and isinstance(values[0], (str, bytes))
    return _allocated(length * length, 2.0 + (TRAVERSAL if texts else 0))


def _sets(factor: float) -> Cost:
    return lambda args, result: 1 + int(size(args[0]) * size(args[1]) * factor)


_LISTS: dict[str, Cost] = {
    "list_slice": _by_result, "lists_range": _by_result, "list_reverse": _by_result, "list_flatten": _flattened,
    "list_flatten_int": _flattened, "list_distinct": _distinct, "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1), "list_sets_equivalent_list": _sets(2)}
