"""VolumeAttributesClasses: parameters of a driver, which never change (KEP-3751)."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, forbidden, required
from kube_twisted.registry.storage.parameters import validate_parameters, validate_provisioner
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext


class VolumeAttributesClassStrategy(Strategy):
    """Rules of ``volumeattributesclasses``."""

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        parameters = obj.get("parameters", {})
        errors = validate_provisioner("driverName", obj.get("driverName", ""))
        errors += validate_parameters("parameters", parameters)
        if not parameters:
            errors.append(required("parameters", "must contain at least one key/value pair"))
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = [forbidden(name, f"updates to {name} are forbidden.")
                  for name in ("driverName", "parameters")
                  if obj.get(name) != old.get(name)]
        return errors + self.validate(ctx, obj)


STRATEGY = VolumeAttributesClassStrategy()
