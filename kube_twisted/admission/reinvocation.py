"""Mutating plugins are called a second time when a later one has changed the object (KEP-1872)."""

from __future__ import annotations

from typing import Any

from attrs import define, field


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
