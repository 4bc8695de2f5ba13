"""The status of resource claims: which devices were allocated, and what drivers tell of them."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, invalid, too_long, too_many
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import interface_address
from kube_twisted.registry.conditions import validate_conditions
from kube_twisted.registry.podspec.internal import shown
from kube_twisted.registry.podspec.scheduling import validate_node_selector
from kube_twisted.registry.resource.claim_spec import validate_reference, validate_references
from kube_twisted.registry.resource.collections import validate_items, validate_set
from kube_twisted.registry.resource.config import validate_configuration, validate_parameters
from kube_twisted.registry.resource.device import validate_binding
from kube_twisted.registry.resource.internal_types import RESOURCE_TYPES
from kube_twisted.registry.resource.names import driver_name, pool_name, share_id

_MAX_RESULTS, _MAX_CONFIG, _MAX_CONDITIONS, _MAX_IPS = 32, 64, 8, 16
_MAX_INTERFACE_NAME, _MAX_HARDWARE_ADDRESS = 256, 128


def device_id(device: dict[str, Any]) -> tuple[str, ...]:
    """What tells an allocated device, or a share of it, from others."""
    return tuple(str(device.get(name, "")) for name in ("driver", "pool", "device", "shareID"))


def validate_devices(path: str, devices: list[dict[str, Any]], allocated: set[tuple[str, ...]]) -> list[FieldError]:
    """What drivers tell of devices, each of which is ``allocated``."""
    errors, seen = [], set()
    for index, one in enumerate(devices):
        errors += _validate_device(f"{path}[{index}]", one, allocated)
    for index, one in enumerate(devices):
        if device_id(one) in seen:
            errors.append(duplicate(f"{path}[{index}]", shown("SharedDeviceID", one, RESOURCE_TYPES)))
        seen.add(device_id(one))
    return errors


def _validate_device(path: str, one: dict[str, Any], allocated: set[tuple[str, ...]]) -> list[FieldError]:
    errors = driver_name(f"{path}.driver", one.get("driver", ""))
    errors += pool_name(f"{path}.pool", one.get("pool", ""))
    errors += rules.dns_label(f"{path}.device", one.get("device", ""))
    if "shareID" in one:
        errors += share_id(f"{path}.shareID", one["shareID"])
    if device_id(one) not in allocated:
        errors.append(invalid(path, shown("SharedDeviceID", one, RESOURCE_TYPES),
                              "must be an allocated device in the claim"))
    conditions = one.get("conditions") or []
    if len(conditions) > _MAX_CONDITIONS:
        errors.append(too_many(f"{path}.conditions", len(conditions), _MAX_CONDITIONS))
    errors += validate_conditions(f"{path}.conditions", conditions)
    if "data" in one:
        errors += validate_parameters(f"{path}.data", one["data"])
    return errors + _validate_network(f"{path}.networkData", one.get("networkData", {}))


def _validate_network(path: str, data: dict[str, Any]) -> list[FieldError]:
    errors = []
    for field, maximum in (("interfaceName", _MAX_INTERFACE_NAME), ("hardwareAddress", _MAX_HARDWARE_ADDRESS)):
        if len(data.get(field, "").encode()) > maximum:
            errors.append(too_long(f"{path}.{field}", maximum))
    return errors + validate_set(f"{path}.ips", data.get("ips", []), _MAX_IPS, interface_address)


def validate_allocation(path: str, allocation: dict[str, Any], known: set[str]) -> list[FieldError]:
    """A new allocation, for requests with ``known`` names."""
    devices = allocation.get("devices", {})

    def result(here: str, one: dict[str, Any]) -> list[FieldError]:
        errors = validate_reference(f"{here}.request", one.get("request", ""), known)
        errors += driver_name(f"{here}.driver", one.get("driver", ""))
        errors += pool_name(f"{here}.pool", one.get("pool", ""))
        errors += rules.dns_label(f"{here}.device", one.get("device", ""))
        errors += validate_binding(here, one)
        return errors + (share_id(f"{here}.shareID", one["shareID"]) if "shareID" in one else [])

    def config(here: str, one: dict[str, Any]) -> list[FieldError]:
        errors = rules.required_one_of(f"{here}.source", one.get("source", ""), ("FromClaim", "FromClass"))
        return errors + validate_references(f"{here}.requests", one, known) + validate_configuration(here, one)

    errors = validate_items(f"{path}.devices.results", devices.get("results", []), _MAX_RESULTS, result)
    errors += validate_items(f"{path}.devices.config", devices.get("config", []), _MAX_CONFIG, config)
    if "nodeSelector" in allocation:
        errors += validate_node_selector(f"{path}.nodeSelector", allocation["nodeSelector"])
    return errors
