"""Selectors and driver configuration, as classes and claims have them."""

from __future__ import annotations

import json
from typing import Any

from kube_twisted.api.field import FieldError, invalid, required, too_long
from kube_twisted.registry.resource.names import driver_name

_MAX_EXPRESSION = _MAX_PARAMETERS = 10 * 1024


def validate_selector(path: str, selector: dict[str, Any]) -> list[FieldError]:
    """A CEL expression; whether it compiles is the compiler's business."""
    if "cel" not in selector:
        return [required(f"{path}.cel")]
    size = len(selector["cel"].get("expression", "").encode())
    return [too_long(f"{path}.cel.expression", _MAX_EXPRESSION)] if size > _MAX_EXPRESSION else []


def validate_configuration(path: str, config: dict[str, Any]) -> list[FieldError]:
    """Parameters that mean something to one driver."""
    opaque = config.get("opaque")
    if opaque is None:
        return [required(f"{path}.opaque")]
    errors = driver_name(f"{path}.opaque.driver", opaque.get("driver", ""))
    return errors + _validate_object(f"{path}.opaque.parameters", opaque.get("parameters"))


def _validate_object(path: str, value: Any) -> list[FieldError]:
    """Any JSON object that is not too large."""
    if value is None:
        return [required(path)]
    if len(json.dumps(value, separators=(",", ":")).encode()) > _MAX_PARAMETERS:
        return [too_long(path, _MAX_PARAMETERS)]
    if not isinstance(value, dict):
        return [invalid(path, "<value omitted>", "must be a valid JSON object")]
    return []
