"""Questions to the authorizer, also to one that takes its time."""

from __future__ import annotations

from twisted.internet.defer import Deferred, succeed
from twisted.trial.unittest import SynchronousTestCase
from zope.interface import implementer

from kube_twisted.admission.expressions.checks import Checks, Undecided
from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import Attributes, Decision, IAuthorizer
from kube_twisted.cel.library.authorization import Question
from kube_twisted.util.deferreds import to_deferred

POD, NODE = (Question("get", group="", resource=resource) for resource in ("pods", "nodes"))


@implementer(IAuthorizer)
class Slow:
    """Answers when it is told to.

    :ivar asked: what it was asked, with what will be answered.
    """

    def __init__(self, at_once: bool = False) -> None:
        self.asked: list[tuple[Attributes, Deferred[Decision]]] = []
        self._at_once = at_once

    def authorize(self, attributes: Attributes) -> Deferred[Decision]:
        answer: Deferred[Decision] = succeed(Decision(True, "why")) if self._at_once else Deferred()
        self.asked.append((attributes, answer))
        return answer


class CheckTests(SynchronousTestCase):
    def checks(self, *, at_once: bool = True) -> Checks:
        self.authorizer = Slow(at_once)
        return Checks(self.authorizer, UserInfo("ann", groups=("g",)))

    def test_remembered(self) -> None:
        """Each question is asked once."""
        checks = self.checks()
        self.assertEqual({checks.decide(POD).reason for _ in range(3)}, {"why"})
        self.assertEqual(len(self.authorizer.asked), 1)

    def test_attributes(self) -> None:
        """A check of a resource says all about it, one of a path the path alone."""
        checks = self.checks()
        checks.decide(Question("list", group="apps", resource="deployments", subresource="s", namespace="n", name="x",
                               field_selector="a=b", label_selector="c in (d)"))
        checks.decide(Question("get", path="/healthz"))
        resource, path = (one for one, _ in self.authorizer.asked)
        self.assertEqual(resource, Attributes(
            user=UserInfo("ann", groups=("g",)), verb="list", group="apps", version="*", resource="deployments",
            subresource="s", namespace="n", name="x", field_selector="a=b", label_selector="c in (d)"))
        self.assertEqual((path.path, path.resource_request, path.resource), ("/healthz", False, ""))

    def test_bad_selectors(self) -> None:
        """A selector that is none is left out."""
        self.checks().decide(Question("list", resource="pods", field_selector="a", label_selector="!!"))
        self.assertEqual((self.authorizer.asked[0][0].field_selector, self.authorizer.asked[0][0].label_selector),
                         ("", ""))

    def test_service_account(self) -> None:
        """A service account is in the groups that it is always in."""
        self.checks().decide(Question("get", resource="pods", service_account=("ns", "bot")))
        user = self.authorizer.asked[0][0].user
        self.assertEqual((user.name, user.groups), (
            "system:serviceaccount:ns:bot", ("system:serviceaccounts", "system:serviceaccounts:ns")))

    def test_waiting(self) -> None:
        """An evaluation is begun anew when an answer is there; what was answered is known."""
        checks = self.checks(at_once=False)
        begun: list[int] = []

        def evaluate() -> tuple[bool, bool]:
            begun.append(1)
            return checks.decide(POD).allowed, checks.decide(NODE).allowed

        self.assertRaises(Undecided, evaluate)
        self.authorizer.asked.clear()
        result = to_deferred(checks.settled(evaluate))
        self.assertNoResult(result)
        self.authorizer.asked[0][1].callback(Decision(True))
        self.assertNoResult(result)
        self.authorizer.asked[1][1].callback(Decision(False))
        self.assertEqual(self.successResultOf(result), (True, False))
        self.assertEqual((len(begun), len(self.authorizer.asked)), (4, 2))

    def test_failure(self) -> None:
        """What goes wrong in the authorizer goes wrong in the evaluation."""
        checks = self.checks(at_once=False)
        result = to_deferred(checks.settled(lambda: checks.decide(POD)))
        self.authorizer.asked[0][1].errback(ZeroDivisionError())
        self.failureResultOf(result, ZeroDivisionError)
