"""ConfigMaps: keys fit to be file names, at most 1 MiB, frozen when immutable (KEP-1412)."""

from __future__ import annotations

import base64

from kube_twisted.api.field import FieldError, forbidden, invalid, too_long
from kube_twisted.registry import rules
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

MAX_SIZE = 1024 * 1024
FROZEN = "field is immutable when `immutable` is set"


class ConfigMapStrategy(Strategy):
    """Rules of ``configmaps``."""

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        data, binary = obj.get("data", {}), obj.get("binaryData", {})
        errors = []
        for key in sorted(data):
            errors += rules.config_key(f"data[{key}]", key)
            if key in binary:
                errors.append(invalid(f"data[{key}]", key, "duplicate of key present in binaryData"))
        for key in sorted(binary):
            errors += rules.config_key(f"binaryData[{key}]", key)
        size = sum(len(value.encode()) for value in data.values()) + decoded_size(binary)
        if size > MAX_SIZE:
            errors.append(too_long("[]", MAX_SIZE))
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return frozen_fields(obj, old, ("data", "binaryData")) + self.validate(ctx, obj)


def decoded_size(values: dict[str, str | None]) -> int:
    """How many bytes base64 values hold; null holds none."""
    return sum(len(base64.b64decode(value or "")) for value in values.values())


def frozen_fields(obj: Obj, old: Obj, fields: tuple[str, ...]) -> list[FieldError]:
    """What an update of an object marked ``immutable`` may not change."""
    if not old.get("immutable"):
        return []
    errors = [] if obj.get("immutable") else [forbidden("immutable", FROZEN)]
    return errors + [forbidden(name, FROZEN) for name in fields if obj.get(name) != old.get(name)]


STRATEGY = ConfigMapStrategy()
