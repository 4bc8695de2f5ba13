"""PATCH whose outcome names another version of the kind, or can't become what is stored."""

from __future__ import annotations

from typing import Any

import orjson

from tests.inprocess import NAMESPACE, ClusterTestCase

JSON_PATCH = "application/json-patch+json"
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
APPLY = "application/apply-patch+yaml"
SCALERS = "/apis/autoscaling/%s/namespaces/default/horizontalpodautoscalers"
EVENTS = f"{NAMESPACE}/events"
NEW_EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events"
MEMORY = {"type": "Resource", "resource": {"name": "memory", "target": {"type": "Utilization",
                                                                        "averageUtilization": 60}}}


class AutoscalerTests(ClusterTestCase):
    """Autoscalers, which have two versions."""

    def setUp(self) -> None:
        super().setUp()
        self.ask("POST", SCALERS % "v2", {"metadata": {"name": "a"}, "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}, "maxReplicas": 3,
            "metrics": [MEMORY]}})
        self.old, self.new = SCALERS % "v1" + "/a", SCALERS % "v2" + "/a"

    def test_newer(self) -> None:
        """At v1 an object is read as the v2 that the patch makes it, and answered as v1."""
        change = {"apiVersion": "autoscaling/v2", "spec": {"maxReplicas": 5, "metrics": [
            {**MEMORY, "resource": {**MEMORY["resource"], "name": "cpu"}}]}}
        changed = self.ask("PATCH", self.old, change, MERGE)
        self.assertEqual((changed["apiVersion"], changed["spec"]["maxReplicas"],
                          changed["spec"]["targetCPUUtilizationPercentage"]), ("autoscaling/v1", 5, 60))
        self.assertEqual([one["resource"]["name"] for one in self.ask("GET", self.new)["spec"]["metrics"]], ["cpu"])

    def test_older(self) -> None:
        """At v2 what v1 does not have is unknown, and gone."""
        change = [{"op": "replace", "path": "/apiVersion", "value": "autoscaling/v1"},
                  {"op": "add", "path": "/spec/targetCPUUtilizationPercentage", "value": 40}]
        answer = self.send("PATCH", self.new, orjson.dumps(change), content_type=JSON_PATCH)
        self.assertEqual((answer.code, answer.json["apiVersion"]), (200, "autoscaling/v2"))
        self.assertIn('unknown field "spec.metrics"', str(answer.warnings))
        [metric] = answer.json["spec"]["metrics"]
        self.assertEqual((metric["resource"]["name"], metric["resource"]["target"]["averageUtilization"]), ("cpu", 40))

    def test_strict(self) -> None:
        """Strictly, they are refused."""
        error = self.refused("PATCH", f"{self.new}?fieldValidation=Strict", {"apiVersion": "autoscaling/v1"}, MERGE)
        self.assertEqual(error.code, 422)
        self.assertIn('strict decoding error: unknown field "spec.metrics"', error.message)

    def test_status(self) -> None:
        """The same at the status."""
        change = {"apiVersion": "autoscaling/v1", "status": {"currentReplicas": 2, "desiredReplicas": 2}}
        changed = self.ask("PATCH", f"{self.new}/status", change, MERGE)
        self.assertEqual((changed["apiVersion"], changed["status"]["currentReplicas"]), ("autoscaling/v2", 2))
        self.assertEqual(changed["spec"]["metrics"], [MEMORY])

    def test_owner(self) -> None:
        """What the patch changed belongs to its manager, in the version of the request."""
        changed = self.ask("PATCH", f"{self.old}?fieldManager=m", {
            "apiVersion": "autoscaling/v2", "spec": {"maxReplicas": 5}}, MERGE)
        [entry] = [one for one in changed["metadata"]["managedFields"] if one["manager"] == "m"]
        self.assertEqual(entry["apiVersion"], "autoscaling/v1")
        self.assertIn("f:maxReplicas", entry["fieldsV1"]["f:spec"])

    def test_no_relative(self) -> None:
        """Another kind, or a version that there is not, stays refused."""
        for change, why in (({"apiVersion": "apps/v1"}, "is registered for version"),
                            ({"apiVersion": "v1", "kind": "Pod"}, "unknown conversion")):
            error = self.refused("PATCH", self.new, change, MERGE)
            self.assertEqual(error.code, 422)
            self.assertIn(why, error.message)


class EventTests(ClusterTestCase):
    """Events, which are the same in two groups."""

    def setUp(self) -> None:
        super().setUp()
        self.ask("POST", EVENTS, {"metadata": {"name": "e"}, "reason": "Why", "message": "it is so",
                                  "involvedObject": {"kind": "Pod", "name": "p", "namespace": "default"}})

    def test_from_core(self) -> None:
        """What the other group calls by the other names is read by them."""
        change = {"apiVersion": "events.k8s.io/v1", "note": "it is not",
                  "regarding": {"kind": "Pod", "name": "q", "namespace": "default"}}
        changed = self.ask("PATCH", f"{EVENTS}/e", change, MERGE)
        self.assertEqual((changed["apiVersion"], changed["message"], changed["involvedObject"]["name"],
                          changed["reason"]), ("v1", "it is not", "q", "Why"))

    def test_from_the_other(self) -> None:
        """The same at the other endpoint, whose own rules are those of the update."""
        error = self.refused("PATCH", f"{NEW_EVENTS}/e", {"apiVersion": "v1", "message": "it is not"}, MERGE)
        self.assertEqual(error.code, 422)
        self.assertIn("involvedObject", error.message)
        self.assertNotIn("unknown conversion", error.message)


class NumberTests(ClusterTestCase):
    """Annotations that hold what the stored kind has as a number."""

    def setUp(self) -> None:
        super().setUp()
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        for resource in ("deployments", "daemonsets"):
            self.ask("POST", self.path(resource), {"metadata": {"name": "x"}, "spec": {
                "selector": {"matchLabels": {"a": "b"}}, "template": template}})

    def path(self, resource: str) -> str:
        return f"/apis/apps/v1/namespaces/default/{resource}"

    def rows(self) -> tuple[tuple[str, str, str], ...]:
        rollback = "deprecated.deployment.rollback.revision"
        return (("deployments", rollback, f"failed to parse annotation[{rollback}]=z as int64: "),
                ("daemonsets", "deprecated.daemonset.template.generation", ""))

    def test_patched(self) -> None:
        """What a patch makes of the object is no object of the kind: 422, before unknown fields are judged."""
        for resource, name, why in self.rows():
            change: Any = {"metadata": {"annotations": {name: "z"}}, "nope": 1}
            error = self.refused("PATCH", f"{self.path(resource)}/x?fieldValidation=Strict", change, MERGE)
            self.assertEqual((error.code, error.reason), (422, "Invalid"))
            self.assertTrue(error.message.startswith(' "" is invalid: patch: Invalid value: "{'), error.message)
            self.assertTrue(error.message.endswith(f'": {why}strconv.ParseInt: parsing "z": invalid syntax'),
                            error.message)
            change = [{"op": "add", "path": "/metadata/annotations", "value": {name: "z"}}]
            self.assertEqual(self.refused("PATCH", f"{self.path(resource)}/x", change, JSON_PATCH).code, 422)

    def test_merged(self) -> None:
        """A strategic merge fails later: 500, with the bare reason; so does an apply."""
        for resource, name, why in self.rows():
            change = {"metadata": {"annotations": {name: "z"}}}
            error = self.refused("PATCH", f"{self.path(resource)}/x", change, STRATEGIC)
            self.assertEqual((error.code, error.message),
                             (500, f'{why}strconv.ParseInt: parsing "z": invalid syntax'))
            kind = {"deployments": "Deployment", "daemonsets": "DaemonSet"}[resource]
            applied = {"apiVersion": "apps/v1", "kind": kind, "metadata": {
                "name": "x", "namespace": "default", **change["metadata"]}}
            error = self.refused("PATCH", f"{self.path(resource)}/x?fieldManager=m&force=true", applied, APPLY)
            self.assertEqual((error.code, error.message), (
                500, f"failed to convert to unversioned (default/x; apps/v1, Kind={kind}): "
                     f'{why}strconv.ParseInt: parsing "z": invalid syntax'))

    def test_sent(self) -> None:
        """Sent as a whole it is 400."""
        for resource, name, why in self.rows():
            obj = self.ask("GET", f"{self.path(resource)}/x")
            obj["metadata"]["annotations"] = {name: "z"}
            error = self.refused("PUT", f"{self.path(resource)}/x", obj)
            self.assertEqual(error.code, 400)
            self.assertTrue(error.message.endswith(f': {why}strconv.ParseInt: parsing "z": invalid syntax'))


class OtherKindTests(ClusterTestCase):
    """An outcome of a kind that is not known."""

    def test_scheme(self) -> None:
        """The refusal names what knows the kinds of the group."""
        services = "/apis/apiregistration.k8s.io/v1/apiservices"
        spec = {"group": "a.example.com", "version": "v1", "groupPriorityMinimum": 1, "versionPriority": 1}
        self.ask("POST", services, {"metadata": {"name": "v1.a.example.com"}, "spec": spec})
        self.ask("POST", f"{NAMESPACE}/configmaps", {"metadata": {"name": "c"}})
        for path, scheme in (
                (f"{services}/v1.a.example.com", "k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:28"),
                (f"{NAMESPACE}/configmaps/c", "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30")):
            error = self.refused("PATCH", path, {"kind": "Other"}, MERGE)
            self.assertTrue(error.message.endswith(f'in scheme "{scheme}"'), error.message)
