"""What an autoscaler looks at: one source per metric, with its target."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.registry import rules
from kube_twisted.registry.core.resource_names import validate_container_resource_name
from kube_twisted.registry.podspec import quantities
from kube_twisted.registry.references import required_segments

Metric = dict[str, Any]

#: type -> field of its source, in the order of validation
_FIELDS = {"Object": "object", "External": "external", "Pods": "pods", "Resource": "resource",
           "ContainerResource": "containerResource"}
_TYPES = ("ContainerResource", "External", "Object", "Pods", "Resource")
_TARGET_TYPES = ("Utilization", "Value", "AverageValue")


def validate_metrics(path: str, metrics: list[Metric], min_replicas: int | None) -> list[FieldError]:
    """Every metric; scaling to zero needs one that exists without pods (KEP-2021)."""
    errors = []
    for index, metric in enumerate(metrics):
        errors += _validate_metric(f"{path}[{index}]", metric)
    if min_replicas == 0 and not any(metric.get("type") in ("Object", "External") for metric in metrics):
        errors.append(forbidden(path,
                                "must specify at least one Object or External metric to support scaling "
                                "to zero replicas"))
    return errors


def _validate_metric(path: str, metric: Metric) -> list[FieldError]:
    kind, errors = metric.get("type", ""), []
    if not kind:
        errors.append(required(f"{path}.type", "must specify a metric source type"))
    if kind not in _FIELDS:
        errors.append(not_supported(f"{path}.type", kind, _TYPES))
    present = [field for field in _FIELDS.values() if field in metric]
    if present:
        errors += _SOURCES[present[0]](f"{path}.{present[0]}", metric[present[0]])
    expected = _FIELDS.get(kind)
    if expected is None:
        errors.append(not_supported(f"{path}.type", kind, _TYPES))
    elif expected not in metric:
        errors.append(required(f"{path}.{expected}", "must populate information for the given metric source"))
    if len(present) != 1:
        errors += [forbidden(f"{path}.{field}", "must populate the given metric source only")
                   for field in present if field != expected]
    return errors


def _object(path: str, source: Metric) -> list[FieldError]:
    described = source.get("describedObject", {})
    errors = required_segments(f"{path}.describedObject", described, "kind", "name")
    try:
        GroupVersion.parse(described.get("apiVersion", ""))
    except ValueError as error:
        errors.append(invalid(f"{path}.describedObject.apiVersion", described["apiVersion"], str(error)))
    errors += _identifier(f"{path}.metric", source.get("metric", {})) + _target(path, source)
    return errors + _either(path, source, "value", "must set either a target value or averageValue")


def _external(path: str, source: Metric) -> list[FieldError]:
    target = source.get("target", {})
    errors = _identifier(f"{path}.metric", source.get("metric", {})) + _target(path, source)
    errors += _either(path, source, "value", "must set either a target value for metric or a per-pod target")
    if "value" in target and "averageValue" in target:
        errors.append(forbidden(f"{path}.target.value",
                                "may not set both a target value for metric and a per-pod target"))
    return errors


def _pods(path: str, source: Metric) -> list[FieldError]:
    errors = _identifier(f"{path}.metric", source.get("metric", {})) + _target(path, source)
    if "averageValue" not in source.get("target", {}):
        errors.append(required(f"{path}.target.averageValue", "must specify a positive target averageValue"))
    return errors


def _resource(path: str, source: Metric) -> list[FieldError]:
    errors = [] if source.get("name") else [required(f"{path}.name", "must specify a resource name")]
    return errors + _target(path, source) + _utilization(path, source)


def _container_resource(path: str, source: Metric) -> list[FieldError]:
    name, container = source.get("name", ""), source.get("container", "")
    errors = (validate_container_resource_name(f"{path}.name", name) if name
              else [required(f"{path}.name", "must specify a resource name")])
    errors += (rules.dns_label(f"{path}.container", container) if container
               else [required(f"{path}.container", "must specify a container")])
    return errors + _target(path, source) + _utilization(path, source)


def _utilization(path: str, source: Metric) -> list[FieldError]:
    target = source.get("target", {})
    utilization, value = "averageUtilization" in target, "averageValue" in target
    if not utilization and not value:
        return [required(f"{path}.target.averageUtilization",
                         "must set either a target raw value or a target utilization")]
    if utilization and value:
        return [forbidden(f"{path}.target.averageValue",
                          "may not set both a target raw value and a target utilization")]
    return []


def _either(path: str, source: Metric, field: str, why: str) -> list[FieldError]:
    target = source.get("target", {})
    if field in target or "averageValue" in target:
        return []
    return [required(f"{path}.target.averageValue", why)]


def _target(path: str, source: Metric) -> list[FieldError]:
    target, at, errors = source.get("target", {}), f"{path}.target", []
    kind = target.get("type", "")
    if not kind:
        errors.append(required(f"{at}.type", "must specify a metric target type"))
    if kind not in _TARGET_TYPES:
        errors.append(invalid(f"{at}.type", kind, "must be either Utilization, Value, or AverageValue"))
    errors += [invalid(f"{at}.{field}", target[field], "must be positive")
               for field in ("value", "averageValue")
               if field in target and quantities.parsed(target[field]).sign <= 0]
    if target.get("averageUtilization", 1) < 1:
        errors.append(invalid(f"{at}.averageUtilization", target["averageUtilization"],
                              "must be greater than 0"))
    return errors


def _identifier(path: str, metric: Metric) -> list[FieldError]:
    name = metric.get("name", "")
    if not name:
        return [required(f"{path}.name", "must specify a metric name")]
    return rules.path_segment(f"{path}.name", name)


_SOURCES: dict[str, Callable[[str, Metric], list[FieldError]]] = {
    "object": _object, "external": _external, "pods": _pods, "resource": _resource,
    "containerResource": _container_resource,
}
