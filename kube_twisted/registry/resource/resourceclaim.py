"""ResourceClaims: devices that are wanted, which never changes, and what was allocated for it."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.podspec.internal import shown
from kube_twisted.registry.resource.allocation import device_id, validate_allocation, validate_devices
from kube_twisted.registry.resource.claim_spec import (
    default_claim_spec,
    default_tolerations,
    request_names,
    validate_claim_spec,
)
from kube_twisted.registry.resource.collections import validate_set
from kube_twisted.registry.resource.internal_types import RESOURCE_TYPES
from kube_twisted.registry.status import IsolatedStatusStrategy
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_GOING = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
_MAX_CONSUMERS = 256


class ResourceClaimStrategy(Strategy):
    """Rules of ``resourceclaims``."""

    returns_deleted_object = True
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        default_claim_spec(obj.get("spec", {}))
        for result in obj.get("status", {}).get("allocation", {}).get("devices", {}).get("results", []):
            default_tolerations(result)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_claim_spec("spec", obj.get("spec", {}))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        new, before = (one.get("spec", {}) for one in (obj, old))
        if new == before:
            return []
        return [invalid("spec", shown("ResourceClaimSpec", new, RESOURCE_TYPES), rules.IMMUTABLE)]


class ResourceClaimStatusStrategy(IsolatedStatusStrategy):
    """Rules of ``resourceclaims/status``: allocated once, reserved for consumers while allocated."""

    has_tables = False

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        released = _allocated(old) - _allocated(obj)
        devices = [one for one in obj.get("status", {}).get("devices", []) if device_id(one) not in released]
        if devices:
            obj["status"]["devices"] = devices
        else:
            obj.get("status", {}).pop("devices", None)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        status, before = obj.get("status", {}), old.get("status", {})
        consumers = status.get("reservedFor", [])
        errors = validate_set("status.reservedFor", consumers, _MAX_CONSUMERS, _validate_consumer,
                              lambda one: one.get("uid", ""))
        errors += validate_devices("status.devices", status.get("devices", []), _allocated(obj))
        if consumers and "allocation" not in status:
            errors.append(forbidden("status.reservedFor", "may not be specified when `allocated` is not set"))
        elif obj["metadata"].get("deletionTimestamp") and any(
                one not in before.get("reservedFor", []) for one in consumers):
            errors.append(forbidden("status.reservedFor", _GOING))
        if "allocation" in status and "allocation" in before:
            if status["allocation"] != before["allocation"]:
                shown_allocation = shown("AllocationResult", status["allocation"], RESOURCE_TYPES)
                errors.append(invalid("status.allocation", shown_allocation, rules.IMMUTABLE))
        elif "allocation" in status:
            errors += validate_allocation("status.allocation", status["allocation"],
                                          request_names(obj.get("spec", {})))
        return errors


def _allocated(obj: Obj) -> set[tuple[str, ...]]:
    results = obj.get("status", {}).get("allocation", {}).get("devices", {}).get("results", [])
    return {device_id(one) for one in results}


def _validate_consumer(path: str, one: dict[str, Any]) -> list[FieldError]:
    return [required(f"{path}.{field}") for field in ("resource", "name", "uid") if not one.get(field)]


STRATEGY = ResourceClaimStrategy()
STATUS = ResourceClaimStatusStrategy(STRATEGY)
