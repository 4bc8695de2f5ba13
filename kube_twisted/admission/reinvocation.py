"""Mutating plugins are called a second time when a later one has changed the object (KEP-1872)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from attrs import define, field

K = TypeVar("K", bound=Hashable)


@define
class Reinvocation:
    """What the mutating plugins of one write tell each other about a second round.

    :ivar running: whether this is the second round.
    :ivar wanted: whether there should be one.
    :ivar memory: what plugins remember of the first, by their names.
    """

    running: bool = False
    wanted: bool = False
    memory: dict[str, Any] = field(factory=dict)

    def begin(self) -> None:
        """The second round begins; there is no third."""
        self.running, self.wanted = True, False


@define
class Asked(Generic[K]):
    """Which webhooks, or policies, are asked again. A plugin keeps it in :attr:`Reinvocation.memory`.

    :ivar invoked: those that may be, and have not been since the object changed last.
    :ivar due: those that will be.
    :ivar output: the object as the first round left it.
    """

    invoked: set[K] = field(factory=set)
    due: set[K] = field(factory=set)
    output: dict[str, Any] | None = None

    def changed(self) -> None:
        """The object is another than they saw."""
        self.due |= self.invoked
        self.invoked = set()
