"""Table columns of HorizontalPodAutoscalers (as autoscaling/v2) and of the scale subresource."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import (
    AGE,
    NAME,
    NAME_DOC,
    NONE,
    UNKNOWN,
    UNSET,
    at,
    reference,
    value_at,
    with_more,
)
from kube_twisted.registry.printers.column import Obj, integer, printer, text
from kube_twisted.registry.printers.documentation import Doc

#: Metric types that a HorizontalPodAutoscaler knows, with the field of a metric that holds each.
_SOURCES = {
    "Resource": "resource",
    "ContainerResource": "containerResource",
    "Pods": "pods",
    "Object": "object",
    "External": "external",
}
#: What a quantity reads as when a status does not tell it.
_NIL = "<nil>"


def _targets(obj: Obj, now: float) -> str:
    """Current and wanted values of the metrics; statuses go with specs by position."""
    specs = value_at(obj, "spec.metrics", [])
    statuses = value_at(obj, "status.currentMetrics", [])
    statuses = statuses + [{}] * (len(specs) - len(statuses))
    return with_more(map(_metric, specs, statuses), 2, ", ", NONE)


def _metric(spec: Obj, status: Obj) -> str:
    source = _SOURCES.get(spec.get("type", ""))
    if source is None:
        return "<unknown type>"
    wanted = value_at(spec, f"{source}.target", {})
    current = value_at(status, f"{source}.current", {}) if source in status else None
    if source in ("resource", "containerResource"):
        return f"{value_at(spec, f'{source}.name', '')}: {_resource(current, wanted)}"
    if source == "pods":
        return f"{_quantity(current, 'averageValue', _NIL)}/{wanted.get('averageValue', _NIL)}"
    if "averageValue" in wanted:
        return f"{_quantity(current, 'averageValue', UNKNOWN)}/{wanted['averageValue']} (avg)"
    return f"{_quantity(current, 'value', _NIL)}/{wanted.get('value', _NIL)}"


def _quantity(current: Obj | None, field: str, missing: str) -> str:
    """A measured quantity; unknown as long as there is no status of the metric."""
    return UNKNOWN if current is None else current.get(field, missing)


def _resource(current: Obj | None, wanted: Obj) -> str:
    """A resource metric: an average amount, or a percentage of what is requested."""
    if "averageValue" in wanted:
        return f"{_quantity(current, 'averageValue', _NIL)}/{wanted['averageValue']}"
    return f"{_percent(current or {}, UNKNOWN)}/{_percent(wanted, '<auto>')}"


def _percent(value: Obj, missing: str) -> str:
    return f"{value['averageUtilization']}%" if "averageUtilization" in value else missing


def _min_pods(obj: Obj, now: float) -> str:
    return str(value_at(obj, "spec.minReplicas", UNSET))


_SPEC, _STATUS = "autoscaling.v2.HorizontalPodAutoscalerSpec", "autoscaling.v2.HorizontalPodAutoscalerStatus"

#: Of every resource that can be scaled.
SCALE = printer(
    text("Name", NAME_DOC, at("metadata.name")),
    integer("Desired", Doc("autoscaling.v1.ScaleSpec.replicas"), at("spec.replicas", 0)),
    integer("Available", Doc("autoscaling.v1.ScaleStatus.replicas"), at("status.replicas", 0)),
    AGE,
)
PRINTERS = {
    ("autoscaling", "horizontalpodautoscalers"): printer(
        NAME,
        text("Reference", Doc(f"{_SPEC}.scaleTargetRef"), reference("spec.scaleTargetRef", "kind", "name")),
        text("Targets", Doc(f"{_SPEC}.metrics"), _targets),
        text("MinPods", Doc(f"{_SPEC}.minReplicas"), _min_pods),
        text("MaxPods", Doc(f"{_SPEC}.maxReplicas"), at("spec.maxReplicas", 0)),
        text("Replicas", Doc(f"{_STATUS}.currentReplicas"), at("status.currentReplicas", 0)),
        AGE,
    ),
}
