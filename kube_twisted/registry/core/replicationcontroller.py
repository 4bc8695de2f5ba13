"""ReplicationControllers."""

from __future__ import annotations

from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.strategy import Obj, StatusStrategy


class ReplicationControllerStrategy(WorkloadStrategy):
    """Source: the API reference of ReplicationController."""

    garbage_collection = "orphan"
    field_labels = frozenset({"status.replicas"})
    empty_status = {"replicas": 0}

    def default(self, obj: Obj) -> None:
        super().default(obj)
        spec = obj["spec"]
        spec.setdefault("replicas", 1)
        labels = (self.template(obj).get("metadata") or {}).get("labels")
        if labels:
            if not spec.get("selector"):
                spec["selector"] = dict(labels)
            if not obj["metadata"].get("labels"):
                obj["metadata"]["labels"] = dict(labels)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        return {"status.replicas": str((obj.get("status") or {}).get("replicas", 0))}


class ReplicationControllerStatusStrategy(StatusStrategy):
    """The status endpoint."""


STRATEGY = ReplicationControllerStrategy()
STATUS = ReplicationControllerStatusStrategy(STRATEGY)
