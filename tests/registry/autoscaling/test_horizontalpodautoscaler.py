"""Autoscalers: defaults, metrics, behaviour, and their older form."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.autoscaling import horizontalpodautoscaler
from kube_twisted.registry.autoscaling.conversion import CONVERSIONS
from tests.registry.resources import StrategyTestCase, decoded

TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}
SPEC: dict[str, Any] = {"scaleTargetRef": TARGET, "maxReplicas": 3}
CPU = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization",
                                                                  "averageUtilization": 80}}}


class HorizontalPodAutoscalerTests(StrategyTestCase):
    api = "autoscaling/v2/HorizontalPodAutoscaler"
    strategy = horizontalpodautoscaler.STRATEGY

    def test_defaults(self) -> None:
        """One replica at least, by the use of CPU."""
        spec = self.defaulted(spec=SPEC)["spec"]
        self.assertEqual((spec["minReplicas"], spec["metrics"]), (1, [CPU]))

    def test_behavior_defaults(self) -> None:
        """Behaviour that is begun is completed: fast up, slowly down."""
        behavior = self.defaulted(spec=SPEC | {"behavior": {"scaleUp": {"selectPolicy": "Min"}}})["spec"]["behavior"]
        self.assertEqual(behavior["scaleUp"], {
            "stabilizationWindowSeconds": 0, "selectPolicy": "Min",
            "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15},
                         {"type": "Percent", "value": 100, "periodSeconds": 15}]})
        self.assertEqual(behavior["scaleDown"]["policies"], [{"type": "Percent", "value": 100,
                                                              "periodSeconds": 15}])

    def test_replicas(self) -> None:
        """Bounds are positive and in order."""
        self.assertEqual(self.errors(spec=SPEC | {"maxReplicas": 0}), [
            "spec.maxReplicas: Required value: must be set and greater than 0",
            "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`"])

    def test_target(self) -> None:
        """What to scale is named."""
        errors = self.errors(spec=SPEC | {"scaleTargetRef": {"apiVersion": "apps/v1"}})
        self.assertEqual(errors, ["spec.scaleTargetRef.kind: Required value",
                                  "spec.scaleTargetRef.name: Required value"])

    def test_metrics(self) -> None:
        """A metric has the source that its type says, with a target."""
        self.assertEqual(self.errors(spec=SPEC | {"metrics": [{"type": "Pods"}]}),
                         ["spec.metrics[0].pods: Required value: must populate information for the given metric "
                          "source"])
        wrong = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization"}}}
        self.assertEqual(self.errors(spec=SPEC | {"metrics": [wrong]}),
                         ["spec.metrics[0].resource.target.averageUtilization: Required value: must set either a "
                          "target raw value or a target utilization"])

    def test_status_endpoint(self) -> None:
        """Each endpoint leaves the other's part alone."""
        old = self.created(spec=SPEC)
        self.assertEqual(self.updated(old, spec=SPEC, status={"currentReplicas": 5})["status"], old["status"])
        changed = self.updated(old, horizontalpodautoscaler.STATUS, spec=SPEC | {"maxReplicas": 9},
                               status={"currentReplicas": 5, "desiredReplicas": 5})
        self.assertEqual((changed["spec"], changed["status"]["currentReplicas"]), (old["spec"], 5))


class VersionTests(StrategyTestCase):
    api = "autoscaling/v1/HorizontalPodAutoscaler"
    strategy = horizontalpodautoscaler.STRATEGY

    def test_round_trip(self) -> None:
        """A v1 autoscaler is a v2 one of CPU use, and comes back as it was."""
        sent = decoded(self.api, spec=SPEC | {"minReplicas": 1, "targetCPUUtilizationPercentage": 80})
        conversion = CONVERSIONS["horizontalpodautoscalers@v1"]
        stored = conversion.to_hub(sent)
        self.assertEqual((stored["apiVersion"], stored["spec"]["metrics"]), ("autoscaling/v2", [CPU]))
        read = conversion.from_hub(stored)
        self.assertEqual((read["apiVersion"], read["spec"]), ("autoscaling/v1", sent["spec"]))

    def test_other_metrics_are_annotations(self) -> None:
        """What v1 has no fields for travels in annotations, both ways; CPU use then comes last."""
        memory = {"type": "Resource", "resource": {"name": "memory", "target": {"type": "AverageValue",
                                                                                "averageValue": "1Gi"}}}
        stored = decoded("autoscaling/v2/HorizontalPodAutoscaler",
                         spec=SPEC | {"minReplicas": 1, "metrics": [memory, CPU]})
        conversion = CONVERSIONS["horizontalpodautoscalers@v1"]
        read = conversion.from_hub(stored)
        self.assertEqual(read["spec"]["targetCPUUtilizationPercentage"], 80)
        self.assertEqual(read["metadata"]["annotations"], {
            "autoscaling.alpha.kubernetes.io/metrics":
                '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]'})
        again = conversion.to_hub(read)
        self.assertEqual(again["spec"]["metrics"], [memory, CPU])
        self.assertNotIn("annotations", again["metadata"])

    def test_status_of_nothing(self) -> None:
        """What was observed is told even when it is nothing: generation zero, and no time."""
        status = {"observedGeneration": 0, "lastScaleTime": None, "currentReplicas": 0, "desiredReplicas": 0}
        sent = {**decoded(self.api, spec=SPEC), "status": status}
        conversion = CONVERSIONS["horizontalpodautoscalers@v1"]
        self.assertEqual(conversion.from_hub(conversion.to_hub(sent))["status"], status)

    def test_unreadable_annotations(self) -> None:
        """What an annotation can't mean is ignored: no JSON, and JSON of another shape."""
        conversion = CONVERSIONS["horizontalpodautoscalers@v1"]
        prefix = "autoscaling.alpha.kubernetes.io"
        metrics = ('[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"much"}}]',
                   '[{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":true}}]',
                   '[{"object":{"selector":{"matchLabels":{"a":1}}}}]')
        for name, more in (("metrics", metrics), ("current-metrics", ()), ("behavior", ()), ("conditions", ())):
            for text in ("{", "1", '"x"', "[1]", '[{"type": 1}]', '{"ScaleUp": 1}', '{"scaleUp": {"policies": 1}}',
                         *more):
                sent = decoded(self.api, spec=SPEC, metadata={"name": "x", "annotations": {f"{prefix}/{name}": text}})
                stored = conversion.to_hub(sent)
                self.assertEqual((stored["spec"], stored["status"], stored["metadata"]),
                                 (SPEC | {"metrics": [CPU]}, {"desiredReplicas": 0}, {"name": "x"}), (name, text))

    def test_behavior_annotation(self) -> None:
        """Behaviour travels in an annotation, in whose names case does not matter."""
        behavior = {"scaleUp": {"selectPolicy": "Min", "tolerance": "100m",
                                "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}]}}
        conversion = CONVERSIONS["horizontalpodautoscalers@v1"]
        stored = decoded("autoscaling/v2/HorizontalPodAutoscaler", spec=SPEC | {"metrics": [CPU], "behavior": behavior})
        read = conversion.from_hub(stored)
        self.assertEqual(conversion.to_hub(read)["spec"]["behavior"], behavior)
