"""HorizontalPodAutoscalers: defaults in both versions, limits, target."""

from __future__ import annotations

import copy
from typing import Any

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.registry import rules
from kube_twisted.registry.autoscaling.behavior import default_behavior, validate_behavior
from kube_twisted.registry.autoscaling.conversion import drop_round_trip_annotations
from kube_twisted.registry.autoscaling.metrics import validate_metrics
from kube_twisted.registry.references import required_segments
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

_CPU_80: dict[str, Any] = {"type": "Resource", "resource": {
    "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}


class HorizontalPodAutoscalerStrategy(Strategy):
    """Rules of ``horizontalpodautoscalers``."""

    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        spec.setdefault("minReplicas", 1)
        if obj.get("apiVersion") == "autoscaling/v1":
            return
        drop_round_trip_annotations(obj["metadata"])
        if not spec.get("metrics"):
            spec["metrics"] = [copy.deepcopy(_CPU_80)]
        if "behavior" in spec:
            default_behavior(spec["behavior"])

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {"desiredReplicas": 0, "currentMetrics": None}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], None)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], old["spec"])


class HorizontalPodAutoscalerStatusStrategy(StatusStrategy):
    """Rules of ``horizontalpodautoscalers/status``."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        status = obj.get("status", {})
        return [error for field in ("currentReplicas", "desiredReplicas")
                for error in rules.non_negative(f"status.{field}", status.get(field, 0))]


def _validate_spec(spec: Obj, old: Obj | None) -> list[FieldError]:
    errors = _validate_limits(spec, old)
    target = spec.get("scaleTargetRef", {})
    before = old.get("scaleTargetRef", {}) if old else None
    same = before is not None and all(before.get(name) == target.get(name) for name in ("apiVersion", "kind"))
    errors += required_segments("spec.scaleTargetRef", target, "kind", "name")
    if not same:
        errors += _validate_api_version("spec.scaleTargetRef", target)
    errors += validate_metrics("spec.metrics", spec.get("metrics", []), spec.get("minReplicas"))
    return errors + validate_behavior("spec.behavior", spec.get("behavior", {}))


def _validate_limits(spec: Obj, old: Obj | None) -> list[FieldError]:
    low, high, errors = spec.get("minReplicas"), spec.get("maxReplicas", 0), []
    least = 0 if old is not None and old.get("minReplicas") == 0 else 1
    if low is not None and low < least:
        errors.append(invalid("spec.minReplicas", low, f"must be greater than or equal to {least}"))
    if high == 0:
        errors.append(required("spec.maxReplicas", "must be set and greater than 0"))
    elif high < 0:
        errors.append(invalid("spec.maxReplicas", high, "must be greater than or equal to 1"))
    if low is not None and high < low:
        errors.append(invalid("spec.maxReplicas", high, "must be greater than or equal to `minReplicas`"))
    return errors


def _validate_api_version(path: str, reference: dict[str, Any]) -> list[FieldError]:
    """The target's group is given; only ReplicationControllers live in the core group."""
    text = reference.get("apiVersion", "")
    try:
        group = GroupVersion.parse(text).group
    except ValueError as error:
        return [invalid(f"{path}.apiVersion", text, str(error))]
    if group or reference.get("kind") == "ReplicationController":
        return []
    return [invalid(f"{path}.apiVersion", text, "apiVersion must specify API group")]


STRATEGY = HorizontalPodAutoscalerStrategy()
STATUS = HorizontalPodAutoscalerStatusStrategy(STRATEGY)
