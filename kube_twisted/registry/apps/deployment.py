"""Deployments."""

from __future__ import annotations

from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext


class DeploymentStrategy(WorkloadStrategy):
    """Source: the API reference of Deployment."""

    def default(self, obj: Obj) -> None:
        super().default(obj)
        spec = obj["spec"]
        spec.setdefault("replicas", 1)
        strategy = spec.setdefault("strategy", {})
        if not strategy.get("type"):
            strategy["type"] = "RollingUpdate"
        if strategy["type"] == "RollingUpdate":
            rolling = strategy.setdefault("rollingUpdate", {})
            rolling.setdefault("maxUnavailable", "25%")
            rolling.setdefault("maxSurge", "25%")
        spec.setdefault("revisionHistoryLimit", 10)
        spec.setdefault("progressDeadlineSeconds", 600)

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        """Annotations count too, since they are copied to the ReplicaSets."""
        return (super().generation_changed(obj, old)
                or (obj["metadata"].get("annotations") or {}) != (old["metadata"].get("annotations") or {}))


class DeploymentStatusStrategy(StatusStrategy):
    """The status endpoint keeps the labels as well as the spec."""

    reset_fields = (("spec",), ("metadata", "labels"))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        obj["metadata"].pop("labels", None)
        if "labels" in old["metadata"]:
            obj["metadata"]["labels"] = old["metadata"]["labels"]


STRATEGY = DeploymentStrategy()
STATUS = DeploymentStatusStrategy(STRATEGY)
