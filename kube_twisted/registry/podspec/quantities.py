"""Arithmetic on the quantities of resource lists, which are canonical texts such as ``250m`` and ``1Gi``."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache

_QUANTITY = re.compile(r"([+-]?[0-9.]+)([numkMGTPE]?|[KMGTPE]i|[eE][+-]?[0-9]+)")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {name: 1024**power for power, name in enumerate(("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))}
_MILLI = 1000


@lru_cache(maxsize=1024)
def value(text: str) -> Fraction:
    """The exact number that a quantity means.

    :raises ValueError: it is no quantity.
    """
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    number, suffix = Fraction(match[1]), match[2]
    if suffix in _DECIMAL:
        return number * Fraction(10) ** _DECIMAL[suffix]
    return number * (_BINARY[suffix] if suffix in _BINARY else Fraction(10) ** int(suffix[1:]))


def compare(first: str, second: str) -> int:
    """Negative, zero or positive as ``first`` is less than, equal to or more than ``second``."""
    if first == second:
        return 0
    a, b = value(first), value(second)
    return (a > b) - (a < b)


def is_whole(text: str) -> bool:
    """Whether there is no fraction."""
    return value(text).denominator == 1


def round_up_to_milli(resources: dict[str, str] | None) -> None:
    """Round up what is finer than a thousandth, in place; finer units are the only reason to look closer."""
    for name, text in (resources or {}).items():
        if resources and (text[-1] in "nu" or "e-" in text):
            resources[name] = _canonical(Fraction(math.ceil(value(text) * _MILLI), _MILLI))


def add(first: str, second: str) -> str:
    """The sum: in powers of 1024 when both are, else in powers of 1000."""
    total = value(first) + value(second)
    return _canonical(total, "i" in first and "i" in second)


def _canonical(number: Fraction, binary: bool = False) -> str:
    if binary and number.denominator == 1:
        for suffix, factor in reversed(_BINARY.items()):
            if number % factor == 0 and number:
                return f"{number // factor}{suffix}"
    for suffix, power in reversed(_DECIMAL.items()):
        scaled = number / Fraction(10) ** power
        if scaled.denominator == 1 and number:
            return f"{scaled}{suffix}"
    return "0"
