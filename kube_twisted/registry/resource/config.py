"""Selectors and driver configuration, as classes and claims have them."""

from __future__ import annotations

import json
from typing import Any

from kube_twisted.api.field import FieldError, invalid, required, too_long
from kube_twisted.registry.resource.names import driver_name

_MAX_EXPRESSION = _MAX_PARAMETERS = 10 * 1024


def validate_selector(path: str, selector: dict[str, Any]) -> list[FieldError]:
    """A CEL expression about a device."""
    if "cel" not in selector:
        return [required(f"{path}.cel")]
    at, expression = f"{path}.cel.expression", selector["cel"].get("expression", "")
    if len(expression.encode()) > _MAX_EXPRESSION:
        return [too_long(at, _MAX_EXPRESSION)]
    # only servers that have such selectors pay for the expression language
    from kube_twisted.cel import devices

    return devices.validate_selector(at, expression)


def validate_configuration(path: str, config: dict[str, Any]) -> list[FieldError]:
    """Parameters that mean something to one driver."""
    opaque = config.get("opaque")
    if opaque is None:
        return [required(f"{path}.opaque")]
    errors = driver_name(f"{path}.opaque.driver", opaque.get("driver", ""))
    return errors + validate_parameters(f"{path}.opaque.parameters", opaque.get("parameters"))


def validate_parameters(path: str, value: Any) -> list[FieldError]:
    """Any JSON object that is not too large."""
    if value is None:
        return [required(path)]
    if len(json.dumps(value, separators=(",", ":")).encode()) > _MAX_PARAMETERS:
        return [too_long(path, _MAX_PARAMETERS)]
    if not isinstance(value, dict):
        return [invalid(path, "<value omitted>", "must be a valid JSON object")]
    return []
