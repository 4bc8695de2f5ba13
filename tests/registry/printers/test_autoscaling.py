"""What Tables say about HorizontalPodAutoscalers."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, cell, cells, named


def metric(kind: str, target: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A metric of a spec."""
    return {"type": kind, kind[0].lower() + kind[1:]: {"target": target, **more}}


def measured(kind: str, current: dict[str, Any]) -> dict[str, Any]:
    """The status of a metric."""
    return {"type": kind, kind[0].lower() + kind[1:]: {"current": current}}


def targets(specs: list[dict[str, Any]], statuses: list[dict[str, Any]] | None = None) -> Any:
    obj = named("h", spec={"metrics": specs}, status={"currentMetrics": statuses or []})
    return cell("autoscaling", "horizontalpodautoscalers", "Targets", obj)


CPU = metric("Resource", {"type": "Utilization", "averageUtilization": 60}, name="cpu")
MEMORY = metric("ContainerResource", {"type": "AverageValue", "averageValue": "500Mi"}, name="memory")


class AutoscalerTests(SynchronousTestCase):
    def test_row(self) -> None:
        """What is scaled, and between which bounds; the lower one is a text."""
        obj = named("h", spec={"scaleTargetRef": {"kind": "StatefulSet", "name": "s"},
                               "minReplicas": 2, "maxReplicas": 10, "metrics": [CPU]},
                    status={"currentReplicas": 3})
        self.assertEqual(cells("autoscaling", "horizontalpodautoscalers", obj),
                         ["h", "StatefulSet/s", "cpu: <unknown>/60%", "2", 10, 3, AGE])
        self.assertEqual(cell("autoscaling", "horizontalpodautoscalers", "MinPods", named("h")), "<unset>")

    def test_resources(self) -> None:
        """Resource metrics are named, and are percentages or amounts."""
        statuses = [measured("Resource", {"averageUtilization": 55, "averageValue": "1"}),
                    measured("ContainerResource", {"averageValue": "300Mi"})]
        self.assertEqual(targets([CPU, MEMORY], statuses), "cpu: 55%/60%, memory: 300Mi/500Mi")

    def test_unmeasured(self) -> None:
        """What is not measured yet is unknown."""
        pods = metric("Pods", {"averageValue": "5"})
        self.assertEqual(targets([CPU, pods]), "cpu: <unknown>/60%, <unknown>/5")

    def test_automatic_target(self) -> None:
        """A resource metric without a target is automatic."""
        self.assertEqual(targets([metric("Resource", {}, name="cpu")]), "cpu: <unknown>/<auto>")

    def test_objects_and_external(self) -> None:
        """Metrics of one object or of elsewhere are values, or averages that are marked so."""
        for kind in ("Object", "External"):
            specs = [metric(kind, {"value": "2k"}), metric(kind, {"averageValue": "10"})]
            self.assertEqual(targets(specs), "<unknown>/2k, <unknown>/10 (avg)")
            statuses = [measured(kind, {"value": "1500"}), measured(kind, {"averageValue": "7"})]
            self.assertEqual(targets(specs, statuses), "1500/2k, 7/10 (avg)")

    def test_measured_something_else(self) -> None:
        """A status without the quantity in question is no value, or unknown for an average."""
        specs = [metric("External", {"value": "2k"}), metric("External", {"averageValue": "10"})]
        statuses = [measured("External", {"averageValue": "7"}), measured("External", {"value": "7"})]
        self.assertEqual(targets(specs, statuses), "<nil>/2k, <unknown>/10 (avg)")

    def test_more(self) -> None:
        """After two metrics the others are counted."""
        self.assertEqual(targets([CPU, MEMORY, CPU, CPU]),
                         "cpu: <unknown>/60%, memory: <unknown>/500Mi + 2 more...")

    def test_none(self) -> None:
        """No metrics are none; a type that is not known is not known."""
        self.assertEqual(targets([]), "<none>")
        self.assertEqual(targets([{"type": "Other"}]), "<unknown type>")
