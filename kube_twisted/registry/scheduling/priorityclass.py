"""PriorityClasses: a value that never changes; names with ``system-`` are the cluster's own."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, forbidden
from kube_twisted.registry import rules
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_HIGHEST = 1_000_000_000
_SYSTEM = {"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000}
_POLICIES = ("PreemptLowerPriority", "Never")


class PriorityClassStrategy(Strategy):
    """Rules of ``priorityclasses``."""

    has_generation = True

    def default(self, obj: Obj) -> None:
        obj.setdefault("preemptionPolicy", "PreemptLowerPriority")

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        name, value = obj["metadata"].get("name", ""), obj.get("value", 0)
        errors = []
        if name.startswith("system-"):
            problem = _system_problem(name, value, bool(obj.get("globalDefault")))
            if problem:
                errors.append(forbidden("metadata.name",
                                        "priority class names with 'system-' prefix are reserved "
                                        f"for system use only. error: {problem}"))
        elif value > _HIGHEST:
            errors.append(forbidden("value",
                                    f"maximum allowed value of a user defined priority is {_HIGHEST}"))
        if "preemptionPolicy" in obj:
            errors += rules.required_one_of("preemptionPolicy", obj["preemptionPolicy"], _POLICIES)
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = []
        if obj.get("value", 0) != old.get("value", 0):
            errors.append(forbidden("value", "may not be changed in an update."))
        return errors + rules.immutable("preemptionPolicy", obj.get("preemptionPolicy"),
                                        old.get("preemptionPolicy"))

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        return False


def _system_problem(name: str, value: int, is_default: bool) -> str:
    """Why this is none of the system's own classes."""
    if name not in _SYSTEM:
        return f"{name} is not a known system priority class"
    if value != _SYSTEM[name]:
        return f"value of {name} PriorityClass must be {_SYSTEM[name]}"
    return f"globalDefault of {name} PriorityClass must be false" if is_default else ""


STRATEGY = PriorityClassStrategy()
