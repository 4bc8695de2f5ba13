"""DeviceClasses: what devices a class selects and how they are set up."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid
from kube_twisted.api.names import dns_subdomain
from kube_twisted.registry.core.resource_names import is_extended
from kube_twisted.registry.resource.collections import validate_items
from kube_twisted.registry.resource.config import validate_configuration, validate_selector
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_MAX_SELECTORS = _MAX_CONFIG = 32


class DeviceClassStrategy(Strategy):
    """Rules of ``deviceclasses``."""

    returns_deleted_object = True
    has_generation = True

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return [] if prefix else [message.replace("no more than 253 characters", "no more than 253 bytes")
                                  for message in dns_subdomain(name)]

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec = obj.get("spec", {})
        errors = validate_items("spec.selectors", spec.get("selectors", []), _MAX_SELECTORS,
                                validate_selector)
        errors += validate_items("spec.config", spec.get("config", []), _MAX_CONFIG, validate_configuration)
        name = spec.get("extendedResourceName")
        if name is not None and not is_extended(name):
            errors.append(invalid("spec.extendedResourceName", name,
                                  "must be a valid extended resource name"))
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj)


STRATEGY = DeviceClassStrategy()
