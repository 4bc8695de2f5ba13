"""Access in a whole server: roles are in effect as soon as they are written, and are written under guard."""

from __future__ import annotations

from typing import Any

import orjson
from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import Attributes
from kube_twisted.controlplane.access import new_access
from kube_twisted.controlplane.stores import Stores
from kube_twisted.storage.interfaces import Create
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from tests.inprocess import CONFIG_MAPS, NAMESPACE, Answer, ClusterTestCase
from tests.schema.shared_schema import shared_schema

RBAC = "/apis/rbac.authorization.k8s.io/v1"
ROLES = f"{RBAC}/namespaces/default/roles"
BINDINGS = f"{RBAC}/namespaces/default/rolebindings"
JANE = {"impersonate_user": "jane"}
NODE = {"impersonate_user": "system:node:n1", "impersonate_group": "system:nodes"}


class AccessTestCase(ClusterTestCase):
    def grant(self, user: str, *rules: dict[str, Any], name: str = "r") -> None:
        """A Role and its binding."""
        self.ask("POST", ROLES, {"metadata": {"name": name}, "rules": list(rules)})
        self.ask("POST", BINDINGS, {"metadata": {"name": name}, "subjects": [{"kind": "User", "name": user}],
                                    "roleRef": {"kind": "Role", "name": name}})

    def as_jane(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> Answer:
        return self.send(method, path, b"" if body is None else orjson.dumps(body), content_type=content_type, **JANE)


def rule(verbs: str, resources: str, group: str = "", names: str = "") -> dict[str, Any]:
    return {"verbs": verbs.split(), "apiGroups": [group], "resources": resources.split(),
            **({"resourceNames": names.split()} if names else {})}


class RoleTests(AccessTestCase):
    def test_changes_count_at_once(self) -> None:
        """What is granted, changed and taken away shows with the next request."""
        self.assertEqual(self.as_jane("GET", CONFIG_MAPS).code, 403)
        self.grant("jane", rule("list", "configmaps"))
        self.assertEqual(self.as_jane("GET", CONFIG_MAPS).code, 200)
        self.ask("PUT", f"{ROLES}/r", {"metadata": {"name": "r"}, "rules": [rule("get", "configmaps")]})
        self.assertEqual(self.as_jane("GET", CONFIG_MAPS).code, 403)
        self.assertEqual(self.as_jane("GET", f"{CONFIG_MAPS}/none").code, 404)
        self.ask("DELETE", f"{BINDINGS}/r")
        self.assertEqual(self.as_jane("GET", f"{CONFIG_MAPS}/none").code, 403)

    def test_names_and_lists(self) -> None:
        """A list or watch of one name is as good as a get of it; deletecollection is not."""
        self.grant("jane", rule("list watch deletecollection", "configmaps", names="a"))
        one = "fieldSelector=metadata.name%3Da"
        self.assertEqual(self.as_jane("GET", f"{CONFIG_MAPS}?{one}").code, 200)
        self.watch(f"{CONFIG_MAPS}?{one}", **JANE)
        for query in ("", "fieldSelector=metadata.name%3Db", "fieldSelector=metadata.name!%3Da",
                      "fieldSelector=metadata.name%3D", "fieldSelector=metadata.name%3Da%2Fb", "fieldSelector=,%3D"):
            self.assertEqual(self.as_jane("GET", f"{CONFIG_MAPS}?{query}").code, 403, query)
        self.assertEqual(self.as_jane("DELETE", f"{CONFIG_MAPS}?{one}").code, 403)

    def test_update_that_creates(self) -> None:
        """PUT and apply of what is not there need permission to create it, and keep their own rules first."""
        leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
        lease = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "l"}}
        self.grant("jane", rule("update patch", "leases", "coordination.k8s.io"))
        for answer in (self.as_jane("PUT", f"{leases}/l", lease),
                       self.as_jane("PATCH", f"{leases}/l?fieldManager=x", lease, "application/apply-patch+yaml")):
            self.assertEqual(answer.json["message"], (
                'leases.coordination.k8s.io "l" is forbidden: User "jane" cannot create resource "leases" in API group '
                '"coordination.k8s.io" in the namespace "default"'))
        self.grant("jane", rule("create", "leases", "coordination.k8s.io"), name="more")
        self.assertEqual(self.as_jane("PUT", f"{leases}/l", lease).code, 201)

    def test_rules_review(self) -> None:
        """One's rules, from roles of the namespace and of the cluster."""
        self.grant("jane", rule("get", "pods"))
        review = self.as_jane("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                              {"spec": {"namespace": "default"}}).json
        resources = [resource for one in review["status"]["resourceRules"] for resource in one["resources"]]
        self.assertEqual(sorted(resources), ["pods", "selfsubjectaccessreviews", "selfsubjectreviews",
                                             "selfsubjectrulesreviews"])


class EscalationTests(AccessTestCase):
    GUARDED = rule("create update patch get", "roles rolebindings", "rbac.authorization.k8s.io")

    def role(self, *rules: dict[str, Any]) -> dict[str, Any]:
        return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "new"},
                "rules": list(rules)}

    def test_roles(self) -> None:
        """By no way of writing a role grants more than its writer has."""
        self.grant("jane", self.GUARDED, rule("get", "configmaps"))
        more = self.role(rule("get", "secrets"))
        self.assertEqual(self.as_jane("POST", ROLES, more).code, 403)
        self.assertEqual(self.as_jane("PUT", f"{ROLES}/new", more).code, 403)
        self.assertEqual(self.as_jane("PATCH", f"{ROLES}/new?fieldManager=x", more,
                                      "application/apply-patch+yaml").code, 403)
        self.assertEqual(self.as_jane("PUT", f"{ROLES}/new", self.role(rule("get", "configmaps"))).code, 201)
        self.assertEqual(self.as_jane("PUT", f"{ROLES}/new", more).code, 403)
        merge = "application/merge-patch+json"
        self.assertEqual(self.as_jane("PATCH", f"{ROLES}/new", {"rules": more["rules"]}, merge).code, 403)

    def test_harmless_changes(self) -> None:
        """Finalizers of a role beyond one's rights may be changed, its labels may not."""
        self.grant("jane", self.GUARDED)
        self.ask("POST", ROLES, self.role(rule("get", "secrets")))
        merge = "application/merge-patch+json"
        self.assertEqual(self.as_jane("PATCH", f"{ROLES}/new", {"metadata": {"finalizers": ["x.io/y"]}}, merge).code,
                         200)
        self.assertEqual(self.as_jane("PATCH", f"{ROLES}/new", {"metadata": {"labels": {"a": "b"}}}, merge).code, 403)

    def test_escalate_by_name(self) -> None:
        """The verb escalate on one role counts for a PUT, whose path names it, and not for a POST."""
        self.grant("jane", self.GUARDED, rule("escalate", "roles", "rbac.authorization.k8s.io", "new"))
        more = self.role(rule("get", "secrets"))
        self.assertEqual(self.as_jane("POST", ROLES, more).code, 403)
        self.assertEqual(self.as_jane("PUT", f"{ROLES}/new", more).code, 201)

    def test_bindings(self) -> None:
        """What can't be granted can't be bound; a missing role is 404."""
        self.grant("jane", self.GUARDED, rule("get", "configmaps"))

        def bind(role: str) -> int:
            return self.as_jane("POST", BINDINGS, {
                "metadata": {"generateName": "b"}, "subjects": [{"kind": "User", "name": "bob"}],
                "roleRef": {"kind": "ClusterRole", "name": role}}).code

        self.assertEqual((bind("cluster-admin"), bind("none")), (403, 404))
        self.ask("POST", f"{RBAC}/clusterroles", {"metadata": {"name": "small"}, "rules": [rule("get", "configmaps")]})
        self.assertEqual(bind("small"), 201)


class NodeTests(AccessTestCase):
    def test_secrets_of_pods(self) -> None:
        """A node reads the secrets of its pods, as long as they are there."""
        self.ask("POST", f"{NAMESPACE}/secrets", {"metadata": {"name": "s"}})
        path = f"{NAMESPACE}/secrets/s"
        self.assertEqual(self.send("GET", path, **NODE).code, 403)
        self.ask("POST", f"{NAMESPACE}/serviceaccounts", {"metadata": {"name": "default"}})
        self.ask("POST", f"{NAMESPACE}/pods", {"metadata": {"name": "p"}, "spec": {
            "nodeName": "n1", "imagePullSecrets": [{"name": "s"}], "containers": [{"name": "c", "image": "i"}]}})
        self.assertEqual(self.send("GET", path, **NODE).code, 200)
        self.assertEqual(self.send("GET", path, **{**NODE, "impersonate_user": "system:node:n2"}).code, 403)
        self.ask("DELETE", f"{NAMESPACE}/pods/p?gracePeriodSeconds=0")
        self.assertIn("no relationship found", self.send("GET", path, **NODE).json["message"])


class ImpersonationTests(AccessTestCase):
    def test_headers_without_a_user(self) -> None:
        """Groups, a uid or extra values alone are 400."""
        for headers in ({"impersonate_group": "a"}, {"impersonate_uid": "7"}, {"impersonate-extra-x": "y"}):
            self.assertEqual(self.send("GET", "/api", **headers).code, 400, headers)
        self.assertEqual(self.send("GET", "/api", impersonate_group="a").json["message"], (
            'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)} '
            "without impersonating a user name"))

    def test_extra(self) -> None:
        """Keys of extra values are unescaped, in lower case."""
        headers = {**JANE, "impersonate-extra-x.io%2fkey": "value", "content-type": "application/json"}
        who = self.send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", b"{}", **headers).json
        self.assertEqual(who["status"]["userInfo"]["extra"], {"x.io/key": ["value"]})

    def test_only_who_may(self) -> None:
        """Who acts as somebody else has his rights, and not those of the requestor."""
        self.grant("jane", rule("list", "configmaps"))
        self.assertEqual(self.send("GET", CONFIG_MAPS, **JANE).code, 200)
        self.assertEqual(self.send("GET", CONFIG_MAPS, impersonate_user="bob").code, 403)
        self.assertEqual(self.send("GET", CONFIG_MAPS, authorization="", **JANE).code, 403)


class AlwaysAllowTests(AccessTestCase):
    overrides = {"authorization.modes": ["AlwaysAllow"]}

    def test_everybody(self) -> None:
        """Everybody may do everything, also grant it."""
        self.assertEqual(self.send("GET", CONFIG_MAPS, authorization="").code, 200)
        answer = self.send("POST", ROLES, orjson.dumps({"metadata": {"name": "r"}, "rules": [rule("*", "*", "*")]}),
                           authorization="", content_type="application/json")
        self.assertEqual(answer.code, 201)


class StartTests(SynchronousTestCase):
    def test_what_is_stored(self) -> None:
        """A server that starts on a store with roles and bindings knows them."""
        clock = Clock(FakeReactor())
        storage = MemoryStore(clock)
        stores = Stores(storage, shared_schema(), clock, 3600)
        access = new_access(("RBAC",), stores)
        self.successResultOf(storage.start())
        for kind, content in (("ClusterRole", {"rules": [rule("get", "pods")]}),
                              ("ClusterRoleBinding", {"subjects": [{"kind": "User", "name": "jane"}],
                                                      "roleRef": {"kind": "ClusterRole", "name": "x"}})):
            obj = {"kind": kind, "apiVersion": "rbac.authorization.k8s.io/v1", "metadata": {"name": "x"}, **content}
            self.successResultOf(storage.transact([Create(f"/registry/{kind.lower()}s/x", orjson.dumps(obj))]))
        self.successResultOf(to_deferred(stores.start()))
        access.follow()
        decision = self.successResultOf(to_deferred(access.authorizer.authorize(
            Attributes(user=UserInfo("jane"), verb="get", resource="pods"))))
        self.assertEqual(decision.reason, 'RBAC: allowed by ClusterRoleBinding "x" of ClusterRole "x" to User "jane"')
