"""The default roles and bindings: made at the first start, completed at later ones."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.bootstrap.rbac_policy import AUTO_UPDATE, DefaultPolicy
from kube_twisted.controlplane.bootstrap.rbac_roles import DefaultRoles, reconcile
from tests.inprocess import ClusterTestCase

RBAC = "/apis/rbac.authorization.k8s.io/v1"
VIEWER = f"{RBAC}/clusterroles/system:public-info-viewer"
BINDING = f"{RBAC}/clusterrolebindings/system:public-info-viewer"

Obj = dict[str, Any]


class DefaultPolicyTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.objects = {(one.resource, one.namespace, one.name): one.obj for one in DefaultPolicy().objects()}

    def test_bound_roles_are_there(self) -> None:
        """Every binding names a role of the table."""
        for (resource, namespace, name), obj in self.objects.items():
            if "roleRef" in obj:
                wanted = resource.replace("bindings", "s"), namespace, obj["roleRef"]["name"]
                self.assertIn(wanted, self.objects, name)

    def test_marks(self) -> None:
        """All are marked as the server's own."""
        for obj in self.objects.values():
            self.assertEqual(obj["metadata"]["annotations"], {AUTO_UPDATE: "true"})
            self.assertEqual(obj["metadata"]["labels"]["kubernetes.io/bootstrapping"], "rbac-defaults")

    def test_aggregated(self) -> None:
        """admin, edit and view gather what carries their label, and have no rules of their own."""
        edit = self.objects["clusterroles", "", "edit"]
        self.assertEqual((edit["rules"], edit["aggregationRule"]), (None, {"clusterRoleSelectors": [
            {"matchLabels": {"rbac.authorization.k8s.io/aggregate-to-edit": "true"}}]}))
        self.assertIn("rbac.authorization.k8s.io/aggregate-to-admin", edit["metadata"]["labels"])

    def test_controllers(self) -> None:
        """A controller has a role, and a binding for the account of its name."""
        name = "system:controller:job-controller"
        self.assertEqual(self.objects["clusterrolebindings", "", name]["subjects"],
                         [{"kind": "ServiceAccount", "name": "job-controller", "namespace": "kube-system"}])
        self.assertIn(("clusterroles", "", name), self.objects)


class ReconcileTests(SynchronousTestCase):
    """One object, as it was found."""

    def setUp(self) -> None:
        objects = {(one.resource, one.name): one.obj for one in DefaultPolicy().objects()}
        self.role = objects["clusterroles", "system:basic-user"]
        self.gathering = objects["clusterroles", "view"]
        self.binding = objects["clusterrolebindings", "system:public-info-viewer"]

    def reconciled(self, wanted: Obj, **changes: Any) -> Obj | None:
        """The object made of one that differs by ``changes``; None when it stays as it is."""
        found = {**deepcopy(wanted), **changes}
        return found if reconcile(found, wanted) else None

    def test_complete(self) -> None:
        """What lacks nothing is left alone, whatever else it has."""
        more = {"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}
        extra = {"kind": "User", "name": "jane"}
        for wanted, changes in ((self.role, {}), (self.role, {"rules": [more, *self.role["rules"]]}),
                                (self.role, {"rules": [{**more, "verbs": ["*"], "apiGroups": ["*"],
                                                        "resources": ["*"]}]}),
                                (self.gathering, {"rules": [more]}),
                                (self.binding, {"subjects": [extra, *self.binding["subjects"]]})):
            self.assertIsNone(self.reconciled(wanted, **changes), changes)

    def test_rules(self) -> None:
        """The missing parts of rules are added."""
        first, second = self.role["rules"]
        changed = self.reconciled(self.role, rules=[first])
        assert changed is not None
        self.assertEqual(changed["rules"], [first, second])
        changed = self.reconciled(self.role, rules=None)
        assert changed is not None
        self.assertEqual(len(changed["rules"]), 3)

    def test_marks(self) -> None:
        """Missing labels and annotations are added; other values stay."""
        changed = self.reconciled(self.role, metadata={"name": "x", "labels": {"a": "b"}})
        assert changed is not None
        self.assertEqual(changed["metadata"]["labels"], {"a": "b", **self.role["metadata"]["labels"]})
        self.assertEqual(changed["metadata"]["annotations"], {AUTO_UPDATE: "true"})

    def test_subjects(self) -> None:
        """Missing subjects are added."""
        first, second = self.binding["subjects"]
        changed = self.reconciled(self.binding, subjects=[second])
        assert changed is not None
        self.assertEqual(changed["subjects"], [second, first])

    def test_aggregation(self) -> None:
        """A role gathers what it should; one that should not stops it."""
        changed = self.reconciled(self.gathering, aggregationRule={"clusterRoleSelectors": []})
        assert changed is not None
        self.assertEqual(changed["aggregationRule"], self.gathering["aggregationRule"])
        changed = self.reconciled(self.role, aggregationRule={"clusterRoleSelectors": [{}]})
        assert changed is not None
        self.assertNotIn("aggregationRule", changed)


class RunningTests(ClusterTestCase):
    def again(self) -> None:
        """What the next start does."""
        server = self.cluster.server
        self.cluster.result(DefaultRoles(server.client, server.stores, DefaultPolicy()).ensure())

    def test_nothing_to_do(self) -> None:
        """When everything is there, nothing is written."""
        before = self.revision()
        self.again()
        self.assertEqual(self.revision(), before)

    def test_owner(self) -> None:
        """The fields are the server's, as in the original."""
        entry, = self.ask("GET", VIEWER)["metadata"]["managedFields"]
        self.assertEqual((entry["manager"], entry["operation"]), ("kube-apiserver", "Update"))

    def test_restored(self) -> None:
        """What was taken away, or deleted, is given back."""
        role = self.ask("GET", VIEWER)
        self.ask("PUT", VIEWER, {**role, "rules": []})
        self.ask("DELETE", BINDING)
        self.again()
        self.assertEqual(self.ask("GET", VIEWER)["rules"][0]["nonResourceURLs"], ["/healthz"])
        self.assertEqual(len(self.ask("GET", BINDING)["subjects"]), 2)

    def test_opted_out(self) -> None:
        """With the annotation "false" an object is left as it is."""
        role = self.ask("GET", VIEWER)
        role["metadata"]["annotations"] = {AUTO_UPDATE: "false"}
        self.ask("PUT", VIEWER, {**role, "rules": []})
        self.again()
        self.assertIsNone(self.ask("GET", VIEWER)["rules"])

    def test_another_role(self) -> None:
        """A binding of another role is made anew, since its role can't be changed."""
        old = self.ask("GET", BINDING)
        self.ask("DELETE", BINDING)
        self.ask("POST", f"{RBAC}/clusterrolebindings", {
            "metadata": {"name": "system:public-info-viewer"}, "roleRef": {"kind": "ClusterRole", "name": "x"}})
        self.again()
        new = self.ask("GET", BINDING)
        self.assertEqual((new["roleRef"], new["subjects"]), (old["roleRef"], old["subjects"]))

    def test_failure(self) -> None:
        """An error that does not go away by trying again is told."""
        server = self.cluster.server
        self.ask("DELETE", BINDING)
        failing = server.client.named("x")

        async def refuse(*_: Any, **__: Any) -> Obj:
            raise StatusError(500, "", "no")

        self.patch(failing, "call", refuse)
        work = DefaultRoles(failing, server.stores, DefaultPolicy()).ensure()
        self.assertRaises(StatusError, self.cluster.result, work)
