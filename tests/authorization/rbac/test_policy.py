"""The policy: who is bound to what, kept up to date; and the authorizer that asks it."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase
from zope.interface.verify import verifyObject

from kube_twisted.api.user import ALL_AUTHENTICATED, UserInfo
from kube_twisted.authorization.interfaces import (
    NO_OPINION,
    Attributes,
    Decision,
    IAuthorizer,
    IRuleResolver,
    ResourceRule,
    Rules,
    URLRule,
)
from kube_twisted.authorization.rbac.authorizer import RBACAuthorizer
from kube_twisted.authorization.rbac.policy import Policy
from tests.authorization.policies import Roles, default_policy, rule

Obj = dict[str, Any]

USER = {"kind": "User", "name": "jane"}
TEAM = {"kind": "Group", "name": "team"}
JANE = UserInfo("jane", groups=("team", ALL_AUTHENTICATED))


def role(name: str, *rules: Obj, namespace: str = "ns") -> Obj:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"metadata": metadata, "rules": list(rules)}


def binding(name: str, role: str, *subjects: Obj, namespace: str = "ns", kind: str = "") -> Obj:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"metadata": metadata, "subjects": list(subjects),
            "roleRef": {"kind": kind or ("Role" if namespace else "ClusterRole"), "name": role}}


class PolicyTestCase(SynchronousTestCase):
    def setUp(self) -> None:
        self.roles = Roles()
        self.policy = Policy(self.roles)
        self.authorizer = RBACAuthorizer(self.policy)

    def decide(self, user: UserInfo = JANE, verb: str = "get", resource: str = "pods", namespace: str = "ns",
               **more: Any) -> Decision:
        return self.successResultOf(Deferred.fromCoroutine(self.authorizer.authorize(Attributes(
            user=user, verb=verb, resource=resource, namespace=namespace, **more))))

    def rules(self, user: UserInfo = JANE, namespace: str = "ns") -> Rules:
        return self.successResultOf(Deferred.fromCoroutine(self.authorizer.rules_for(user, namespace)))


class BindingTests(PolicyTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.roles.put("roles", role("r", rule("get", "pods")))
        self.roles.put("clusterroles", role("c", rule("get", "pods nodes"), namespace=""))

    def test_user(self) -> None:
        """A binding to the user's name; the reason tells all about it."""
        self.assertEqual(self.decide(), NO_OPINION)
        self.policy.put_binding(binding("b", "r", USER))
        self.assertEqual(self.decide(), Decision(
            True, 'RBAC: allowed by RoleBinding "b/ns" of Role "r" to User "jane"'))
        self.assertEqual(self.decide(UserInfo("team", groups=("jane",))), NO_OPINION)

    def test_group(self) -> None:
        """A binding to one of the user's groups."""
        self.policy.put_binding(binding("b", "c", TEAM, namespace=""))
        self.assertEqual(self.decide().reason, 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "c" to '
                                               'Group "team"')

    def test_first_subject(self) -> None:
        """When several subjects apply, the first is named."""
        self.policy.put_binding(binding("b", "r", {"kind": "User", "name": "x"}, TEAM, USER))
        self.assertTrue(self.decide().reason.endswith('to Group "team"'))
        self.assertTrue(self.decide(UserInfo("jane")).reason.endswith('to User "jane"'))

    def test_service_account(self) -> None:
        """An account is the user of its name; without a namespace it is one in the binding's."""
        robot = {"kind": "ServiceAccount", "name": "robot"}
        self.policy.put_binding(binding("b", "r", robot))
        self.policy.put_binding(binding("c", "c", robot, {**robot, "namespace": "far"}, namespace=""))
        self.assertTrue(self.decide(UserInfo("system:serviceaccount:ns:robot")).reason.endswith(
            'to ServiceAccount "robot/ns"'))
        self.assertTrue(self.decide(UserInfo("system:serviceaccount:far:robot")).reason.endswith(
            'to ServiceAccount "robot/far"'))
        self.assertEqual(self.decide(UserInfo("system:serviceaccount:other:robot")), NO_OPINION)
        self.assertEqual(self.decide(UserInfo("robot")), NO_OPINION)

    def test_namespaces(self) -> None:
        """A RoleBinding counts in its namespace alone, also for a ClusterRole; neither at the cluster's scope."""
        self.policy.put_binding(binding("b", "c", USER, kind="ClusterRole"))
        self.assertTrue(self.decide().allowed)
        self.assertEqual(self.decide(namespace="other"), NO_OPINION)
        self.assertEqual(self.decide(namespace="", resource="nodes"), NO_OPINION)
        self.policy.put_binding(binding("b", "c", USER, namespace=""))
        self.assertTrue(self.decide(namespace="", resource="nodes").allowed)
        self.assertTrue(self.decide(namespace="other").reason.startswith("RBAC: allowed by ClusterRoleBinding"))

    def test_changed_bindings(self) -> None:
        """Subjects that are taken out are forgotten, and so are bindings."""
        self.policy.put_binding(binding("b", "r", USER, TEAM))
        self.policy.put_binding(binding("b", "r", TEAM))
        self.assertEqual(self.decide(UserInfo("jane")), NO_OPINION)
        self.assertTrue(self.decide().allowed)
        self.policy.remove_binding("ns", "b")
        self.policy.remove_binding("ns", "never there")
        self.policy.remove_binding("nowhere", "b")
        self.assertEqual(self.decide(), NO_OPINION)

    def test_odd_subjects(self) -> None:
        """A kind of subject that nobody knows is nobody."""
        self.policy.put_binding(binding("b", "r", {"kind": "Robot", "name": "jane"}))
        self.assertEqual(self.decide(), NO_OPINION)


class RoleTests(PolicyTestCase):
    def test_changed_role(self) -> None:
        """A role is read once, and again after it has changed."""
        self.policy.put_binding(binding("b", "r", USER))
        self.roles.put("roles", role("r", rule("get", "pods")))
        self.assertTrue(self.decide().allowed)
        self.decide()
        self.assertEqual(self.roles.reads, 1)
        self.roles.put("roles", role("r", rule("list", "pods")))
        self.policy.role_changed("roles", "ns", "r")
        self.assertEqual(self.decide(), NO_OPINION)
        self.assertTrue(self.decide(verb="list").allowed)
        self.policy.role_changed("clusterroles", "", "r")
        self.decide()
        self.assertEqual(self.roles.reads, 2)

    def test_missing_roles(self) -> None:
        """Missing roles are told when nothing allows the request, each once."""
        self.policy.put_binding(binding("a", "gone", USER, TEAM))
        self.assertEqual(self.decide(), Decision(False, 'RBAC: role.rbac.authorization.k8s.io "gone" not found'))
        self.policy.put_binding(binding("b", "none", USER, namespace=""))
        self.assertEqual(self.decide().reason, 'RBAC: [clusterrole.rbac.authorization.k8s.io "none" not found, '
                                               'role.rbac.authorization.k8s.io "gone" not found]')
        self.roles.put("roles", role("r", rule("get", "pods")))
        self.policy.put_binding(binding("c", "r", USER))
        self.assertTrue(self.decide().allowed)

    def test_role_comes_back(self) -> None:
        """That a role was missing is not remembered."""
        self.policy.put_binding(binding("b", "r", USER))
        self.decide()
        self.roles.put("roles", role("r", rule("get", "pods")))
        self.assertTrue(self.decide().allowed)

    def test_rules(self) -> None:
        """All rules of a user, those for resources apart from those for paths, each binding once."""
        verifyObject(IAuthorizer, self.authorizer)
        verifyObject(IRuleResolver, self.authorizer)
        self.roles.put("clusterroles", role("c", rule("get", urls="/x"), rule("get", "nodes"), namespace=""))
        self.roles.put("roles", role("r", rule("get", "pods", names="one")))
        self.policy.put_binding(binding("c", "c", USER, TEAM, namespace=""))
        self.policy.put_binding(binding("r", "r", USER))
        nodes = ResourceRule(("get",), ("",), ("nodes",))
        self.assertEqual(self.rules(), Rules((nodes, ResourceRule(("get",), ("",), ("pods",), ("one",))),
                                             (URLRule(("get",), ("/x",)),)))
        self.assertEqual(self.rules(namespace="other").resources, (nodes,))
        self.policy.put_binding(binding("z", "gone", USER))
        self.assertEqual(self.rules().error, 'role.rbac.authorization.k8s.io "gone" not found')


class DefaultPolicyTests(PolicyTestCase):
    """What everybody may do in a fresh cluster."""

    def setUp(self) -> None:
        super().setUp()
        self.authorizer = RBACAuthorizer(default_policy())

    def path(self, user: UserInfo, path: str, verb: str = "get") -> bool:
        return bool(self.decide(user, verb, "", "", path=path, resource_request=False).allowed)

    def test_discovery_for_users(self) -> None:
        """Users may read discovery, OpenAPI, the version and whether the server is well."""
        for where in ("/api", "/api/v1", "/apis", "/apis/apps/v1", "/openapi", "/openapi/v3/api/v1",
                      "/version", "/version/", "/healthz", "/livez", "/readyz"):
            self.assertTrue(self.path(JANE, where), where)
        for where in ("/", "/metrics", "/apiserver", "/livez/ping", "/healthz/", "/logs"):
            self.assertFalse(self.path(JANE, where), where)
        self.assertFalse(self.path(JANE, "/healthz", "post"))

    def test_discovery_for_anonymous(self) -> None:
        """Without a name only the version and the health are readable."""
        nobody = UserInfo("system:anonymous", groups=("system:unauthenticated",))
        for where in ("/version", "/version/", "/healthz", "/livez", "/readyz"):
            self.assertTrue(self.path(nobody, where), where)
        for where in ("/", "/api", "/api/v1", "/apis", "/openapi/v2", "/healthz/ping", "/metrics"):
            self.assertFalse(self.path(nobody, where), where)

    def test_controllers(self) -> None:
        """A controller of the controller-manager may do its work, in every namespace, and no other's."""
        robot = UserInfo("system:serviceaccount:kube-system:job-controller")
        self.assertTrue(self.decide(robot, "create").allowed)
        self.assertFalse(self.decide(robot, "create", "secrets").allowed)

    def test_oneself(self) -> None:
        """Whoever has a name may ask what he may do."""
        self.assertTrue(self.decide(JANE, "create", "selfsubjectaccessreviews", "",
                                    group="authorization.k8s.io").allowed)
