"""ControllerRevisions: snapshots that DaemonSets and StatefulSets keep of their templates."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, required
from kube_twisted.registry.rules import immutable, non_negative
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext


class ControllerRevisionStrategy(Strategy):
    """Source: the API reference of ControllerRevision."""

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors = non_negative("revision", obj.get("revision", 0))
        data = obj.get("data")
        if data is None:
            errors.append(required("data", "data is mandatory"))
        elif not isinstance(data, dict):
            errors.append(required("data", "data must be a valid JSON object"))
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = non_negative("revision", obj.get("revision", 0))
        return errors + immutable("data", obj.get("data"), old.get("data"))


STRATEGY = ControllerRevisionStrategy()
