"""ReplicaSets."""

from __future__ import annotations

from kube_twisted.api.field import FieldError
from kube_twisted.registry.apps.deployment import validate_replicated
from kube_twisted.registry.apps.rollout import validate_at_most_replicas, validate_available, validate_counts
from kube_twisted.registry.podspec.options import TEMPLATE, Options, options_for_update
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.rules import immutable, non_negative
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext

_COUNTS = ("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration",
           "terminatingReplicas")
_OF_REPLICAS = ("fullyLabeledReplicas", "readyReplicas", "availableReplicas")


class ReplicaSetStrategy(WorkloadStrategy):
    """Source: the API reference of ReplicaSet."""

    empty_status = {"replicas": 0}
    internal_zero = {"spec": {"replicas": 0}}

    def default(self, obj: Obj) -> None:
        super().default(obj)
        obj["spec"].setdefault("replicas", 1)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], TEMPLATE)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = _validate_spec(obj["spec"], options_for_update(self.template(old)))
        return errors + immutable("spec.selector", obj["spec"].get("selector"), old["spec"].get("selector"))


def _validate_spec(spec: Obj, options: Options) -> list[FieldError]:
    errors = non_negative("spec.replicas", spec.get("replicas", 0))
    errors += non_negative("spec.minReadySeconds", spec.get("minReadySeconds", 0))
    return errors + validate_replicated(spec, options)


def validate_replica_status(status: Obj) -> list[FieldError]:
    """Counts of ReplicaSets and ReplicationControllers."""
    errors = validate_counts(status, _COUNTS) + validate_at_most_replicas(status, _OF_REPLICAS)
    return errors + validate_available(status, "readyReplicas")


class ReplicaSetStatusStrategy(StatusStrategy):
    """The status endpoint."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_replica_status(obj.get("status") or {})


STRATEGY = ReplicaSetStrategy()
STATUS = ReplicaSetStatusStrategy(STRATEGY)
