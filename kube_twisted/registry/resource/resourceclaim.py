"""ResourceClaims: devices that are wanted, which never changes, and what was allocated for it."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, required, too_many
from kube_twisted.registry import rules
from kube_twisted.registry.core.go_diff import go_names
from kube_twisted.registry.podspec.scheduling import validate_node_selector
from kube_twisted.registry.resource.claim_spec import (
    default_claim_spec,
    request_names,
    validate_claim_spec,
    validate_reference,
)
from kube_twisted.registry.resource.collections import validate_items, validate_set
from kube_twisted.registry.resource.config import validate_configuration
from kube_twisted.registry.resource.names import driver_name, pool_name
from kube_twisted.registry.status import IsolatedStatusStrategy
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_GOING = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
_MAX_CONSUMERS, _MAX_RESULTS, _MAX_CONFIG, _MAX_CONDITIONS = 256, 32, 64, 8


class ResourceClaimStrategy(Strategy):
    """Rules of ``resourceclaims``."""

    returns_deleted_object = True
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        default_claim_spec(obj.get("spec", {}))

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_claim_spec("spec", obj.get("spec", {}))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        new, before = (one.get("spec", {}) for one in (obj, old))
        return [] if new == before else [invalid("spec", go_claim_spec(new), rules.IMMUTABLE)]


class ResourceClaimStatusStrategy(IsolatedStatusStrategy):
    """Rules of ``resourceclaims/status``: allocated once, reserved for consumers while allocated."""

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        released = _allocated(old) - _allocated(obj)
        devices = [one for one in obj.get("status", {}).get("devices", []) if _device_id(one) not in released]
        if devices:
            obj["status"]["devices"] = devices
        else:
            obj.get("status", {}).pop("devices", None)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        status, before = obj.get("status", {}), old.get("status", {})
        consumers = status.get("reservedFor", [])
        errors = validate_set("status.reservedFor", consumers, _MAX_CONSUMERS, _validate_consumer,
                              lambda one: one.get("uid", ""))
        errors += _validate_devices(status, _allocated(obj))
        if consumers and "allocation" not in status:
            errors.append(forbidden("status.reservedFor", "may not be specified when `allocated` is not set"))
        elif obj["metadata"].get("deletionTimestamp") and any(
                one not in before.get("reservedFor", []) for one in consumers):
            errors.append(forbidden("status.reservedFor", _GOING))
        if "allocation" in status and "allocation" in before:
            return errors + rules.immutable("status.allocation", go_names(status["allocation"]),
                                            go_names(before["allocation"]))
        return errors + _validate_allocation("status.allocation", status, request_names(obj.get("spec", {})))


def go_claim_spec(spec: dict[str, Any]) -> dict[str, Any]:
    """The spec as the original's message shows it: absent lists are null."""
    devices = spec.get("devices", {})
    constraints = [{"Requests": one.get("requests"), "MatchAttribute": one.get("matchAttribute"),
                    "DistinctAttribute": one.get("distinctAttribute")}
                    for one in devices.get("constraints", [])]
    requests = devices.get("requests")
    return {"Devices": {"Requests": [] if requests is None else go_names(requests),
                        "Constraints": constraints or None, "Config": go_names(devices.get("config"))}}


def _device_id(device: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(device.get(name, "")) for name in ("driver", "pool", "device", "shareID"))


def _allocated(obj: Obj) -> set[tuple[str, ...]]:
    results = obj.get("status", {}).get("allocation", {}).get("devices", {}).get("results", [])
    return {_device_id(one) for one in results}


def _validate_consumer(path: str, one: dict[str, Any]) -> list[FieldError]:
    return [required(f"{path}.{field}") for field in ("resource", "name", "uid") if not one.get(field)]


def _validate_devices(status: Obj, allocated: set[tuple[str, ...]]) -> list[FieldError]:
    errors, seen = [], []
    for index, one in enumerate(status.get("devices", [])):
        path, identity = f"status.devices[{index}]", _device_id(one)
        errors += driver_name(f"{path}.driver", one.get("driver", ""))
        errors += pool_name(f"{path}.pool", one.get("pool", ""))
        errors += rules.dns_label(f"{path}.device", one.get("device", ""))
        shown = "/".join(part for part in identity if part)
        if identity not in allocated:
            errors.append(invalid(path, shown, "must be an allocated device in the claim"))
        if len(one.get("conditions") or []) > _MAX_CONDITIONS:
            errors.append(too_many(f"{path}.conditions", len(one["conditions"]), _MAX_CONDITIONS))
        if identity in seen:
            errors.append(duplicate(path, shown))
        seen.append(identity)
    return errors


def _validate_allocation(path: str, status: Obj, known: set[str]) -> list[FieldError]:
    if "allocation" not in status:
        return []
    allocation = status["allocation"]
    devices = allocation.get("devices", {})

    def result(here: str, one: dict[str, Any]) -> list[FieldError]:
        errors = validate_reference(f"{here}.request", one.get("request", ""), known)
        errors += driver_name(f"{here}.driver", one.get("driver", ""))
        errors += pool_name(f"{here}.pool", one.get("pool", ""))
        return errors + rules.dns_label(f"{here}.device", one.get("device", ""))

    def config(here: str, one: dict[str, Any]) -> list[FieldError]:
        errors = rules.required_one_of(f"{here}.source", one.get("source", ""), ("FromClaim", "FromClass"))
        for index, name in enumerate(one.get("requests", [])):
            errors += validate_reference(f"{here}.requests[{index}]", name, known)
        return errors + validate_configuration(here, one)

    errors = validate_items(f"{path}.devices.results", devices.get("results", []), _MAX_RESULTS, result)
    errors += validate_items(f"{path}.devices.config", devices.get("config", []), _MAX_CONFIG, config)
    if "nodeSelector" in allocation:
        errors += validate_node_selector(f"{path}.nodeSelector", allocation["nodeSelector"])
    return errors


STRATEGY = ResourceClaimStrategy()
STATUS = ResourceClaimStatusStrategy(STRATEGY)
