"""Leases: heartbeats and leader election."""

from __future__ import annotations

from kube_twisted.api.field import FieldError
from kube_twisted.registry import rules
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_COORDINATED = ("strategy", "preferredHolder")


class LeaseStrategy(Strategy):
    """Rules of ``leases``; coordinated leader election (KEP-4355) is off and its fields are dropped."""

    allow_create_on_update = True
    allow_unconditional_update = False

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        for field in _COORDINATED:
            obj["spec"].pop(field, None)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        for field in _COORDINATED:
            if field not in old.get("spec", {}):
                obj["spec"].pop(field, None)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec, errors = obj.get("spec", {}), []
        if "leaseDurationSeconds" in spec:
            errors += rules.positive("spec.leaseDurationSeconds", spec["leaseDurationSeconds"])
        if "leaseTransitions" in spec:
            errors += rules.non_negative("spec.leaseTransitions", spec["leaseTransitions"])
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj)


STRATEGY = LeaseStrategy()
