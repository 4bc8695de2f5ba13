"""PodDisruptionBudgets: how many pods must stay, or may go, by number or by percentage."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid
from kube_twisted.api.names import path_segment
from kube_twisted.registry import rules
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

_EVICTION_POLICIES = ("AlwaysAllow", "IfHealthyBudget")
_COUNTS = ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")


class PodDisruptionBudgetStrategy(Strategy):
    """Rules of ``poddisruptionbudgets``."""

    allow_unconditional_update = False
    has_generation = True
    reset_fields = (("status",),)

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return path_segment(name, prefix)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = dict.fromkeys(_COUNTS, 0)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj.get("spec", {}), {})

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return _validate_spec(obj.get("spec", {}), old.get("spec", {}))


class PodDisruptionBudgetStatusStrategy(StatusStrategy):
    """Rules of ``poddisruptionbudgets/status``."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        status = obj.get("status", {})
        return [error for name in _COUNTS
                for error in rules.non_negative(f"status.{name}", status.get(name, 0))]


def _validate_spec(spec: Obj, old: Obj) -> list[FieldError]:
    errors = []
    if "minAvailable" in spec and "maxUnavailable" in spec:
        errors.append(invalid("spec", _go_spec(spec), "minAvailable and maxUnavailable cannot be both set"))
    for name in ("minAvailable", "maxUnavailable"):
        if name in spec:
            errors += _validate_amount(f"spec.{name}", spec[name])
    errors += rules.label_selector("spec.selector", spec.get("selector"), old.get("selector"))
    if "unhealthyPodEvictionPolicy" in spec:
        errors += rules.one_of("spec.unhealthyPodEvictionPolicy", spec["unhealthyPodEvictionPolicy"],
                               _EVICTION_POLICIES)
    return errors


def _go_spec(spec: Obj) -> dict[str, Any]:
    """The spec as the original's message shows it."""
    return {"MinAvailable": spec.get("minAvailable"), "Selector": spec.get("selector"),
            "MaxUnavailable": spec.get("maxUnavailable"),
            "UnhealthyPodEvictionPolicy": spec.get("unhealthyPodEvictionPolicy")}


def _validate_amount(path: str, amount: int | str) -> list[FieldError]:
    if isinstance(amount, int):
        return rules.non_negative(path, amount)
    wrong = names.percent(amount)
    if wrong:
        return rules.messages(path, amount, wrong)
    return [invalid(path, amount, "must not be greater than 100%")] if int(amount[:-1]) > 100 else []


STRATEGY = PodDisruptionBudgetStrategy()
STATUS = PodDisruptionBudgetStatusStrategy(STRATEGY)
