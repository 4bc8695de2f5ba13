"""Metrics and behaviour as the annotations of ``autoscaling/v1`` spell them."""

from __future__ import annotations

from typing import Any

Metric = dict[str, Any]

_SOURCES = ("object", "pods", "resource", "containerResource", "external")
_CONDITION = ("type", "status", "lastTransitionTime", "reason", "message")
_ZERO = "0"


def spec_to_v1(metric: Metric) -> Metric:
    """A metric source as v1 writes it."""
    return _convert(metric, _source_to_v1)


def spec_to_v2(metric: Metric) -> Metric:
    """A metric source as v2 has it."""
    return _convert(metric, _source_to_v2)


def status_to_v1(metric: Metric) -> Metric:
    """A metric's current value as v1 writes it."""
    return _convert(metric, _current_to_v1)


def status_to_v2(metric: Metric) -> Metric:
    """A metric's current value as v2 has it."""
    return _convert(metric, _current_to_v2)


def condition_to_v1(condition: dict[str, Any]) -> dict[str, Any]:
    """A condition with its fields in order; the time is always there."""
    shown = {name: condition[name] for name in _CONDITION if condition.get(name)}
    return {"type": shown.pop("type", ""), "status": shown.pop("status", ""),
            "lastTransitionTime": shown.pop("lastTransitionTime", None), **shown}


def condition_to_v2(condition: dict[str, Any]) -> dict[str, Any]:
    """A condition as v2 has it."""
    return {name: condition[name] for name in _CONDITION if name in condition}


def _convert(metric: Metric, convert: Any) -> Metric:
    return {"type": metric.get("type", ""),
            **{name: convert(name, metric[name]) for name in _SOURCES if isinstance(metric.get(name), dict)}}


def _named(**values: Any) -> Metric:
    """The values that are there."""
    return {name: value for name, value in values.items() if value is not None}


def _source_to_v1(name: str, source: Metric) -> Metric:
    target, metric = source.get("target", {}), source.get("metric", {})
    value, average = target.get("value"), target.get("averageValue")
    if name == "object":
        return _named(target=source.get("describedObject", {}), metricName=metric.get("name", ""),
                      targetValue=value or _ZERO, selector=metric.get("selector"), averageValue=average)
    if name == "pods":
        return _named(metricName=metric.get("name", ""), targetAverageValue=average or _ZERO,
                      selector=metric.get("selector"))
    if name == "external":
        return _named(metricName=metric.get("name", ""), metricSelector=metric.get("selector"),
                      targetValue=value, targetAverageValue=average)
    return _named(name=source.get("name", ""), targetAverageUtilization=target.get("averageUtilization"),
                  targetAverageValue=average, container=source.get("container"))


def _source_to_v2(name: str, source: Metric) -> Metric:
    value, average = source.get("targetValue"), source.get("targetAverageValue")
    if name == "object":
        average = source.get("averageValue")
        if average is not None and value == _ZERO:
            value = None
        return {"describedObject": source.get("target", {}), "target": _target(value, average, None),
                "metric": _named(name=source.get("metricName", ""), selector=source.get("selector"))}
    if name == "pods":
        return {"metric": _named(name=source.get("metricName", ""), selector=source.get("selector")),
                "target": _target(None, average or _ZERO, None)}
    if name == "external":
        return {"metric": _named(name=source.get("metricName", ""), selector=source.get("metricSelector")),
                "target": _named(type="AverageValue" if value is None else "Value", value=value,
                                 averageValue=average)}
    return _named(name=source.get("name", ""),
                  target=_target(None, average, source.get("targetAverageUtilization")),
                  container=source.get("container"))


def _target(value: str | None, average: str | None, utilization: int | None) -> Metric:
    kind = "Utilization" if utilization is not None else "AverageValue" if average is not None else "Value"
    return _named(type=kind, value=value, averageValue=average, averageUtilization=utilization)


def _current_to_v1(name: str, source: Metric) -> Metric:
    current, metric = source.get("current", {}), source.get("metric", {})
    value, average = current.get("value"), current.get("averageValue")
    if name == "object":
        return _named(target=source.get("describedObject", {}), metricName=metric.get("name", ""),
                      currentValue=value or _ZERO, selector=metric.get("selector"), averageValue=average)
    if name == "pods":
        return _named(metricName=metric.get("name", ""), currentAverageValue=average or _ZERO,
                      selector=metric.get("selector"))
    if name == "external":
        return _named(metricName=metric.get("name", ""), metricSelector=metric.get("selector"),
                      currentValue=value or _ZERO, currentAverageValue=average)
    return _named(name=source.get("name", ""), currentAverageUtilization=current.get("averageUtilization"),
                  currentAverageValue=average or _ZERO, container=source.get("container"))


def _current_to_v2(name: str, source: Metric) -> Metric:
    value, average = source.get("currentValue"), source.get("currentAverageValue")
    if name == "object":
        return {"metric": _named(name=source.get("metricName", ""), selector=source.get("selector")),
                "current": _named(value=value or _ZERO, averageValue=source.get("averageValue")),
                "describedObject": source.get("target", {})}
    if name == "pods":
        return {"metric": _named(name=source.get("metricName", ""), selector=source.get("selector")),
                "current": {"averageValue": average or _ZERO}}
    if name == "external":
        return {"metric": _named(name=source.get("metricName", ""), selector=source.get("metricSelector")),
                "current": _named(value=value or _ZERO, averageValue=average)}
    return _named(name=source.get("name", ""), container=source.get("container"), current=_named(
        averageValue=average or _ZERO, averageUtilization=source.get("currentAverageUtilization")))


def go_behavior(behavior: dict[str, Any]) -> dict[str, Any]:
    """Behaviour as the annotation holds it: the internal type's own field names, nothing left out."""
    return {"ScaleUp": _go_rules(behavior.get("scaleUp")), "ScaleDown": _go_rules(behavior.get("scaleDown"))}


def _go_rules(scaling: dict[str, Any] | None) -> dict[str, Any] | None:
    if scaling is None:
        return None
    policies = [{"Type": one.get("type", ""), "Value": one.get("value", 0),
                 "PeriodSeconds": one.get("periodSeconds", 0)} for one in scaling.get("policies", [])]
    return {"StabilizationWindowSeconds": scaling.get("stabilizationWindowSeconds"),
            "SelectPolicy": scaling.get("selectPolicy"), "Policies": policies or None,
            "Tolerance": scaling.get("tolerance")}


def from_go_behavior(value: dict[str, Any]) -> dict[str, Any]:
    """Behaviour read from the annotation; names are matched in any case, as Go does."""
    lowered = {name.lower(): one for name, one in value.items()}
    found = {name: _from_go_rules(lowered.get(name.lower())) for name in ("scaleUp", "scaleDown")}
    return {name: one for name, one in found.items() if one is not None}


def _from_go_rules(value: Any) -> dict[str, Any] | None:
    if not isinstance(value, dict):
        return None
    lowered = {name.lower(): one for name, one in value.items()}
    policies = [{name: policy[key] for key in policy for name in ("type", "value", "periodSeconds")
                 if key.lower() == name.lower()} for policy in lowered.get("policies") or []]
    return _named(stabilizationWindowSeconds=lowered.get("stabilizationwindowseconds"),
                  selectPolicy=lowered.get("selectpolicy"), policies=policies or None,
                  tolerance=lowered.get("tolerance"))
