"""How fast an autoscaler scales (KEP-853): defaults field by field, and limits."""

from __future__ import annotations

import copy
from typing import Any

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.core.resource_names import non_negative_quantity

_DEFAULTS: dict[str, dict[str, Any]] = {
    "scaleUp": {
        "stabilizationWindowSeconds": 0,
        "selectPolicy": "Max",
        "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15},
                     {"type": "Percent", "value": 100, "periodSeconds": 15}],
    },
    "scaleDown": {
        "selectPolicy": "Max",
        "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}],
    },
}
_MAX_PERIOD, _MAX_WINDOW = 1800, 3600
_POSITIVE = "must be greater than zero"


def default_behavior(behavior: dict[str, Any]) -> None:
    """Fill both directions; what is given wins field by field."""
    for direction, defaults in _DEFAULTS.items():
        behavior[direction] = {**copy.deepcopy(defaults), **behavior.get(direction, {})}


def validate_behavior(path: str, behavior: dict[str, Any]) -> list[FieldError]:
    """Both directions."""
    return [error for direction in _DEFAULTS if direction in behavior
            for error in _validate_rules(f"{path}.{direction}", behavior[direction])]


def _validate_rules(path: str, scaling: dict[str, Any]) -> list[FieldError]:
    window, errors = scaling.get("stabilizationWindowSeconds"), []
    if window is not None and window < 0:
        errors.append(invalid(f"{path}.stabilizationWindowSeconds", window,
                              "must be greater than or equal to zero"))
    if window is not None and window > _MAX_WINDOW:
        errors.append(invalid(f"{path}.stabilizationWindowSeconds", window,
                              f"must be less than or equal to {_MAX_WINDOW}"))
    if "selectPolicy" in scaling:
        errors += rules.one_of(f"{path}.selectPolicy", scaling["selectPolicy"], ("Disabled", "Max", "Min"))
    if not scaling.get("policies"):
        errors.append(required(f"{path}.policies", "must specify at least one Policy"))
    for index, policy in enumerate(scaling.get("policies", [])):
        errors += _validate_policy(f"{path}.policies[{index}]", policy)
    if "tolerance" in scaling:
        errors += non_negative_quantity(f"{path}.tolerance", scaling["tolerance"])
    return errors


def _validate_policy(path: str, policy: dict[str, Any]) -> list[FieldError]:
    value, period = policy.get("value", 0), policy.get("periodSeconds", 0)
    errors = rules.one_of(f"{path}.type", policy.get("type", ""), ("Percent", "Pods"))
    if value <= 0:
        errors.append(invalid(f"{path}.value", value, _POSITIVE))
    if period <= 0:
        errors.append(invalid(f"{path}.periodSeconds", period, _POSITIVE))
    if period > _MAX_PERIOD:
        errors.append(invalid(f"{path}.periodSeconds", period,
                              f"must be less than or equal to {_MAX_PERIOD}"))
    return errors
