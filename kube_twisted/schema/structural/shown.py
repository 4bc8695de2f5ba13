"""Values as error messages show them: keys sorted, whole numbers without a fraction."""

from __future__ import annotations

from typing import Any


def shown(value: Any) -> Any:
    """What to hand to a field error in place of a value of a custom object."""
    if isinstance(value, dict):
        return {key: shown(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [shown(one) for one in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    return value
