"""The scale subresource."""

from __future__ import annotations

import json
from typing import Any

from tests.inprocess import ClusterTestCase

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"


class ScaleTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        labels = {"app": "web", "tier": "front"}
        self.ask("POST", DEPLOYMENTS, {"metadata": {"name": "d"}, "spec": {
            "replicas": 2, "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})
        self.path = f"{DEPLOYMENTS}/d/scale"

    def put(self, replicas: Any, **metadata: Any) -> dict[str, Any]:
        return self.ask("PUT", self.path, {"metadata": {"name": "d", **metadata}, "spec": {"replicas": replicas}})

    def test_get(self) -> None:
        """A Scale with the workload's name, version, replicas and selector."""
        self.merge(f"{DEPLOYMENTS}/d/status", {"status": {"replicas": 1}})
        scale, deployment = self.ask("GET", self.path), self.ask("GET", f"{DEPLOYMENTS}/d")
        self.assertEqual((scale["kind"], scale["apiVersion"]), ("Scale", "autoscaling/v1"))
        self.assertEqual(scale["spec"], {"replicas": 2})
        self.assertEqual(scale["status"], {"replicas": 1, "selector": "app=web,tier=front"})
        self.assertEqual(scale["metadata"]["resourceVersion"], deployment["metadata"]["resourceVersion"])

    def test_put(self) -> None:
        """The replicas change, the generation rises, and nothing else changes."""
        before = self.ask("GET", f"{DEPLOYMENTS}/d")
        self.assertEqual(self.put(5)["spec"], {"replicas": 5})
        after = self.ask("GET", f"{DEPLOYMENTS}/d")
        self.assertEqual((after["spec"]["replicas"], after["metadata"]["generation"]), (5, 2))
        self.assertEqual({**after["spec"], "replicas": 2}, before["spec"])

    def test_zero(self) -> None:
        """No replicas is a number of replicas."""
        self.assertEqual(self.put(0)["spec"], {})
        self.assertEqual(self.ask("GET", f"{DEPLOYMENTS}/d")["spec"]["replicas"], 0)

    def test_patch(self) -> None:
        """A merge patch of the scale."""
        self.assertEqual(self.merge(self.path, {"spec": {"replicas": 7}})["spec"], {"replicas": 7})

    def test_conflict(self) -> None:
        """The version of a Scale is a precondition."""
        version = self.ask("GET", self.path)["metadata"]["resourceVersion"]
        self.put(3, resourceVersion=version)
        error = self.refused("PUT", self.path, {"metadata": {"name": "d", "resourceVersion": version},
                                                "spec": {"replicas": 4}})
        self.assertEqual(error.code, 409)

    def test_other_uid(self) -> None:
        """A patch can't make it the Scale of another object."""
        error = self.refused("PATCH", self.path, {"metadata": {"uid": "x"}},
                             content_type="application/merge-patch+json")
        self.assertEqual((error.code, error.details["kind"]), (409, "deployments/scale"))
        self.assertIn("Precondition failed: UID in precondition: x", error.message)

    def test_metadata(self) -> None:
        """Who asks for metadata gets the Scale's, which is less than the workload's."""
        self.merge(f"{DEPLOYMENTS}/d", {"metadata": {"labels": {"a": "b"}}})
        accept = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
        metadata = json.loads(self.send("GET", self.path, accept=accept).body)["metadata"]
        self.assertEqual(sorted(metadata), ["creationTimestamp", "name", "namespace", "resourceVersion", "uid"])

    def test_negative(self) -> None:
        """Fewer than none is refused, as a Scale."""
        error = self.refused("PUT", self.path, {"metadata": {"name": "d"}, "spec": {"replicas": -1}})
        self.assertEqual((error.code, error.details["kind"], error.details["causes"][0]["field"]),
                         (422, "Scale", "spec.replicas"))

    def test_owner(self) -> None:
        """Who scales owns the replicas of the workload."""
        self.ask("PUT", f"{self.path}?fieldManager=scaler", {"metadata": {"name": "d"}, "spec": {"replicas": 9}})
        owners = [one for one in self.ask("GET", f"{DEPLOYMENTS}/d")["metadata"]["managedFields"]
                  if "f:replicas" in one["fieldsV1"].get("f:spec", {})]
        self.assertEqual([(one["manager"], one["subresource"]) for one in owners], [("scaler", "scale")])

    def test_missing(self) -> None:
        """What isn't there can't be scaled."""
        self.assertEqual(self.refused("GET", f"{DEPLOYMENTS}/x/scale").code, 404)

    def test_odd_bodies(self) -> None:
        """A Scale without spec means none, one without a name is refused."""
        self.assertEqual(self.ask("PUT", self.path, {"metadata": {"name": "d"}})["spec"], {})
        self.assertEqual(self.refused("PUT", self.path, {"spec": {"replicas": 1}}).code, 400)
        self.assertEqual(self.refused("PUT", self.path, {"metadata": {"name": "d"}, "spec": []}).code, 400)
