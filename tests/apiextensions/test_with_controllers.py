"""Custom resources and the small controllers: namespaces that are deleted, garbage, quota."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import StatusError
from tests.apiextensions.widgets import API, WIDGET_CRD, WIDGETS, CustomCase, version, widget
from tests.inprocess import CONFIG_MAPS, NAMESPACE

NAMESPACES = "/api/v1/namespaces"


def owner(found: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A reference to an object."""
    return {"apiVersion": found["apiVersion"], "kind": found["kind"], "name": found["metadata"]["name"],
            "uid": found["metadata"]["uid"], **more}


class NamespaceTests(CustomCase):
    overrides = {"controllers": ["namespace"]}

    def setUp(self) -> None:
        super().setUp()
        self.define(version(), version("v2", storage=False))
        self.ask("POST", NAMESPACES, {"metadata": {"name": "x"}})
        self.path = f"{API}/v1/namespaces/x/widgets"

    def test_content(self) -> None:
        """Custom objects go with their namespace; those elsewhere stay."""
        self.ask("POST", self.path, widget())
        self.widget()
        self.ask("DELETE", f"{NAMESPACES}/x")
        self.cluster.run(3)
        self.assertTrue(self.missing(f"{NAMESPACES}/x"))
        self.assertEqual([one["metadata"]["namespace"] for one in self.ask("GET", f"{API}/v1/widgets")["items"]],
                         ["default"])

    def test_finalizer(self) -> None:
        """A finalizer of a custom object holds its namespace, which names the resource."""
        self.ask("POST", self.path, widget(metadata={"finalizers": ["example.com/hold"]}))
        self.ask("DELETE", f"{NAMESPACES}/x")
        self.cluster.run(3)
        told = {one["type"]: one["message"] for one in self.ask("GET", f"{NAMESPACES}/x")["status"]["conditions"]}
        self.assertEqual(told["NamespaceContentRemaining"],
                         "Some resources are remaining: widgets.example.com has 1 resource instances")
        error = self.refused("POST", self.path, widget("b"))
        self.assertIn("because it is being terminated", error.message)
        self.merge(f"{self.path}/a", {"metadata": {"finalizers": None}})
        self.cluster.run(30)
        self.assertTrue(self.missing(f"{NAMESPACES}/x"))

    def test_with_its_definition(self) -> None:
        """Namespace and definition may be deleted at the same time."""
        self.ask("POST", self.path, widget())
        self.ask("DELETE", f"{NAMESPACES}/x")
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(10)
        self.assertTrue(self.missing(f"{NAMESPACES}/x"))
        self.assertTrue(self.missing(WIDGET_CRD))

    def test_definition_held(self) -> None:
        """A namespace goes though the definition of what was in it is held by an object elsewhere."""
        self.ask("POST", self.path, widget())
        self.widget(metadata={"finalizers": ["example.com/hold"]})
        self.ask("DELETE", WIDGET_CRD)
        self.ask("DELETE", f"{NAMESPACES}/x")
        self.cluster.run(5)
        self.assertTrue(self.missing(f"{NAMESPACES}/x"))
        self.assertFalse(self.missing(WIDGET_CRD))


class GarbageTests(CustomCase):
    overrides = {"controllers": ["garbagecollector"]}

    def setUp(self) -> None:
        super().setUp()
        self.cluster.run(0.1)
        self.define(version("v2", storage=False), version())
        self.cluster.run(2)

    def test_owners(self) -> None:
        """Dependents of custom objects go with them, custom or not, whichever version a reference names."""
        top = self.widget("top")
        self.config_map("map", ownerReferences=[owner(top)])
        self.widget("child", metadata={"ownerReferences": [{**owner(top), "apiVersion": "example.com/v2"}]})
        self.widget("other")
        self.ask("DELETE", f"{WIDGETS}/top", {"propagationPolicy": "Background"})
        self.cluster.run(1)
        self.assertEqual([one["metadata"]["name"] for one in self.ask("GET", WIDGETS)["items"]], ["other"])
        self.assertTrue(self.missing(f"{CONFIG_MAPS}/map"))

    def test_builtin_owner(self) -> None:
        """Custom dependents go with a built-in owner."""
        self.widget("child", metadata={"ownerReferences": [owner(self.config_map("top"))]})
        self.ask("DELETE", f"{CONFIG_MAPS}/top")
        self.cluster.run(1)
        self.assertTrue(self.missing(f"{WIDGETS}/child"))

    def test_foreground(self) -> None:
        """In the foreground an owner waits for its dependents."""
        top = self.widget("top")
        self.widget("child", metadata={"ownerReferences": [owner(top, blockOwnerDeletion=True)],
                                       "finalizers": ["example.com/hold"]})
        self.ask("DELETE", f"{WIDGETS}/top", {"propagationPolicy": "Foreground"})
        self.cluster.run(1)
        self.assertEqual(self.ask("GET", f"{WIDGETS}/top")["metadata"]["finalizers"], ["foregroundDeletion"])
        self.merge(f"{WIDGETS}/child", {"metadata": {"finalizers": None}})
        self.cluster.run(1)
        self.assertEqual(self.ask("GET", WIDGETS)["items"], [])

    def test_orphans(self) -> None:
        """Orphans stay, without the reference."""
        self.widget("child", metadata={"ownerReferences": [owner(self.widget("top"))]})
        self.ask("DELETE", f"{WIDGETS}/top", {"propagationPolicy": "Orphan"})
        self.cluster.run(1)
        self.assertTrue(self.missing(f"{WIDGETS}/top"))
        self.assertNotIn("ownerReferences", self.ask("GET", f"{WIDGETS}/child")["metadata"])

    def test_definition_gone(self) -> None:
        """Dependents of objects that went with their definition go too."""
        self.config_map("map", ownerReferences=[owner(self.widget("top"))])
        self.cluster.run(1)
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(10)
        self.assertTrue(self.missing(f"{CONFIG_MAPS}/map"))

    def test_other_kind(self) -> None:
        """A resource that comes back at once as another kind, of the cluster, is followed as that."""
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(0.6)
        self.define(kind="Wonder", scope="Cluster")
        self.cluster.run(3)
        top = self.ask("POST", f"{API}/v1/widgets", {"apiVersion": "example.com/v1", "kind": "Wonder",
                                                     "metadata": {"name": "top"}})
        self.config_map("map", ownerReferences=[owner(top)])
        self.cluster.run(1)
        self.assertFalse(self.missing(f"{CONFIG_MAPS}/map"))
        self.ask("DELETE", f"{API}/v1/widgets/top")
        self.cluster.run(1)
        self.assertTrue(self.missing(f"{CONFIG_MAPS}/map"))


class QuotaTests(CustomCase):
    def setUp(self) -> None:
        super().setUp()
        self.define()
        hard = {"count/widgets.example.com": "2"}
        quota = self.ask("POST", f"{NAMESPACE}/resourcequotas", {"metadata": {"name": "q"}, "spec": {"hard": hard}})
        self.ask("PUT", f"{NAMESPACE}/resourcequotas/q/status", {
            **quota, "status": {"hard": hard, "used": dict.fromkeys(hard, "0")}})

    def used(self) -> str:
        used: dict[str, str] = self.ask("GET", f"{NAMESPACE}/resourcequotas/q")["status"]["used"]
        return used["count/widgets.example.com"]

    def test_count(self) -> None:
        """Custom objects are counted, in any version, and one too many is refused; changes cost nothing."""
        self.widget("a")
        self.merge(f"{WIDGETS}/a", {"spec": {"size": 2}})
        self.ask("POST", f"{WIDGETS}?dryRun=All", widget("c"))
        self.assertEqual(self.used(), "1")
        self.widget("b")
        error = self.refused("POST", WIDGETS, widget("c"))
        self.assertEqual((error.code, error.message), (
            403, 'widgets.example.com "c" is forbidden: exceeded quota: q, requested: count/widgets.example.com=1, '
                 "used: count/widgets.example.com=2, limited: count/widgets.example.com=2"))
        self.assertRaises(StatusError, self.ask, "PATCH", f"{WIDGETS}/d?fieldManager=m", widget("d"),
                          "application/apply-patch+yaml")
        self.assertEqual(len(self.ask("GET", WIDGETS)["items"]), 2)
