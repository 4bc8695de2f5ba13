"""``'%s has %d'.format([a, b])``: the clauses of a format text, at run time and when it is checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from kube_twisted.api.field import go_quote
from kube_twisted.cel.ast import Call, ListLiteral, Literal, MapLiteral, Node
from kube_twisted.cel.checker import Checked
from kube_twisted.cel.conversions import to_string
from kube_twisted.cel.errors import CelError, Issue
from kube_twisted.cel.typenames import type_name
from kube_twisted.cel.values import INT_MAX, Duration, Lists, Maps, Timestamp, TypeValue, entries

_CLAUSE = re.compile(r"\.([0-9]*)")
_DEFAULT_PRECISION = 6
_NO_PRECISION = "could not parse formatting clause: error while parsing precision: "
_NO_NUMBER = f'{_NO_PRECISION}error while converting precision to integer: strconv.Atoi: parsing '
_SPECIAL = ("NaN", "Infinity", "-Infinity")
#: clause -> the types it takes, and what the complaint calls it
_TAKES = {"d": (("int", "uint"), "decimal clause can only be used on integers"),
          "f": (("double", "string"), "fixed-point clause can only be used on doubles"),
          "e": (("double", "string"), "scientific clause can only be used on doubles"),
          "b": (("int", "uint", "bool"), "only integers and bools can be formatted as binary"),
          "x": (("int", "uint", "string", "bytes"), "only integers, byte buffers, and strings can be formatted as hex"),
          "o": (("int", "uint"), "octal clause can only be used on integers")}
_STRINGS = ("list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type",
            "null_type")
_STRING_MISUSE = ("string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, "
                  "durations, and timestamps")


class BadFormat(Exception):
    """A format text that is wrong in itself, or doesn't fit its arguments."""


def _pieces(text: str, available: int | None = None) -> Iterator[tuple[str, str, int | None]]:
    """Plain text (kind empty), or clauses with their precision.

    :param available: how many values there are for the clauses, if a lack of them is to be told first.
    :raises BadFormat: a clause is unknown or cut off.
    """
    at = used = 0
    while at < len(text):
        percent = text.find("%", at)
        if percent < 0:
            yield "", text[at:], None
            return
        if percent > at:
            yield "", text[at:percent], None
        if text[percent + 1:percent + 2] == "%":
            yield "", "%", None
            at = percent + 2
            continue
        _look_for_value(used, available)
        used += 1
        kind, precision, at = _clause(text, percent + 1)
        yield kind, "", precision


def _look_for_value(index: int, available: int | None) -> None:
    if available is not None and index >= available:
        raise BadFormat(f"index {index} out of range")


def _clause(text: str, at: int) -> tuple[str, int | None, int]:
    precision: int | None = None
    if at >= len(text):
        raise BadFormat("unexpected end of string")
    match = _CLAUSE.match(text, at)
    if match is not None:
        at = match.end()
        if at >= len(text):
            raise BadFormat(f"{_NO_PRECISION}could not find end of precision specifier")
        precision = _precision(match[1])
    if text[at] not in "sdfebxXo":
        raise BadFormat(f'could not parse formatting clause: unrecognized formatting clause "{text[at]}"')
    return text[at], precision, at + 1


def _precision(digits: str) -> int:
    """The number of digits wanted; nobody gets more than a thousand."""
    if not digits:
        raise BadFormat(f'{_NO_NUMBER}"": invalid syntax')
    if len(digits.lstrip("0")) > len(str(INT_MAX)) or int(digits) > INT_MAX:
        raise BadFormat(f'{_NO_NUMBER}"{digits}": value out of range')
    return min(int(digits), 1000)


def format_string(text: str, args: Any) -> str:
    """Put the arguments into the text."""
    parts: list[str] = []
    index = 0
    try:
        for kind, plain, precision in _pieces(text, len(args)):
            if not kind:
                parts.append(plain)
                continue
            parts.append(_FORMATTERS[kind](args[index], precision))
            index += 1
    except BadFormat as error:
        raise CelError(str(error)) from None
    return "".join(parts)


def _misuse(message: str, found: str) -> BadFormat:
    return BadFormat(f"error during formatting: {message}, was given {found}")


def _demand(value: Any, clause: str) -> None:
    kinds, message = _TAKES[clause]
    name = type_name(value)
    if name not in kinds or (isinstance(value, str) and clause in "fe" and value not in _SPECIAL):
        raise _misuse(message, name)


def _text(value: Any, precision: int | None) -> str:
    if isinstance(value, Lists):
        return f"[{', '.join(map(_member, value))}]"
    if isinstance(value, Maps):
        pairs = sorted((_member(key), _member(one)) for key, one in entries(value))
        return "{" + ", ".join(f"{key}:{one}" for key, one in pairs) + "}"
    if value is None:
        return "null"
    if isinstance(value, TypeValue):
        return value.name
    if not isinstance(value, (bool, int, float, str, bytes, Timestamp, Duration)):
        raise _misuse(_STRING_MISUSE, type_name(value))
    return to_string(value)


def _member(value: Any) -> str:
    """An element inside of a list or map, as a literal of the language."""
    if isinstance(value, str):
        return go_quote(value)
    if isinstance(value, bytes):
        return f"b{go_quote(to_string(value))}"
    if isinstance(value, float):
        return f"{value:.6f}" if value - value == 0 else f'"{to_string(value)}"'
    if isinstance(value, (Timestamp, Duration)):
        return f"{'timestamp' if isinstance(value, Timestamp) else 'duration'}({go_quote(to_string(value))})"
    return _text(value, None)


def _decimal(value: Any, precision: int | None) -> str:
    _demand(value, "d")
    return str(int(value))


def _float(clause: str) -> Callable[[Any, int | None], str]:
    def formatted(value: Any, precision: int | None) -> str:
        _demand(value, clause)
        number = float(value) or 0.0
        digits = _DEFAULT_PRECISION if precision is None else precision
        if number - number != 0:
            return "NaN" if number != number else "∞" if number > 0 else "-∞"
        if clause == "f":
            return f"{number:,.{digits}f}"
        # the original takes the precision for the width, which is always less than what is written anyway
        mantissa, _, exponent = f"{number:.{_DEFAULT_PRECISION}e}".partition("e")
        return f"{mantissa}\u00d710{_superscript(int(exponent))}"
    return formatted


_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def _superscript(exponent: int) -> str:
    return f"{'-' if exponent < 0 else ''}{abs(exponent):02}".translate(_SUPERSCRIPTS)


def _based(clause: str, code: str) -> Callable[[Any, int | None], str]:
    def formatted(value: Any, precision: int | None) -> str:
        _demand(value, clause)
        if isinstance(value, (str, bytes)):
            digits = (value.encode() if isinstance(value, str) else value).hex()
            return digits.upper() if code == "X" else digits
        return format(int(value), code)
    return formatted


_FORMATTERS: dict[str, Callable[[Any, int | None], str]] = {
    "s": _text, "d": _decimal, "f": _float("f"), "e": _float("e"), "b": _based("b", "b"), "x": _based("x", "x"),
    "X": _based("x", "X"), "o": _based("o", "o")}


def check_format(checked: Checked, node: Call) -> list[Issue]:
    """Complaints about a call of ``format`` on a constant text with a literal list."""
    if not isinstance(node.target, Literal) or not node.args or not isinstance(node.args[0], ListLiteral):
        return []
    args = node.args[0].elements
    used = 0
    try:
        for kind, _, _ in _pieces(node.target.value):
            if not kind:
                continue
            if used >= len(args):
                return [Issue(node.at, f"index {used} out of range")]
            wrong = _unfit(checked, args[used], kind.lower())
            if wrong is not None:
                return [Issue(wrong.at, str(_misuse(_TAKES[kind.lower()][1] if kind != "s" else _STRING_MISUSE,
                                                    checked.types[wrong.id].name)))]
            used += 1
    except BadFormat as error:
        return [Issue(node.at, str(error))]
    if len(args) > used:
        return [Issue(node.at, f"too many arguments supplied to string.format (expected {used}, got {len(args)})")]
    return []


def _unfit(checked: Checked, node: Node, clause: str) -> Node | None:
    """The argument, or the part of it, that the clause can't take."""
    found = checked.types[node.id]
    if found.kind == "dyn":
        return None
    if found.kind not in (_STRINGS if clause == "s" else _TAKES[clause][0]):
        return node
    parts: list[Node] = []
    if clause == "s" and isinstance(node, ListLiteral):
        parts = node.elements
    elif clause == "s" and isinstance(node, MapLiteral):
        parts = [part for entry in node.entries for part in (entry.key, entry.value)]
    return next((wrong for part in parts if (wrong := _unfit(checked, part, clause)) is not None), None)


