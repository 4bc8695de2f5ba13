"""The group that may do everything, several authorizers as one, and how a refusal is worded."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase
from zope.interface import implementer
from zope.interface.verify import verifyObject

from kube_twisted.api.user import ALL_AUTHENTICATED, ALL_UNAUTHENTICATED, ANONYMOUS, SYSTEM_MASTERS, UserInfo
from kube_twisted.authorization.forbidden import forbidden
from kube_twisted.authorization.interfaces import NO_OPINION, Attributes, Decision, IAuthorizer
from kube_twisted.authorization.masters import SystemMasters
from kube_twisted.authorization.union import UnionAuthorizer

ADMIN = UserInfo("admin", groups=(SYSTEM_MASTERS, ALL_AUTHENTICATED))
JANE = UserInfo("jane", groups=(ALL_AUTHENTICATED,))
NOBODY = UserInfo(ANONYMOUS, groups=(ALL_UNAUTHENTICATED,))


@implementer(IAuthorizer)
class Fixed:
    """Always of one opinion; counts how often it is asked."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        self.asked = 0

    async def authorize(self, attributes: Attributes) -> Decision:
        self.asked += 1
        return self.decision


def pods(user: UserInfo, **more: Any) -> Attributes:
    return Attributes(user=user, verb="list", version="v1", resource="pods", **more)


def path(user: UserInfo, where: str, verb: str = "get") -> Attributes:
    return Attributes(user=user, verb=verb, path=where, resource_request=False)


class AuthorizerTests(SynchronousTestCase):
    def decide(self, authorizer: IAuthorizer, attributes: Attributes) -> Decision:
        verifyObject(IAuthorizer, authorizer)
        return self.successResultOf(Deferred.fromCoroutine(authorizer.authorize(attributes)))

    def test_masters(self) -> None:
        """system:masters may do everything; of others the authorizer has no opinion."""
        self.assertTrue(self.decide(SystemMasters(), pods(ADMIN)).allowed)
        self.assertTrue(self.decide(SystemMasters(), path(ADMIN, "/metrics", "post")).allowed)
        self.assertEqual(self.decide(SystemMasters(), pods(JANE)), NO_OPINION)

    def test_union_stops_at_an_opinion(self) -> None:
        """The first that allows or denies decides; those behind it are not asked."""
        for decision in (Decision(True, "yes"), Decision(False, "never", denied=True)):
            last = Fixed(Decision(True))
            union = UnionAuthorizer((Fixed(NO_OPINION), Fixed(decision), last))
            self.assertEqual(self.decide(union, pods(JANE)), decision)
            self.assertEqual(last.asked, 0)

    def test_union_without_opinion(self) -> None:
        """When none has an opinion, the reasons are told together."""
        one, two = Fixed(Decision(False, "one")), Fixed(Decision(False, "two"))
        union = UnionAuthorizer((one, Fixed(NO_OPINION), two))
        self.assertEqual(self.decide(union, pods(JANE)), Decision(False, "one\ntwo"))
        self.assertEqual(self.decide(UnionAuthorizer(()), pods(JANE)), NO_OPINION)


class ForbiddenTests(SynchronousTestCase):
    def check(self, attributes: Attributes, message: str, details: dict[str, str], reason: str = "") -> None:
        self.assertEqual(forbidden(attributes, reason).status(), {
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
            "reason": "Forbidden", "details": details, "code": 403})

    def test_in_a_namespace(self) -> None:
        """A list in a namespace names the resource and the namespace."""
        self.check(pods(NOBODY, namespace="default"),
                   'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" '
                   'in the namespace "default"', {"kind": "pods"})

    def test_at_the_cluster_scope(self) -> None:
        """Without a namespace it is at the cluster scope; the group is part of the resource's name."""
        self.check(Attributes(user=JANE, verb="watch", group="storage.k8s.io", resource="storageclasses"),
                   'storageclasses.storage.k8s.io is forbidden: User "jane" cannot watch resource '
                   '"storageclasses" in API group "storage.k8s.io" at the cluster scope',
                   {"group": "storage.k8s.io", "kind": "storageclasses"})

    def test_subresource_of_an_object(self) -> None:
        """An object's subresource is named in the message, not in the details."""
        self.check(Attributes(user=JANE, verb="get", group="apps", resource="statefulsets",
                              subresource="status", namespace="ns", name="s"),
                   'statefulsets.apps "s" is forbidden: User "jane" cannot get resource '
                   '"statefulsets/status" in API group "apps" in the namespace "ns"',
                   {"name": "s", "group": "apps", "kind": "statefulsets"})

    def test_path(self) -> None:
        """A path is named as such, with nothing in the details."""
        self.check(path(JANE, "/healthz", "post"), 'forbidden: User "jane" cannot post path "/healthz"', {})

    def test_reason(self) -> None:
        """The authorizers' reason comes last."""
        self.check(pods(JANE),
                   'pods is forbidden: User "jane" cannot list resource "pods" in API group "" '
                   "at the cluster scope: No Object name found", {"kind": "pods"}, "No Object name found")

    def test_no_markup(self) -> None:
        """Nothing in the message can be taken for HTML."""
        self.check(path(JANE, "/<a>&"), 'forbidden: User "jane" cannot get path "/&lt;a&gt;&amp;"', {})
