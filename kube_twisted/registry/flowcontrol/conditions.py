"""Conditions of fairness objects: typed, and one of each type."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, duplicate, required
from kube_twisted.registry.status import IsolatedStatusStrategy
from kube_twisted.registry.strategy import Obj, WriteContext


class ConditionsStatusStrategy(IsolatedStatusStrategy):
    """A status endpoint of nothing but conditions."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_conditions(obj)


def validate_conditions(obj: Obj) -> list[FieldError]:
    """All that is wrong with ``status.conditions``."""
    errors = []
    types = [one.get("type", "") for one in obj.get("status", {}).get("conditions", [])]
    for index, kind in enumerate(types):
        path = f"status.conditions[{index}].type"
        if kind in types[:index]:
            errors.append(duplicate(path, kind))
        if not kind:
            errors.append(required(path))
    return errors
