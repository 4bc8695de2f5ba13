"""zalando/kopf PR 313: a status that was sent to the main URL vanished. With a status endpoint, it must."""

from __future__ import annotations

from tests.apiextensions.widgets import API, WIDGETS, CustomCase, version
from tests.inprocess import ClusterTestCase

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"


class StatusEndpointTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        labels = {"app": "web"}
        self.ask("POST", DEPLOYMENTS, {"metadata": {"name": "web"}, "status": {"replicas": 7}, "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})
        self.path = f"{DEPLOYMENTS}/web"

    def test_main_writes_drop_the_status(self) -> None:
        """Neither create, update nor patch of the main endpoint writes the status."""
        self.assertEqual(self.ask("GET", self.path)["status"], {})
        self.assertEqual(self.merge(self.path, {"status": {"replicas": 7}})["status"], {})
        obj = self.ask("GET", self.path)
        self.assertEqual(self.ask("PUT", self.path, {**obj, "status": {"replicas": 7}})["status"], {})

    def test_status_writes_drop_the_rest(self) -> None:
        """The status endpoint writes the status, and nothing of the spec."""
        changed = self.merge(f"{self.path}/status", {"status": {"replicas": 7}, "spec": {"replicas": 9}})
        self.assertEqual((changed["status"]["replicas"], changed["spec"]["replicas"]), (7, 1))
        self.assertEqual(changed["metadata"]["generation"], 1)

    def test_discovery(self) -> None:
        """Discovery lists the endpoint, so that clients know."""
        listed = {one["name"]: one["verbs"] for one in self.ask("GET", "/apis/apps/v1")["resources"]}
        self.assertEqual(listed["deployments/status"], ["get", "patch", "update"])
        self.assertNotIn("controllerrevisions/status", listed)


class CustomStatusTests(CustomCase):
    """The same of a custom kind whose definition asks for a status endpoint; ``v1`` has one, ``v2`` hasn't."""

    def setUp(self) -> None:
        super().setUp()
        self.define(version("v1", subresources={"status": {}}), version("v2", storage=False))
        self.widget("a", spec={"size": 1}, status={"phase": "Lost"})
        self.path = f"{WIDGETS}/a"

    def test_main_writes_drop_the_status(self) -> None:
        """Neither create, update, patch nor apply of the main endpoint writes the status."""
        found = self.ask("GET", self.path)
        self.assertNotIn("status", found)
        lost = {"status": {"phase": "Lost"}}
        applied = {"apiVersion": "example.com/v1", "kind": "Widget", **lost}
        self.assertNotIn("status", self.merge(self.path, lost))
        self.assertNotIn("status", self.ask("PUT", self.path, {**found, **lost}))
        self.assertNotIn("status", self.ask("PATCH", f"{self.path}?fieldManager=m", applied,
                                            "application/apply-patch+yaml"))
        self.assertEqual(self.ask("GET", self.path)["metadata"]["generation"], 1)

    def test_main_writes_keep_the_status(self) -> None:
        """Nor does an update without status remove it."""
        self.merge(f"{self.path}/status", {"status": {"phase": "Ready"}})
        found = self.ask("GET", self.path)
        del found["status"]
        changed = self.ask("PUT", self.path, {**found, "spec": {"size": 2}})
        self.assertEqual((changed["status"], changed["metadata"]["generation"]), ({"phase": "Ready"}, 2))
        self.assertEqual(self.merge(self.path, {"status": None})["status"], {"phase": "Ready"})

    def test_status_writes_drop_the_rest(self) -> None:
        """The status endpoint writes the status, and nothing of spec and metadata."""
        sent = {"status": {"phase": "Ready"}, "spec": {"size": 9}, "metadata": {"labels": {"a": "b"}}}
        changed = self.merge(f"{self.path}/status", sent)
        self.assertEqual((changed["status"], changed["spec"]), ({"phase": "Ready"}, {"size": 1}))
        self.assertNotIn("labels", changed["metadata"])
        self.assertEqual(changed["metadata"]["generation"], 1)
        again = self.ask("PUT", f"{self.path}/status", {**changed, "status": {"phase": "Gone"}, "spec": {}})
        self.assertEqual((again["status"], again["spec"]), ({"phase": "Gone"}, {"size": 1}))

    def test_without(self) -> None:
        """A version without that endpoint has a status like any field, which the main endpoint writes."""
        changed = self.merge(self.path.replace("/v1/", "/v2/"), {"status": {"phase": "Found"}})
        self.assertEqual((changed["status"], changed["metadata"]["generation"]), ({"phase": "Found"}, 2))
        self.assertTrue(self.missing(self.path.replace("/v1/", "/v2/") + "/status"))

    def test_discovery(self) -> None:
        """Discovery lists the endpoint where it is."""
        listed = [[one["name"] for one in self.ask("GET", f"{API}/{version}")["resources"]] for version in ("v1", "v2")]
        self.assertEqual(listed, [["widgets", "widgets/status"], ["widgets"]])
