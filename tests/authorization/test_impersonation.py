"""Who may act as whom, and who one is then."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase
from zope.interface import implementer

from kube_twisted.api.errors import StatusError
from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.impersonation import Impersonation
from kube_twisted.authorization.interfaces import Attributes, Decision, IAuthorizer

JANE = UserInfo("jane")
ON_NODE = UserInfo("system:serviceaccount:ns:agent", extra={
    "authentication.kubernetes.io/node-name": ("n1",), "authentication.kubernetes.io/pod-name": ("p",)})


@implementer(IAuthorizer)
class Permissions:
    """Allows what it was told, as ``verb group/resource/subresource/namespace/name``, and notes what it is asked."""

    def __init__(self, *allowed: str) -> None:
        self.allowed = set(allowed)
        self.asked: list[str] = []
        self.users: list[UserInfo] = []

    async def authorize(self, attributes: Attributes) -> Decision:
        text = f"{attributes.verb} " + "/".join(
            (attributes.group, attributes.resource, attributes.subresource, attributes.namespace, attributes.name))
        self.asked.append(text)
        self.users.append(attributes.user)
        return Decision(text in self.allowed)


class ImpersonationTestCase(SynchronousTestCase):
    def setUp(self) -> None:
        self.permissions = Permissions()
        self.impersonation = Impersonation(self.permissions)

    def allow(self, *texts: str) -> None:
        self.permissions.allowed |= set(texts)

    def _acting(self, wanted: UserInfo, requestor: UserInfo) -> Deferred[UserInfo]:
        asked = Attributes(user=requestor, verb="list", resource="pods", namespace="ns")
        return Deferred.fromCoroutine(self.impersonation.act_as(wanted, asked))

    def act(self, wanted: UserInfo, requestor: UserInfo = JANE) -> UserInfo:
        return self.successResultOf(self._acting(wanted, requestor))

    def refusal(self, wanted: UserInfo, requestor: UserInfo = JANE) -> str:
        error = self.failureResultOf(self._acting(wanted, requestor), StatusError).value
        assert isinstance(error, StatusError)
        self.assertEqual(error.code, 403)
        return error.message


class UnconstrainedTests(ImpersonationTestCase):
    """The verb ``impersonate``: anything as that user."""

    def test_user(self) -> None:
        """A user who has a name is authenticated; anonymous is not."""
        self.allow("impersonate /users///bob", "impersonate /users///system:anonymous")
        self.assertEqual(self.act(UserInfo("bob")), UserInfo("bob", groups=("system:authenticated",)))
        self.assertEqual(self.act(UserInfo("system:anonymous")),
                         UserInfo("system:anonymous", groups=("system:unauthenticated",)))

    def test_groups(self) -> None:
        """Each group needs permission; who is unauthenticated does not become authenticated."""
        self.allow("impersonate /users///bob", "impersonate /groups///dev", "impersonate /groups///system:masters",
                   "impersonate /groups///system:unauthenticated")
        self.assertEqual(self.act(UserInfo("bob", groups=("dev", "system:masters"))).groups,
                         ("dev", "system:masters", "system:authenticated"))
        self.assertEqual(self.act(UserInfo("bob", groups=("system:unauthenticated",))).groups,
                         ("system:unauthenticated",))
        self.assertEqual(self.refusal(UserInfo("bob", groups=("dev", "ops"))), (
            'groups "ops" is forbidden: User "jane" cannot impersonate resource "groups" in API group "" at the '
            "cluster scope"))

    def test_service_account(self) -> None:
        """An account is asked for as such, and has its groups unless others are wanted."""
        self.allow("impersonate /serviceaccounts//far/robot", "impersonate /groups///crew")
        robot = "system:serviceaccount:far:robot"
        self.assertEqual(self.act(UserInfo(robot)).groups, (
            "system:serviceaccounts", "system:serviceaccounts:far", "system:authenticated"))
        self.assertEqual(self.act(UserInfo(robot, groups=("crew",))).groups, ("crew", "system:authenticated"))

    def test_uid_and_extra(self) -> None:
        """They are resources of the group of authentication, an extra key being the subresource."""
        group = "authentication.k8s.io"
        self.allow("impersonate /users///bob", f"impersonate {group}/uids///7",
                   f"impersonate {group}/userextras/scopes//view")
        wanted = UserInfo("bob", "7", extra={"scopes": ("view",)})
        self.assertEqual(self.act(wanted).extra, {"scopes": ("view",)})
        self.assertEqual(self.act(wanted).uid, "7")
        self.act(UserInfo("bob"))
        self.assertIn("userextras/scopes", self.refusal(UserInfo("bob", extra={"scopes": ("view", "edit")})))
        self.assertIn('uids.authentication.k8s.io "8" is forbidden', self.refusal(UserInfo("bob", "8")))

    def test_a_node_is_a_user(self) -> None:
        """Without constraints, a node is asked for like any user."""
        self.allow("impersonate /users///system:node:n1", "impersonate /groups///system:nodes")
        self.assertEqual(self.act(UserInfo("system:node:n1", groups=("system:nodes",))).groups,
                         ("system:nodes", "system:authenticated"))


class ConstrainedTests(ImpersonationTestCase):
    """KEP-5284: two permissions, one for the user, one for what is done as the user."""

    GROUP = "authentication.k8s.io"

    def test_user_info(self) -> None:
        """Any user but accounts and nodes."""
        self.allow("impersonate-on:user-info:list /pods//ns/", f"impersonate:user-info {self.GROUP}/users///bob")
        self.assertEqual(self.act(UserInfo("bob")).groups, ("system:authenticated",))
        self.assertEqual(self.permissions.asked, ["impersonate-on:user-info:list /pods//ns/",
                                                  f"impersonate:user-info {self.GROUP}/users///bob"])

    def test_service_account(self) -> None:
        """An account by its name alone."""
        self.allow("impersonate-on:serviceaccount:list /pods//ns/",
                   f"impersonate:serviceaccount {self.GROUP}/serviceaccounts//far/robot")
        robot = UserInfo("system:serviceaccount:far:robot")
        self.assertEqual(len(self.act(robot).groups), 3)
        self.assertIn("cannot impersonate resource", self.refusal(UserInfo(robot.name, "7")))

    def test_any_node(self) -> None:
        """A node has the group of nodes."""
        self.allow("impersonate-on:arbitrary-node:list /pods//ns/",
                   f"impersonate:arbitrary-node {self.GROUP}/nodes///n2")
        self.assertEqual(self.act(UserInfo("system:node:n2")).groups, ("system:nodes", "system:authenticated"))

    def test_own_node(self) -> None:
        """An account whose pod runs on the node is asked about without saying on which."""
        self.allow("impersonate-on:associated-node:list /pods//ns/",
                   f"impersonate:associated-node {self.GROUP}/nodes///*")
        self.assertEqual(self.act(UserInfo("system:node:n1"), ON_NODE).name, "system:node:n1")
        self.assertEqual(self.permissions.users[0].extra, {"authentication.kubernetes.io/associated-node-keys": (
            "authentication.kubernetes.io/node-name", "authentication.kubernetes.io/pod-name")})
        self.assertIn("impersonate-on:arbitrary-node:list", self.refusal(UserInfo("system:node:n2")))

    def test_first_refusal(self) -> None:
        """When no mode allows it, the refusal of the first that fits is told."""
        for wanted, mode in (("bob", "user-info"), ("system:serviceaccount:a:b", "serviceaccount"),
                             ("system:node:n1", "arbitrary-node")):
            self.assertEqual(self.refusal(UserInfo(wanted)), (
                f'pods is forbidden: User "jane" cannot impersonate-on:{mode}:list resource "pods" in API group "" in '
                'the namespace "ns"'))

    def test_last_mode_first(self) -> None:
        """The mode that worked last for a requestor is tried first, and its refusal is the one told."""
        self.allow("impersonate /users///bob")
        self.act(UserInfo("bob"))
        self.assertIn("cannot impersonate resource", self.refusal(UserInfo("eve")))
        self.assertIn("cannot impersonate-on:", self.refusal(UserInfo("eve"), UserInfo("john")))

    def test_many(self) -> None:
        """Permission for all groups spares asking about each of many."""
        self.allow("impersonate-on:user-info:list /pods//ns/", f"impersonate:user-info {self.GROUP}/users///bob",
                   f"impersonate:user-info {self.GROUP}/groups///*",
                   f"impersonate:user-info {self.GROUP}/userextras/*//*")
        self.act(UserInfo("bob", groups=("a", "b", "c", "d"), extra={"x.io/k": ("1", "2", "3", "4")}))
        self.assertIn("groups", self.refusal(UserInfo("bob", groups=("a",))))

    def test_stricter(self) -> None:
        """Some things are never allowed with constraints."""
        self.allow("impersonate-on:user-info:list /pods//ns/", f"impersonate:user-info {self.GROUP}/users///bob")
        refused: tuple[tuple[dict[str, Any], str], ...] = (
            ({"groups": ("",)}, "impersonating the empty string group is not allowed"),
            ({"groups": ("system:masters",)}, "impersonating the system:masters group is not allowed"),
            ({"extra": {"": ("x",)}}, "impersonating the empty string key in extra is not allowed"),
            ({"extra": {"plain": ("x",)}}, 'must be a domain-prefixed path (such as "acme.io/foo")'),
            ({"extra": {"x.io/K": ("x",)}}, 'impersonating a non-lowercase key in extra is not allowed: "x.io/K"'),
            ({"extra": {"x.io/k": ()}}, "impersonating empty values in extra is not allowed"),
            ({"extra": {"x.io/k": ("",)}}, "impersonating the empty string value in extra is not allowed"))
        for wanted, reason in refused:
            self.assertIn(reason, self.refusal(UserInfo("bob", **wanted)), wanted)


class ModeTests(ImpersonationTestCase):
    def test_names_that_are_no_nodes(self) -> None:
        """What can't be a node or an account is a user."""
        for name in ("node:", "node:Bad_Name", "serviceaccount:bad", "serviceaccount:a:b:c"):
            self.assertIn("impersonate-on:user-info:", self.refusal(UserInfo(f"system:{name}")), name)
