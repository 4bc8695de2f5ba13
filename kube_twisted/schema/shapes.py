"""A memory of what objects of one type have in common when they have the same keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")
#: How many sets of keys are remembered, and how many characters they may have.
_MOST, _LONGEST = 256, 2048

Keys = tuple[str, ...]


class Shapes(dict[Keys, _T]):
    """What follows from the keys of an object alone: ``shapes[tuple(obj)]``.

    The objects of a kind come with one of a few sets of keys, so nearly always it is known already. Keys that
    clients make up cannot fill the memory: long ones are not kept, and a full memory begins anew.

    :param make: works it out.
    """

    def __init__(self, make: Callable[[Keys], _T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, keys: Keys) -> _T:
        made = self._make(keys)
        if sum(map(len, keys)) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[keys] = made
        return made
