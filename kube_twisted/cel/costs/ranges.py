"""Ranges of costs and sizes that never exceed 64 bits."""

from __future__ import annotations

import math

from attrs import frozen

MAX = (1 << 64) - 1


def capped(value: int) -> int:
    return min(value, MAX)


@frozen
class Range:
    """At least and at most so much."""

    low: int = 0
    high: int = 0

    def __add__(self, other: Range) -> Range:
        return Range(capped(self.low + other.low), capped(self.high + other.high))

    def __mul__(self, other: Range) -> Range:
        return Range(capped(self.low * other.low), capped(self.high * other.high))

    def scaled(self, factor: float) -> Range:
        """Times a factor, rounded up."""
        return Range(_scale(self.low, factor), _scale(self.high, factor))

    def union(self, other: Range) -> Range:
        return Range(min(self.low, other.low), max(self.high, other.high))


def _scale(value: int, factor: float) -> int:
    number = float(value)
    if number > 0 and factor > 0 and number > MAX / factor:
        return MAX
    ceiling = math.ceil(number * factor)
    return MAX if ceiling >= 2.0 ** 64 else int(ceiling)


def fixed(value: int) -> Range:
    return Range(value, value)


UNKNOWN = Range(0, MAX)
#: Nothing yet, for the union of several ranges.
EMPTY = Range(MAX, 0)
