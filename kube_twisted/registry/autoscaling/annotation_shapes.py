"""What the JSON in the annotations of ``autoscaling/v1`` must look like; what does not is ignored."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.quantity import Quantity

#: A leaf type, a list's item in a list, fields by name, or all values of a map under ``*``.
Shape = Any

_SELECTOR = {"matchLabels": {"*": str}, "matchExpressions": [{"key": str, "operator": str, "values": [str]}]}
_TARGET = {"kind": str, "name": str, "apiVersion": str}
_RESOURCE = {"name": str, "container": str, "targetAverageUtilization": int, "targetAverageValue": Quantity,
             "currentAverageUtilization": int, "currentAverageValue": Quantity}
_METRIC = {
    "type": str,
    "object": {"target": _TARGET, "metricName": str, "targetValue": Quantity, "currentValue": Quantity,
               "selector": _SELECTOR, "averageValue": Quantity},
    "pods": {"metricName": str, "targetAverageValue": Quantity, "currentAverageValue": Quantity,
             "selector": _SELECTOR},
    "external": {"metricName": str, "metricSelector": _SELECTOR, "targetValue": Quantity, "currentValue": Quantity,
                 "targetAverageValue": Quantity, "currentAverageValue": Quantity},
    "resource": _RESOURCE,
    "containerResource": _RESOURCE,
}
METRICS: Shape = [_METRIC]
CONDITIONS: Shape = [{"type": str, "status": str, "lastTransitionTime": str, "reason": str, "message": str}]
_RULES = {"stabilizationwindowseconds": int, "selectpolicy": str, "tolerance": Quantity,
          "policies": [{"type": str, "value": int, "periodseconds": int}]}
#: With names in lower case.
BEHAVIOR: Shape = {"scaleup": _RULES, "scaledown": _RULES}


def fits(shape: Shape, value: Any, lower: bool = False) -> bool:
    """Whether a JSON value has a shape; nulls do, and fields that the shape does not have are let pass.

    :param lower: whether names are compared in lower case.
    """
    if value is None:
        return True
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(shape[0], one, lower) for one in value)
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            fits(shape.get(name.lower() if lower else name, shape.get("*", object)), one, lower)
            for name, one in value.items())
    if shape is Quantity:
        return _is_quantity(value)
    return isinstance(value, shape) and not (shape is int and isinstance(value, bool))


def _is_quantity(value: Any) -> bool:
    try:
        Quantity.parse(str(value))
    except ValueError:
        return False
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)
