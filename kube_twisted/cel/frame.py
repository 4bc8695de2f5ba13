"""The state of one evaluation: variables, and what it has cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kube_twisted.cel.errors import CostExceeded

#: A part of a compiled expression.
Step = Callable[["Frame"], Any]


class Frame:
    """Variables of the expression by name, those of comprehensions by number."""

    __slots__ = ("cost", "limit", "slots", "variables")

    def __init__(self, variables: Mapping[str, Any], slots: int, limit: int) -> None:
        self.variables = variables
        self.slots: list[Any] = [None] * slots
        self.cost = 0
        self.limit = limit

    def spend(self, cost: int) -> None:
        """Count a cost.

        :raises CostExceeded: it is too much.
        """
        self.cost += cost
        if self.cost > self.limit:
            raise CostExceeded
