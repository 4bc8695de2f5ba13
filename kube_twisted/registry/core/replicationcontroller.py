"""ReplicationControllers."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, required
from kube_twisted.api.labels import from_labels
from kube_twisted.registry.apps.replicaset import validate_replica_status
from kube_twisted.registry.podspec.options import TEMPLATE, Options, options_for_update
from kube_twisted.registry.podspec.template import validate_always_running, validate_match, validate_template
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.rules import non_negative
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext


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

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], TEMPLATE)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], options_for_update(self.template(old)))

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        """About the template as it was: kube-apiserver takes the one for the other here, and clients see it."""
        return super().warnings_on_update(ctx, old, obj)


def _validate_spec(spec: Obj, options: Options) -> list[FieldError]:
    errors = non_negative("spec.minReadySeconds", spec.get("minReadySeconds", 0))
    if not spec.get("selector"):
        errors.append(required("spec.selector"))
    errors += non_negative("spec.replicas", spec.get("replicas", 0))
    template = spec.get("template")
    if template is None:
        return [*errors, required("spec.template")]
    errors += validate_match("spec.template", from_labels(spec.get("selector") or {}), template)
    errors += validate_template("spec.template", template, options)
    return errors + validate_always_running("spec.template", template, "ReplicationController")


class ReplicationControllerStatusStrategy(StatusStrategy):
    """The status endpoint."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_replica_status(obj.get("status") or {})


STRATEGY = ReplicationControllerStrategy()
STATUS = ReplicationControllerStatusStrategy(STRATEGY)
