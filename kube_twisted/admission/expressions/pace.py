"""Runs expressions one after the other, and lets other requests have their turn when that takes long."""

from __future__ import annotations

from functools import partial

from attrs import define

from kube_twisted.admission.expressions.checks import Checks
from kube_twisted.admission.expressions.expression import Expression
from kube_twisted.cel.activation import Activation, Evaluation
from kube_twisted.util.clock import Clock

#: Seconds after which others have their turn: an expression alone may take nearly half a second.
TURN = 0.05


@define
class Pace:
    """Runs the expressions about one write.

    :ivar checks: answers what expressions ask of the authorizer.
    """

    checks: Checks
    clock: Clock
    _begun: float | None = None

    async def run(self, expression: Expression, activation: Activation) -> Evaluation:
        """What an expression gives.

        :raises OutOfBudget: what was run with this activation costs too much.
        """
        if self._begun is None:
            self._begun = self.clock.seconds()
        try:
            return await self.checks.settled(partial(expression.run, activation))
        finally:
            if self.clock.seconds() - self._begun > TURN:
                await self.clock.sleep(0)
                self._begun = None
