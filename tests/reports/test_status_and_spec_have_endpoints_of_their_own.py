"""zalando/kopf PR 313: a status that was sent to the main URL vanished. With a status endpoint, it must."""

from __future__ import annotations

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
