"""What plain YAML scalars mean and how keys are sorted, by the rules of go-yaml v2."""

from __future__ import annotations

import re
from typing import Any

_WORDS: dict[str, Any] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INTEGER = re.compile(r"([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)")
_TIMESTAMP = re.compile(r"\d{4}-\d\d?-\d\d?(?:[Tt]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)"
                        r"| \d\d?:\d\d?:\d\d?(?:\.\d+)?)?", re.ASCII)


class Timestamp:
    """Stands for a text that looks like a time, which must be quoted when it is written."""


def resolve(text: str, timestamps: bool = True) -> Any:
    """The value of a plain scalar: null, a boolean, a number, or the text.

    :param timestamps: whether something that looks like a time is a text, as it is when read; when it is
        written it has to be told apart, and a :class:`Timestamp` is returned.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if text[0].isdigit() and _TIMESTAMP.fullmatch(text):
        return text if timestamps else Timestamp()
    plain = text.replace("_", "") if text[0] != "." else text
    match = _INTEGER.fullmatch(plain)
    if match is not None:
        return _integer(match[1], match[2])
    return float(plain) if _FLOAT.fullmatch(plain) else text


def _integer(sign: str, digits: str) -> int | float:
    """An integer with the prefixes that Go knows (a leading zero is octal); a float beyond 64 bits."""
    prefix, base = digits[:2].lower(), 10
    if prefix in ("0x", "0b", "0o"):
        base = {"0x": 16, "0b": 2, "0o": 8}[prefix]
        digits = digits[2:]
    elif digits.startswith("0"):
        base = 8
    value = int(digits, base)
    if sign == "-":
        value = -value
    return value if -(1 << 63) <= value < 1 << 64 else float(value)


def key_text(key: Any) -> str | None:
    """A key as JSON must have it: a text. Nothing for a key that can't become one."""
    if key is None or isinstance(key, str):
        return key
    if isinstance(key, bool):
        return "true" if key else "false"
    return str(key) if isinstance(key, int) else f"{key:g}"


def compare_keys(left: str, right: str) -> int:
    """The order of keys: letters after other characters, runs of digits as numbers."""
    for at in range(min(len(left), len(right))):
        one, other = left[at], right[at]
        if one == other:
            continue
        if one.isalpha() or other.isalpha():
            if one.isalpha() and other.isalpha():
                return -1 if one < other else 1
            return -1 if other.isalpha() else 1
        return _compare_digits(left, right, at)
    return len(left) - len(right)


def _compare_digits(left: str, right: str, at: int) -> int:
    """Compare from where two keys differ, neither having a letter there."""
    one, other = _digits(left, at), _digits(right, at)
    numbers = int(one or "0"), int(other or "0")
    if "0" in (left[at], right[at]) and _follows_number(left, at):
        numbers = int(f"1{one}"), int(f"1{other}")
    if numbers[0] != numbers[1]:
        return -1 if numbers[0] < numbers[1] else 1
    if len(one) != len(other):
        return len(one) - len(other)
    return -1 if left[at] < right[at] else 1


def _digits(text: str, at: int) -> str:
    end = at
    while end < len(text) and text[end].isdecimal():
        end += 1
    return text[at:end]


def _follows_number(text: str, at: int) -> bool:
    """Whether the digits just before are part of a number other than zero."""
    while at > 0 and text[at - 1].isdecimal():
        at -= 1
        if text[at] != "0":
            return True
    return False
