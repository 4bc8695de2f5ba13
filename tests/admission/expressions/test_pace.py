"""Expressions that take long let others have their turn."""

from __future__ import annotations

from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase
from zope.interface import implementer

from kube_twisted.admission.expressions.checks import Checks
from kube_twisted.admission.expressions.expression import Expression
from kube_twisted.admission.expressions.pace import TURN, Pace
from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import Attributes, Decision, IAuthorizer
from kube_twisted.cel.activation import Activation, Evaluation
from kube_twisted.cel.admission import Composition, Names
from kube_twisted.cel.library.authorization import authorizer
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred


@implementer(IAuthorizer)
class Thinking:
    """Lets some time pass with each question."""

    def __init__(self, reactor: FakeReactor) -> None:
        self._reactor = reactor

    async def authorize(self, attributes: Attributes) -> Decision:
        self._reactor.rightNow += float(attributes.path.strip("/"))
        return Decision(True)


class PaceTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.reactor = FakeReactor()
        self.checks = Checks(Thinking(self.reactor), UserInfo("ann"))
        self.pace = Pace(self.checks, Clock(self.reactor))
        self.activation = Activation({"authorizer": authorizer(self.checks.decide)})

    def taking(self, seconds: float) -> Expression:
        """An expression that takes some time."""
        return Expression.compile(f"authorizer.path('/{seconds}').check('get').allowed()", Composition(False), Names())

    def test_short(self) -> None:
        """Short ones wait for nobody."""
        for part in (3, 4):
            result = to_deferred(self.pace.run(self.taking(TURN / part), self.activation))
            self.assertEqual(self.successResultOf(result), Evaluation(True))

    def test_long(self) -> None:
        """After a while the reactor has its turn; then the time is counted anew."""
        result = to_deferred(self.pace.run(self.taking(TURN * 2), self.activation))
        self.assertNoResult(result)
        self.reactor.advance(0)
        self.assertEqual(self.successResultOf(result), Evaluation(True))
        self.successResultOf(to_deferred(self.pace.run(self.taking(TURN / 2), self.activation)))

    def test_together(self) -> None:
        """Several count together."""
        first, second = (to_deferred(self.pace.run(self.taking(TURN * part), self.activation)) for part in (0.6, 0.7))
        self.successResultOf(first)
        self.assertNoResult(second)
        self.reactor.advance(0)
        self.successResultOf(second)
