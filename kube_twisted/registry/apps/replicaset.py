"""ReplicaSets."""

from __future__ import annotations

from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.strategy import Obj, StatusStrategy


class ReplicaSetStrategy(WorkloadStrategy):
    """Source: the API reference of ReplicaSet."""

    empty_status = {"replicas": 0}

    def default(self, obj: Obj) -> None:
        super().default(obj)
        obj["spec"].setdefault("replicas", 1)


class ReplicaSetStatusStrategy(StatusStrategy):
    """The status endpoint."""


STRATEGY = ReplicaSetStrategy()
STATUS = ReplicaSetStatusStrategy(STRATEGY)
