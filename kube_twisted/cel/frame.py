"""The state of one evaluation: variables, and what it has cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from kube_twisted.cel.errors import CostExceeded, Interrupted

#: Seconds that one evaluation may take; those that keep to their costs need less than one.
MOST_TIME = 5.0

#: A part of a compiled expression.
Step = Callable[["Frame"], Any]


class Frame:
    """Variables of the expression by name, those of comprehensions by number."""

    __slots__ = ("cost", "end", "limit", "slots", "variables")

    def __init__(self, variables: Mapping[str, Any], slots: int, limit: int) -> None:
        self.variables = variables
        self.slots: list[Any] = [None] * slots
        self.cost = 0
        self.limit = limit
        self.end = time.monotonic() + MOST_TIME

    def spend(self, cost: int) -> None:
        """Count a cost.

        :raises CostExceeded: it is too much.
        """
        self.cost += cost
        if self.cost > self.limit:
            raise CostExceeded

    def look_at_time(self) -> None:
        """Asked for every now and then by what goes round and round.

        :raises Interrupted: the evaluation takes too long.
        """
        if time.monotonic() > self.end:
            raise Interrupted
