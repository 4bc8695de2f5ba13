"""Deployments."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.registry.apps.number_annotations import parse_number
from kube_twisted.registry.apps.rollout import (
    amount_of,
    not_above_all,
    validate_amount,
    validate_at_most_replicas,
    validate_available,
    validate_collisions,
    validate_counts,
)
from kube_twisted.registry.podspec.options import TEMPLATE, Options, options_for_update
from kube_twisted.registry.podspec.template import (
    compiled,
    validate_always_running,
    validate_match,
    validate_required_selector,
    validate_template,
)
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.rules import immutable, non_negative
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext

_COUNTS = ("observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas",
           "unavailableReplicas", "terminatingReplicas", "collisionCount")

#: Once a field; what is not empty is a revision.
_ROLLBACK = "deprecated.deployment.rollback.revision"


class DeploymentStrategy(WorkloadStrategy):
    """Source: the API reference of Deployment."""

    internal_annotations = frozenset({_ROLLBACK})
    internal_zero = {"spec": {"replicas": 0}}

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
        _normalize_rollback(obj["metadata"])

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        """Annotations count too, since they are copied to the ReplicaSets."""
        return (super().generation_changed(obj, old)
                or (obj["metadata"].get("annotations") or {}) != (old["metadata"].get("annotations") or {}))

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], TEMPLATE)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = _validate_spec(obj["spec"], options_for_update(self.template(old)))
        return errors + immutable("spec.selector", obj["spec"].get("selector"), old["spec"].get("selector"))


def _normalize_rollback(metadata: Obj) -> None:
    """:raises ConversionError: for what is no revision."""
    annotations: dict[str, str] = metadata.get("annotations") or {}
    text = annotations.pop(_ROLLBACK, "")
    if text:
        why = f"failed to parse annotation[{_ROLLBACK}]={text} as int64: "
        annotations[_ROLLBACK] = str(parse_number("Deployment", text, why))
    elif not annotations:
        metadata.pop("annotations", None)


def validate_replicated(spec: Obj, options: Options) -> list[FieldError]:
    """The selector and the template, as Deployments and ReplicaSets have them."""
    errors = validate_required_selector("spec.selector", spec.get("selector"),
                                        "empty selector is invalid for deployment")
    template = spec.get("template") or {}
    selector = compiled(spec.get("selector"))
    if selector is None:
        return [*errors, invalid("spec.selector", spec["selector"], "invalid label selector")]
    errors += validate_match("spec.template", selector, template)
    errors += validate_template("spec.template", template, options)
    return errors + validate_always_running("spec.template", template, "ReplicaSet")


def _validate_spec(spec: Obj, options: Options) -> list[FieldError]:
    errors = non_negative("spec.replicas", spec.get("replicas", 0)) + validate_replicated(spec, options)
    errors += _strategy(spec.get("strategy") or {})
    ready, deadline = spec.get("minReadySeconds", 0), spec.get("progressDeadlineSeconds")
    errors += non_negative("spec.minReadySeconds", ready)
    if "revisionHistoryLimit" in spec:
        errors += non_negative("spec.revisionHistoryLimit", spec["revisionHistoryLimit"])
    if deadline is not None:
        errors += non_negative("spec.progressDeadlineSeconds", deadline)
        if deadline <= ready:
            errors.append(invalid("spec.progressDeadlineSeconds", deadline,
                                  "must be greater than minReadySeconds"))
    return errors


def _strategy(strategy: Obj) -> list[FieldError]:
    kind, rolling = strategy.get("type", ""), strategy.get("rollingUpdate")
    if kind == "Recreate":
        return [] if rolling is None else [forbidden(
            "spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")]
    if kind != "RollingUpdate":
        shown = {"Type": kind, "RollingUpdate": _internal(rolling)}
        return [not_supported("spec.strategy", shown, ("Recreate", "RollingUpdate"))]
    if rolling is None:
        return [required("spec.strategy.rollingUpdate", "this should be defaulted and never be nil")]
    path = "spec.strategy.rollingUpdate.maxUnavailable"
    unavailable, surge = rolling.get("maxUnavailable", 0), rolling.get("maxSurge", 0)
    errors = validate_amount(path, unavailable)
    errors += validate_amount("spec.strategy.rollingUpdate.maxSurge", surge)
    if not amount_of(unavailable) and not amount_of(surge):
        errors.append(invalid(path, unavailable, "may not be 0 when `maxSurge` is 0"))
    return errors + not_above_all(path, unavailable)


def _internal(rolling: Obj | None) -> Obj | None:
    """A rolling update as error messages show it, in the names of the original's internal type."""
    return None if rolling is None else {"MaxUnavailable": rolling.get("maxUnavailable", 0),
                                         "MaxSurge": rolling.get("maxSurge", 0)}


class DeploymentStatusStrategy(StatusStrategy):
    """The status endpoint keeps the labels as well as the spec."""

    reset_fields: tuple[tuple[str, ...], ...] = (("spec",), ("metadata", "labels"))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        obj["metadata"].pop("labels", None)
        if "labels" in old["metadata"]:
            obj["metadata"]["labels"] = old["metadata"]["labels"]

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        status = obj.get("status") or {}
        errors = validate_counts(status, _COUNTS)
        errors += validate_at_most_replicas(status, ("updatedReplicas", "readyReplicas", "availableReplicas"))
        errors += validate_available(status, "readyReplicas")
        return errors + validate_collisions(status, old.get("status") or {})


STRATEGY = DeploymentStrategy()
STATUS = DeploymentStatusStrategy(STRATEGY)
