"""Numbers of which some are taken: the next free one is found in rotation."""

from __future__ import annotations

from collections.abc import Collection
from random import randint


class Block:
    """The numbers from ``first`` to ``last``, both included; it may be empty.

    Rotation gives a number back to use as late as possible, and never gives one number to two writes that are under
    way, before all others had their turn. It starts anywhere, so that two servers seldom want the same.
    """

    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last
        self.taken: set[int] = set()
        self._next = randint(first, last) if first <= last else first

    def __contains__(self, number: int) -> bool:
        return self.first <= number <= self.last

    @property
    def free(self) -> int:
        """How many numbers are not taken."""
        return self.last - self.first + 1 - len(self.taken)

    def pick(self, besides: Collection[int] = ()) -> int | None:
        """The next number that is neither taken nor one of ``besides``, None without any. It is not taken by that."""
        if self.free <= sum(number in self and number not in self.taken for number in besides):
            return None
        number = self._next
        while number in self.taken or number in besides:
            number = self._following(number)
        self._next = self._following(number)
        return number

    def _following(self, number: int) -> int:
        return number + 1 if number < self.last else self.first
