"""StatefulSets."""

from __future__ import annotations

from kube_twisted.registry.podspec.volume_defaults import default_claim_spec
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext


class StatefulSetStrategy(WorkloadStrategy):
    """Source: the API reference of StatefulSet."""

    empty_status = {"replicas": 0, "availableReplicas": 0}
    name_in_pods = False

    def default(self, obj: Obj) -> None:
        super().default(obj)
        spec = obj["spec"]
        if not spec.get("podManagementPolicy"):
            spec["podManagementPolicy"] = "OrderedReady"
        _default_update_strategy(spec.setdefault("updateStrategy", {}))
        retention = spec.setdefault("persistentVolumeClaimRetentionPolicy", {})
        for name in ("whenDeleted", "whenScaled"):
            if not retention.get(name):
                retention[name] = "Retain"
        spec.setdefault("replicas", 1)
        spec.setdefault("revisionHistoryLimit", 10)
        for claim in spec.get("volumeClaimTemplates") or ():
            _default_claim(claim)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        super().prepare_for_create(ctx, obj)
        _drop_max_unavailable(obj, {})

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        _drop_max_unavailable(obj, old["spec"]["updateStrategy"].get("rollingUpdate") or {})


def _default_update_strategy(strategy: Obj) -> None:
    if not strategy.get("type"):
        strategy["type"] = "RollingUpdate"
        strategy.setdefault("rollingUpdate", {})
    if strategy["type"] == "RollingUpdate" and "rollingUpdate" in strategy:
        strategy["rollingUpdate"].setdefault("partition", 0)


def _default_claim(claim: Obj) -> None:
    claim["apiVersion"] = "v1"
    claim["kind"] = "PersistentVolumeClaim"
    default_claim_spec(claim.setdefault("spec", {}))
    status = claim.setdefault("status", {})
    if not status.get("phase"):
        status["phase"] = "Pending"


def _drop_max_unavailable(obj: Obj, old: Obj) -> None:
    """The feature MaxUnavailableStatefulSet is off: its field goes, unless it was there before."""
    rolling = obj["spec"]["updateStrategy"].get("rollingUpdate")
    if rolling and "maxUnavailable" not in old:
        rolling.pop("maxUnavailable", None)


class StatefulSetStatusStrategy(StatusStrategy):
    """The status endpoint."""


STRATEGY = StatefulSetStrategy()
STATUS = StatefulSetStatusStrategy(STRATEGY)
