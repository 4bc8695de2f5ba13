"""The authorizers that the configuration asks for."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase
from zope.interface.verify import verifyObject

from kube_twisted.api.user import NODES, SYSTEM_MASTERS, UserInfo
from kube_twisted.authorization.always import AlwaysAllow, AlwaysDeny
from kube_twisted.authorization.assembly import new_authorizer
from kube_twisted.authorization.interfaces import Attributes, Decision, IAuthorizer, IRuleResolver, Rules
from kube_twisted.authorization.node.authorizer import NodeAuthorizer
from kube_twisted.authorization.rbac.authorizer import RBACAuthorizer
from kube_twisted.authorization.rbac.rules import read_rules
from tests.authorization.node.test_authorizer import FakeRelations
from tests.authorization.policies import default_policy, rule

JANE = UserInfo("jane")
NODE = UserInfo("system:node:n1", groups=(NODES, "system:authenticated"))


class AssemblyTests(SynchronousTestCase):
    def assembled(self, *modes: str) -> IAuthorizer:
        node = NodeAuthorizer(FakeRelations(), read_rules([rule("list", "services")]))
        return new_authorizer(modes, node, RBACAuthorizer(default_policy()))

    def decide(self, authorizer: IAuthorizer, user: UserInfo, resource: str = "secrets") -> Decision:
        return self.successResultOf(Deferred.fromCoroutine(authorizer.authorize(
            Attributes(user=user, verb="list", resource=resource, namespace="ns"))))

    def rules(self, resolver: IRuleResolver, user: UserInfo = JANE) -> Rules:
        return self.successResultOf(Deferred.fromCoroutine(resolver.rules_for(user, "ns")))

    def test_masters(self) -> None:
        """The administrators are let through in every mode."""
        root = UserInfo("root", groups=(SYSTEM_MASTERS,))
        for mode in ("Node", "RBAC", "AlwaysAllow", "AlwaysDeny"):
            self.assertTrue(self.decide(self.assembled(mode), root).allowed, mode)

    def test_node_and_rbac(self) -> None:
        """Both are asked; both may say why not."""
        both = self.assembled("Node", "RBAC")
        self.assertTrue(self.decide(both, NODE, "services").allowed)
        self.assertEqual(self.decide(both, NODE).reason, "No Object name found")
        self.assertFalse(self.decide(self.assembled("RBAC"), NODE, "services").allowed)
        rules = self.rules(IRuleResolver(both), NODE)
        self.assertTrue(rules.incomplete)
        self.assertIn("selfsubjectreviews", [one for rule in rules.resources for one in rule.resources])

    def test_always(self) -> None:
        """The same answer to everybody."""
        for one in (AlwaysAllow(), AlwaysDeny()):
            verifyObject(IAuthorizer, one)
            verifyObject(IRuleResolver, one)
        self.assertEqual(self.decide(AlwaysAllow(), JANE), Decision(True))
        self.assertEqual(self.decide(AlwaysDeny(), JANE), Decision(False, "Everything is forbidden."))
        self.assertEqual([one.verbs for one in self.rules(AlwaysAllow()).resources], [("*",)])
        self.assertEqual(self.rules(AlwaysDeny()), Rules())
