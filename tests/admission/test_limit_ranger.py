"""LimitRanger: defaults and bounds."""

from __future__ import annotations

from typing import Any

from kube_twisted.admission.plugins import LimitRanger
from tests.admission.world import AdmissionTestCase, Obj, container, pod


def needs(name: str = "a", requests: Obj | None = None, limits: Obj | None = None) -> Obj:
    resources = {key: value for key, value in (("requests", requests), ("limits", limits)) if value}
    return container(name, resources=resources)


class LimitRangerTests(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.plugin = LimitRanger(self.world)

    def limit(self, kind: str = "Container", **bounds: Any) -> None:
        self.world.add("", "limitranges", {"metadata": {"name": "l", "namespace": "ns"},
                                           "spec": {"limits": [{"type": kind, **bounds}]}})

    def problem(self, obj: Obj, resource: str = "pods") -> str:
        return self.refusal(self.plugin.validate, self.write(obj, resource)).message.partition("forbidden: ")[2]

    def test_defaults(self) -> None:
        """Containers get what they don't set, and an annotation says so."""
        self.limit(default={"cpu": "500m", "memory": "1Gi"}, defaultRequest={"cpu": "100m"})
        obj = pod(containers=[needs("a"), needs("b", limits={"cpu": "1"})], initContainers=[needs("i")])
        obj = self.admit(self.plugin, self.write(obj))
        first, second = (one["resources"] for one in obj["spec"]["containers"])
        self.assertEqual(first, {"requests": {"cpu": "100m"}, "limits": {"cpu": "500m", "memory": "1Gi"}})
        self.assertEqual(second, {"requests": {"cpu": "100m"}, "limits": {"cpu": "1", "memory": "1Gi"}})
        self.assertEqual(
            obj["metadata"]["annotations"]["kubernetes.io/limit-ranger"],
            "LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a; cpu request for "
            "container b; memory limit for container b; cpu request for init container i; cpu, memory limit for init "
            "container i")

    def test_nothing_to_default(self) -> None:
        """Without defaults a pod stays as it is."""
        self.limit(max={"cpu": "1"})
        self.assertNotIn("annotations", self.admit(self.plugin, self.write(pod()))["metadata"])

    def test_bounds_of_containers(self) -> None:
        """Minimum, maximum and ratio are checked against requests and limits, with the original's wording."""
        cases: list[tuple[Obj, Obj, str]] = [
            ({"min": {"cpu": "50m"}}, needs(), "minimum cpu usage per Container is 50m.  No request is specified"),
            ({"min": {"cpu": "50m"}}, needs("a", {"cpu": "10m"}),
             "minimum cpu usage per Container is 50m, but request is 10m"),
            ({"min": {"cpu": "50m"}}, needs("a", {"cpu": "50m"}, {"cpu": "20m"}),
             "minimum cpu usage per Container is 50m, but limit is 20m"),
            ({"max": {"cpu": "1"}}, needs(), "maximum cpu usage per Container is 1.  No limit is specified"),
            ({"max": {"cpu": "1"}}, needs("a", {}, {"cpu": "2"}),
             "maximum cpu usage per Container is 1, but limit is 2"),
            ({"max": {"cpu": "1"}}, needs("a", {"cpu": "3"}, {"cpu": "1"}),
             "maximum cpu usage per Container is 1, but request is 3"),
            ({"maxLimitRequestRatio": {"cpu": "1500m"}}, needs("a", {"cpu": "500m"}, {"cpu": "1"}),
             "cpu max limit to request ratio per Container is 1500m, but provided ratio is 2.000000"),
            ({"maxLimitRequestRatio": {"cpu": "2"}}, needs("a", {}, {"cpu": "1"}),
             "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0"),
            ({"maxLimitRequestRatio": {"cpu": "2"}}, needs("a", {"cpu": "1"}),
             "cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0"),
        ]
        for bounds, bad, problem in cases:
            with self.subTest(problem):
                self.limit(**bounds)
                self.assertEqual(self.problem(pod(containers=[bad])), problem)

    def test_several_problems(self) -> None:
        """Several problems are listed in brackets, each once."""
        self.limit(max={"cpu": "1", "memory": "1Gi"})
        bad = needs("a", {}, {"cpu": "2", "memory": "2Gi"})
        self.assertEqual(self.problem(pod(containers=[bad, bad])),
                         "[maximum cpu usage per Container is 1, but limit is 2, "
                         "maximum memory usage per Container is 1Gi, but limit is 2Gi]")

    def test_bounds_of_pods(self) -> None:
        """A pod's containers count together, sidecars with them; starting up may need more."""
        self.limit("Pod", max={"cpu": "2"})
        one = needs("a", {}, {"cpu": "1"})
        sidecar = {**one, "restartPolicy": "Always"}
        self.validate(self.plugin, self.write(pod(containers=[one], initContainers=[sidecar])))
        self.assertEqual(self.problem(pod(containers=[one, one], initContainers=[sidecar])),
                         "maximum cpu usage per Pod is 2, but limit is 3")
        big = needs("i", {}, {"cpu": "2"})
        self.assertEqual(self.problem(pod(containers=[one], initContainers=[sidecar, big])),
                         "maximum cpu usage per Pod is 2, but limit is 3")
        self.assertEqual(self.problem(pod(containers=[one], resources={"limits": {"cpu": "5"}})),
                         "maximum cpu usage per Pod is 2, but limit is 5")

    def test_bounds_of_claims(self) -> None:
        """The storage that a claim requests is bounded."""
        self.limit("PersistentVolumeClaim", min={"storage": "1Gi"}, max={"storage": "10Gi"})
        for size, problem in (("1Mi", "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi"),
                              ("20Gi", "maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi")):
            claim = {"metadata": {"name": "c"}, "spec": {"resources": {"requests": {"storage": size}}}}
            self.assertEqual(self.problem(claim, "persistentvolumeclaims"), problem)

    def test_which_writes(self) -> None:
        """Updates of pods are let through, resizes are not, unless the pod is on its way out."""
        self.limit(max={"cpu": "1"})
        bad = pod(containers=[needs("a", {}, {"cpu": "2"})])
        self.validate(self.plugin, self.write(bad, old=pod()))
        self.refusal(self.plugin.validate, self.write(bad, old=pod(), subresource="resize"))
        going = pod()
        going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        self.validate(self.plugin, self.write(bad, old=going, subresource="resize"))
