"""What is checked of an expression beyond its types: literals that can't be read, and mixed lists and maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kube_twisted.cel import conversions
from kube_twisted.cel.ast import Call, ListLiteral, Literal, MapLiteral, Node, children
from kube_twisted.cel.checker import Checked
from kube_twisted.cel.errors import CelError, Issue
from kube_twisted.cel.formatting import check_format
from kube_twisted.cel.types import Type, unwrap_optional
from kube_twisted.util.regexp import RegexpError, compile_regexp

_LITERALS: dict[str, Callable[[Any], Any]] = {"duration": conversions.to_duration,
                                              "timestamp": conversions.to_timestamp, "matches": compile_regexp}


def validate(checked: Checked) -> list[Issue]:
    """Complaints about a checked expression."""
    issues = []
    exempt: set[int] = set()
    for node in _walk(checked.root):
        if isinstance(node, Call):
            name = checked.functions.get(node.id, node.function)
            issues += _check_literal(name, node)
            if name == "format":
                exempt.update(one.id for below in children(node) for one in _walk(below))
                issues += check_format(checked, node)
        elif node.id in exempt:
            continue
        elif isinstance(node, ListLiteral):
            issues += _check_list(checked, node)
        elif isinstance(node, MapLiteral):
            issues += _check_map(checked, node)
    return issues


def _walk(node: Node) -> Iterator[Node]:
    pending = [node]
    while pending:
        one = pending.pop()
        yield one
        pending.extend(reversed(children(one)))


def _check_literal(name: str, node: Call) -> list[Issue]:
    """A constant argument of ``duration``, ``timestamp`` and ``matches`` must be one."""
    if name not in _LITERALS or not node.args or not isinstance(node.args[0], Literal):
        return []
    try:
        _LITERALS[name](node.args[0].value)
    except (CelError, RegexpError):
        return [Issue(node.args[0].at, f"invalid {name} argument")]
    return []


def _check_list(checked: Checked, node: ListLiteral) -> list[Issue]:
    first: Type | None = None
    for index, element in enumerate(node.elements):
        found = checked.types[element.id]
        if index in node.optional:
            found, _ = unwrap_optional(found)
        if first is None:
            first = found
        elif found != first:
            return [_mismatch(element, first, found)]
    return []


def _check_map(checked: Checked, node: MapLiteral) -> list[Issue]:
    issues = []
    kinds: tuple[Type, Type] | None = None
    for entry in node.entries:
        key, value = checked.types[entry.key.id], checked.types[entry.value.id]
        if entry.optional:
            value, _ = unwrap_optional(value)
        if kinds is None:
            kinds = key, value
            continue
        if key != kinds[0]:
            issues.append(_mismatch(entry.key, kinds[0], key))
        if value != kinds[1]:
            issues.append(_mismatch(entry.value, kinds[1], value))
    return issues


def _mismatch(node: Node, expected: Type, found: Type) -> Issue:
    return Issue(node.at, f"expected type '{expected}' but found '{found}'")
