"""Match conditions: named expressions, up to 64 (KEP-3716)."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, required, too_many
from kube_twisted.registry import rules
from kube_twisted.registry.admissionregistration.expressions import YES_OR_NO, Expressions

_MAX = 64


def validate_match_conditions(path: str, conditions: list[dict[str, Any]], params: bool = False) -> list[FieldError]:
    """Every condition has an expression that says yes or no, and a name of its own.

    :param params: whether expressions may name the policy's parameters.
    """
    errors = [too_many(path, len(conditions), _MAX)] if len(conditions) > _MAX else []
    seen: set[str] = set()
    expressions = Expressions(params)
    for index, one in enumerate(conditions):
        at, name = f"{path}[{index}]", one.get("name", "")
        expression = one.get("expression", "").strip()
        if not expression:
            errors.append(required(f"{at}.expression"))
        else:
            errors += expressions.check(f"{at}.expression", expression, YES_OR_NO)
        errors += rules.qualified_name(f"{at}.name", name) if name else [required(f"{at}.name")]
        if name and name in seen:
            errors.append(duplicate(f"{at}.name", name))
        seen.add(name)
    return errors
