"""Tests for kube_twisted.authorization.basic_user, and for the rules that authorizers tell."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase
from zope.interface.verify import verifyObject

from kube_twisted.api.user import SERVICE_ACCOUNTS, UserInfo
from kube_twisted.authorization.basic_user import BasicUser
from kube_twisted.authorization.discovery import Discovery
from kube_twisted.authorization.interfaces import (
    NO_OPINION,
    Attributes,
    IAuthorizer,
    IRuleResolver,
    ResourceRule,
    Rules,
    URLRule,
)
from kube_twisted.authorization.masters import SystemMasters
from kube_twisted.authorization.union import UnionAuthorizer
from tests.authorization.test_authorizers import ADMIN, JANE, NOBODY, Fixed, pods

REVIEWS = (("authorization.k8s.io", "selfsubjectaccessreviews"),
           ("authorization.k8s.io", "selfsubjectrulesreviews"), ("authentication.k8s.io", "selfsubjectreviews"))


class BasicUserTests(SynchronousTestCase):
    """Reviews of oneself."""

    def allowed(self, attributes: Attributes) -> bool:
        authorizer = BasicUser()
        verifyObject(IAuthorizer, authorizer)
        return self.successResultOf(Deferred.fromCoroutine(authorizer.authorize(attributes))).allowed

    def test_users(self) -> None:
        """Whoever has a name may create them; anonymous may not."""
        for group, resource in REVIEWS:
            for user, allowed in ((JANE, True), (NOBODY, False)):
                asked = Attributes(user=user, verb="create", group=group, resource=resource)
                self.assertEqual(self.allowed(asked), allowed)

    def test_nothing_else(self) -> None:
        """No other verb, resource, group or subresource, and no URL of the same name."""
        group, resource = REVIEWS[0]
        for other in (Attributes(user=JANE, verb="list", group=group, resource=resource),
                      Attributes(user=JANE, verb="create", group="", resource=resource),
                      Attributes(user=JANE, verb="create", group=group, resource="subjectaccessreviews"),
                      Attributes(user=JANE, verb="create", group=group, resource=resource, subresource="x"),
                      Attributes(user=JANE, verb="create", group=group, resource=resource,
                                 resource_request=False), pods(JANE)):
            self.assertFalse(self.allowed(other))


class RulesTests(SynchronousTestCase):
    """What authorizers tell about a user."""

    def rules(self, resolver: IRuleResolver, user: UserInfo) -> Rules:
        verifyObject(IRuleResolver, resolver)
        async def ask() -> Rules:
            return await resolver.rules_for(user, "ns")

        return self.successResultOf(Deferred.fromCoroutine(ask()))

    def test_masters(self) -> None:
        """Everything, or nothing."""
        self.assertEqual(self.rules(SystemMasters(), ADMIN), Rules(
            (ResourceRule(("*",), ("*",), ("*",)),), (URLRule(("*",), ("*",)),)))
        self.assertEqual(self.rules(SystemMasters(), JANE), Rules())

    def test_basic_user(self) -> None:
        """The three reviews, for users with a name."""
        found = [(rule.groups[0], resource) for rule in self.rules(BasicUser(), JANE).resources
                 for resource in rule.resources]
        self.assertEqual(tuple(found), REVIEWS)
        self.assertEqual(self.rules(BasicUser(), NOBODY), Rules())

    def test_discovery(self) -> None:
        """Service accounts read the issuer's documents besides."""
        robot = UserInfo("robot", groups=(SERVICE_ACCOUNTS,))
        self.assertIn("/openid/v1/jwks", self.rules(Discovery(), robot).urls[0].urls)

    def test_union(self) -> None:
        """All rules in order; authorizers that can't tell theirs are passed over."""
        union = UnionAuthorizer((SystemMasters(), Fixed(NO_OPINION), BasicUser()))
        self.assertEqual(len(self.rules(union, ADMIN).resources), 3)
