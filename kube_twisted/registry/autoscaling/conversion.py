"""``autoscaling/v1`` autoscalers to and from v2: all but the CPU target travels in annotations of v1."""

from __future__ import annotations

import copy
import json
from typing import Any

from kube_twisted.registry.autoscaling import metrics_v1
from kube_twisted.registry.autoscaling.annotation_shapes import BEHAVIOR, CONDITIONS, METRICS, Shape, fits
from kube_twisted.registry.conversion import Conversion
from kube_twisted.registry.strategy import Obj

_PREFIX = "autoscaling.alpha.kubernetes.io/"
_METRICS, _STATUSES = f"{_PREFIX}metrics", f"{_PREFIX}current-metrics"
_CONDITIONS, _BEHAVIOR = f"{_PREFIX}conditions", f"{_PREFIX}behavior"
_ALL = frozenset({_METRICS, _STATUSES, _CONDITIONS, _BEHAVIOR, f"{_PREFIX}scale-down-tolerance",
                  f"{_PREFIX}scale-up-tolerance"})
_STATUS_FIELDS = ("observedGeneration", "lastScaleTime", "currentReplicas", "desiredReplicas")


def to_v2(obj: Obj) -> Obj:
    """Read a v1 autoscaler; annotations that can't be read are ignored and dropped."""
    spec, status = obj.get("spec", {}), obj.get("status", {})
    annotations = obj.get("metadata", {}).get("annotations", {})
    metrics = [metrics_v1.spec_to_v2(one) for one in _parsed(annotations, _METRICS, METRICS) or ()]
    if "targetCPUUtilizationPercentage" in spec:
        metrics.append(_cpu(spec["targetCPUUtilizationPercentage"]))
    new_spec = {name: spec[name] for name in ("scaleTargetRef", "minReplicas", "maxReplicas") if name in spec}
    new_spec["metrics"] = metrics or [_cpu(80)]
    behavior = _parsed(annotations, _BEHAVIOR, BEHAVIOR)
    if behavior:
        new_spec["behavior"] = metrics_v1.from_go_behavior(behavior)
    new_status = {name: status[name] for name in _STATUS_FIELDS if name in status}
    if not new_status.get("currentReplicas"):
        new_status.pop("currentReplicas", None)
    new_status.setdefault("desiredReplicas", 0)
    current = [metrics_v1.status_to_v2(one) for one in _parsed(annotations, _STATUSES, METRICS) or ()]
    if not current and "currentCPUUtilizationPercentage" in status:
        current = [{"type": "Resource", "resource": {
            "name": "cpu", "current": {"averageUtilization": status["currentCPUUtilizationPercentage"]}}}]
    conditions = [metrics_v1.condition_to_v2(one) for one in _parsed(annotations, _CONDITIONS, CONDITIONS) or ()]
    new_status.update({name: value for name,
                       value in (("currentMetrics", current), ("conditions", conditions))
                       if value})
    return _with(obj, "autoscaling/v2", new_spec, new_status, {})


def to_v1(obj: Obj) -> Obj:
    """Write a v2 autoscaler as v1."""
    spec, status = obj.get("spec", {}), obj.get("status", {})
    metrics = spec.get("metrics", [])
    new_spec = {name: spec[name] for name in ("scaleTargetRef", "minReplicas", "maxReplicas") if name in spec}
    cpu = [one["resource"]["target"]["averageUtilization"] for one in metrics if _is_cpu_target(one)]
    if cpu:
        new_spec["targetCPUUtilizationPercentage"] = cpu[0]
    new_status = {"currentReplicas": 0, "desiredReplicas": 0}
    new_status.update({name: status[name] for name in _STATUS_FIELDS if name in status})
    current = [one["resource"]["current"]["averageUtilization"] for one in status.get("currentMetrics") or []
               if one.get("type") == "Resource" and one.get("resource", {}).get("name") == "cpu"
               and "averageUtilization" in one["resource"].get("current", {})]
    if current:
        new_status["currentCPUUtilizationPercentage"] = current[-1]
    texts: dict[str, Any] = {
        _METRICS: [metrics_v1.spec_to_v1(one) for one in metrics if not _is_cpu_target(one)],
        _STATUSES: [metrics_v1.status_to_v1(one) for one in status.get("currentMetrics") or []],
        _BEHAVIOR: metrics_v1.go_behavior(spec["behavior"]) if "behavior" in spec else None,
        _CONDITIONS: [metrics_v1.condition_to_v1(one) for one in status.get("conditions", [])],
    }
    notes = {name: json.dumps(value, separators=(",", ":"), ensure_ascii=False)
             for name, value in texts.items() if value}
    return _with(obj, "autoscaling/v1", new_spec, new_status, notes)


def drop_round_trip_annotations(metadata: Obj) -> None:
    """Take out the annotations that stand for fields of other versions; they are in no stored object."""
    annotations: dict[str, str] = metadata.pop("annotations", None) or {}
    kept = {name: text for name, text in annotations.items() if name not in _ALL}
    if kept:
        metadata["annotations"] = kept


def _with(obj: Obj, api_version: str, spec: Obj, status: Obj, notes: dict[str, str]) -> Obj:
    """The object in another version, with its round-trip annotations replaced."""
    metadata = dict(obj.get("metadata", {}))
    drop_round_trip_annotations(metadata)
    if notes:
        metadata["annotations"] = {**metadata.get("annotations", {}), **notes}
    return {"kind": "HorizontalPodAutoscaler", "apiVersion": api_version, "metadata": metadata,
            "spec": copy.deepcopy(spec), "status": copy.deepcopy(status)}


def _parsed(annotations: dict[str, str], name: str, shape: Shape) -> Any:
    """The JSON in an annotation; None for what can't be read."""
    try:
        value = json.loads(annotations.get(name, "null"))
    except ValueError:
        return None
    return value if fits(shape, value, lower=name == _BEHAVIOR) else None


def _cpu(percentage: int) -> dict[str, Any]:
    return {"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": percentage}}}


def _is_cpu_target(metric: dict[str, Any]) -> bool:
    resource = metric.get("resource", {})
    return (metric.get("type") == "Resource" and resource.get("name") == "cpu"
            and "averageUtilization" in resource.get("target", {}))


CONVERSIONS: dict[str, Conversion] = {
    "horizontalpodautoscalers@v1": Conversion(to_hub=to_v2, from_hub=to_v1),
    "horizontalpodautoscalers/status@v1": Conversion(to_hub=to_v2, from_hub=to_v1),
}
