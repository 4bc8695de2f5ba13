"""Nobody grants more than he has."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.user import SYSTEM_MASTERS, UserInfo
from kube_twisted.authorization.rbac.authorizer import RBACAuthorizer
from kube_twisted.authorization.rbac.covering import described, not_covered
from kube_twisted.authorization.rbac.escalation import EscalationGuard, Granting
from kube_twisted.authorization.rbac.policy import Policy
from kube_twisted.authorization.rbac.rules import Rule
from tests.authorization.policies import Roles, rule
from tests.authorization.rbac.test_policy import USER, binding, role

Obj = dict[str, Any]

JANE = UserInfo("jane", groups=("dev", "system:authenticated"))
RBAC = "rbac.authorization.k8s.io"


def lacking(held: list[Obj], wanted: list[Obj]) -> list[str]:
    return described(not_covered(list(map(Rule.read, held)), map(Rule.read, wanted)))


class CoveringTests(SynchronousTestCase):
    def test_parts(self) -> None:
        """A rule may be covered by several others together, part by part."""
        held = [rule("get", "pods"), rule("list", "pods secrets")]
        self.assertEqual(lacking(held, [rule("get list", "pods")]), [])
        self.assertEqual(lacking(held, [rule("get list", "pods secrets")]),
                         ['{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'])

    def test_stars(self) -> None:
        """A star covers everything, and is covered by a star alone."""
        self.assertEqual(lacking([rule("*", "*", "*")], [rule("get", "pods/x", "apps", "a")]), [])
        self.assertEqual(lacking([rule("get list", "pods")], [rule("*", "pods")]),
                         ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'])
        self.assertEqual(lacking([rule("*", "*", "*")], [rule("get", urls="/x")]),
                         ['{NonResourceURLs:["/x"], Verbs:["get"]}'])

    def test_subresources(self) -> None:
        """A subresource of all resources covers that of one, and a resource covers no subresource."""
        self.assertEqual(lacking([rule("get", "*/scale")], [rule("get", "deployments/scale")]), [])
        self.assertEqual(len(lacking([rule("get", "*/scale pods")], [rule("get", "pods/status pods/log")])), 2)

    def test_names(self) -> None:
        """A rule for all objects covers one for some, not the reverse."""
        self.assertEqual(lacking([rule("get", "pods")], [rule("get", "pods", names="a")]), [])
        self.assertEqual(lacking([rule("get", "pods", names="a")], [rule("get", "pods", names="a b")]),
                         ['{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}'])
        self.assertEqual(len(lacking([rule("get", "pods", names="a")], [rule("get", "pods")])), 1)

    def test_paths(self) -> None:
        """A prefix covers what is below it; verbs on paths are told one by one."""
        self.assertEqual(lacking([rule("get", urls="/a/*")], [rule("get", urls="/a/b /a/*")]), [])
        self.assertEqual(lacking([], [rule("get post", urls="/a")]),
                         ['{NonResourceURLs:["/a"], Verbs:["get"]}', '{NonResourceURLs:["/a"], Verbs:["post"]}'])

    def test_together(self) -> None:
        """Parts that differ in the verb are told together, in the order of the verbs."""
        self.assertEqual(lacking([], [rule("list get", "pods"), rule("create", "pods")]),
                         ['{APIGroups:[""], Resources:["pods"], Verbs:["list" "get" "create"]}'])


class GuardTestCase(SynchronousTestCase):
    def setUp(self) -> None:
        self.roles = Roles()
        self.policy = Policy(self.roles)
        self.guard = EscalationGuard(self.policy, RBACAuthorizer(self.policy))

    def grant(self, *rules: Obj, namespace: str = "ns") -> None:
        """Jane has these rules."""
        name = "held" if namespace else "held-everywhere"
        self.roles.put("roles" if namespace else "clusterroles", role(name, *rules, namespace=namespace))
        self.policy.role_changed("roles" if namespace else "clusterroles", namespace, name)
        self.policy.put_binding(binding(name, name, USER, namespace=namespace))


class RoleTests(GuardTestCase):
    def check(self, wanted: Obj, old: Obj | None = None, user: UserInfo = JANE, resource: str = "roles",
              name: str = "") -> None:
        namespace = "ns" if resource == "roles" else ""
        self.successResultOf(Deferred.fromCoroutine(
            self.guard.check_role(Granting(user, resource, namespace, name), wanted, old)))

    def refusal(self, wanted: Obj, old: Obj | None = None, resource: str = "roles") -> StatusError:
        namespace = "ns" if resource == "roles" else ""
        failure = self.failureResultOf(Deferred.fromCoroutine(
            self.guard.check_role(Granting(JANE, resource, namespace), wanted, old)), StatusError)
        error = failure.value
        assert isinstance(error, StatusError)
        return error

    def test_held(self) -> None:
        """What one has, one may grant."""
        self.grant(rule("get list", "pods"))
        self.check(role("new", rule("get", "pods")))
        self.check(role("empty"))

    def test_not_held(self) -> None:
        """What one has not is told, in 403."""
        self.grant(rule("get", "pods"))
        error = self.refusal(role("new", rule("get list", "pods"), rule("get", "secrets")))
        self.assertEqual((error.code, error.details), (403, {"name": "new", "group": RBAC, "kind": "roles"}))
        self.assertEqual(error.message, (
            'roles.rbac.authorization.k8s.io "new" is forbidden: user "jane" (groups=["dev" "system:authenticated"]) '
            'is attempting to grant RBAC permissions not currently held:\n'
            '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}\n'
            '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'))

    def test_unknown_rights(self) -> None:
        """Roles that are bound but missing are told too, as the resource that is written."""
        self.policy.put_binding(binding("b", "gone", USER))
        self.assertTrue(self.refusal(role("new", rule("get", "pods"))).message.endswith(
            '; resolution errors: [roles.rbac.authorization.k8s.io "gone" not found]'))
        self.policy.put_binding(binding("c", "none", USER, namespace=""))
        self.assertTrue(self.refusal(role("new", rule("get", "pods"))).message.endswith(
            '; resolution errors: [[roles.rbac.authorization.k8s.io "none" not found, '
            'roles.rbac.authorization.k8s.io "gone" not found]]'))

    def test_masters(self) -> None:
        """The administrators may grant everything."""
        self.check(role("new", rule("*", "*", "*")), user=UserInfo("root", groups=(SYSTEM_MASTERS,)))

    def test_escalate(self) -> None:
        """The verb escalate lifts it, on all roles or on one; a creation names none."""
        self.grant(rule("escalate", "roles", RBAC, "r"))
        self.check(role("r", rule("get", "secrets")), name="r")
        self.assertEqual(self.refusal(role("r", rule("get", "secrets"))).code, 403)
        self.grant(rule("escalate", "roles", RBAC))
        self.check(role("r", rule("get", "secrets")))

    def test_aggregation(self) -> None:
        """A role that gathers others, or did, is the business of cluster administrators."""
        gathering = {**role("sum", namespace=""), "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {}}]}}
        error = self.refusal(gathering, resource="clusterroles")
        self.assertEqual(error.message, 'clusterroles.rbac.authorization.k8s.io "sum" is forbidden: must have '
                                        "cluster-admin privileges to use the aggregationRule")
        self.assertEqual(self.refusal(role("sum", namespace=""), gathering, "clusterroles").code, 403)
        self.grant(rule("*", "*", "*"), rule("*", urls="*"), namespace="")
        self.check(gathering, resource="clusterroles")


class BindingTests(GuardTestCase):
    def check(self, name: str, kind: str = "Role", namespace: str = "ns") -> Deferred[None]:
        resource = "rolebindings" if namespace else "clusterrolebindings"
        wanted = binding("new", name, {"kind": "User", "name": "bob"}, namespace=namespace, kind=kind)
        return Deferred.fromCoroutine(self.guard.check_binding(Granting(JANE, resource, namespace), wanted))

    def refusal(self, name: str, kind: str = "Role", namespace: str = "ns") -> StatusError:
        error = self.failureResultOf(self.check(name, kind, namespace), StatusError).value
        assert isinstance(error, StatusError)
        return error

    def test_held(self) -> None:
        """A role all of whose rights one has may be bound."""
        self.grant(rule("get", "pods"))
        self.roles.put("roles", role("small", rule("get", "pods", names="x")))
        self.successResultOf(self.check("small"))

    def test_not_held(self) -> None:
        """Others may not, in the cluster's scope with rights of the namespace neither."""
        self.grant(rule("get", "pods"))
        self.roles.put("roles", role("big", rule("*", "pods")))
        self.roles.put("clusterroles", role("wide", rule("get", "pods"), namespace=""))
        self.assertIn('rolebindings.rbac.authorization.k8s.io "new" is forbidden: user "jane"',
                      self.refusal("big").message)
        self.successResultOf(self.check("wide", "ClusterRole"))
        self.assertEqual(self.refusal("wide", "ClusterRole", "").code, 403)

    def test_bind(self) -> None:
        """The verb bind lifts it, on all roles of the kind or on one, whether the role is there or not."""
        self.grant(rule("bind", "roles", RBAC, "big"))
        self.successResultOf(self.check("big"))
        self.assertEqual(self.refusal("big", "ClusterRole").code, 404)

    def test_missing(self) -> None:
        """Whoever may not bind it anyway is told that the role is missing, with the kind of the binding."""
        error = self.refusal("gone")
        self.assertEqual((error.code, error.message),
                         (404, 'rolebindings.rbac.authorization.k8s.io "gone" not found'))

    def test_odd_kind(self) -> None:
        """A reference to what can't be bound is a 500 for those who are looked at, as in the original."""
        error = self.refusal("x", "Thing")
        self.assertEqual((error.code, error.message), (500, 'unsupported role reference kind: "Thing"'))
