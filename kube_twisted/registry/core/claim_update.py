"""Updates of claims: what may change, and the status."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported
from kube_twisted.registry import rules
from kube_twisted.registry.core.resource_names import existing_amount, is_native
from kube_twisted.registry.podspec import quantities
from kube_twisted.registry.podspec.internal import difference
from kube_twisted.registry.strategy import Obj

_ANNOTATION = "volume.beta.kubernetes.io/storage-class"
_FIXED = ("spec is immutable after creation except resources.requests and volumeAttributesClassName for "
          "bound claims")
_RESIZE_STATUSES = ("ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress",
                    "NodeResizeInfeasible", "NodeResizePending")


def validate_claim_change(obj: Obj, old: Obj) -> list[FieldError]:
    """A volume and a class are named once; a bound claim can grow (KEP-284, KEP-1790)."""
    spec, old_spec = dict(obj.get("spec", {})), dict(old.get("spec", {}))
    errors = _allow_class(obj, old, spec)
    if not old_spec.get("volumeName"):
        old_spec["volumeName"] = spec["volumeName"] = ""
    if obj.get("status", {}).get("phase") == "Bound":
        _level(spec, old_spec)
    if changes := difference("PersistentVolumeClaimSpec", old_spec, spec):
        errors.append(forbidden("spec", f"{_FIXED}\n{changes}"))
    errors += _validate_size(obj, old)
    errors += rules.immutable("volumeMode", spec.get("volumeMode"), old_spec.get("volumeMode"))
    return errors + _validate_attributes_class(obj, old)


def _allow_class(obj: Obj, old: Obj, spec: dict[str, Any]) -> list[FieldError]:
    """Let a claim without a class get one, which must be that of its annotation if it has one."""
    before, after = (one.get("metadata", {}).get("annotations", {}).get(_ANNOTATION) for one in (old, obj))
    name, old_name = spec.get("storageClassName"), old.get("spec", {}).get("storageClassName")
    moved = before is not None and old_name is None and name == before and after in (None, before)
    if old_name is None and name is not None and before in (None, name):
        spec.pop("storageClassName")
    if moved or (before or "") == (after or ""):
        return []
    return [invalid(f"metadata.annotations.{_ANNOTATION}", after or "", rules.IMMUTABLE)]


def _level(spec: dict[str, Any], old_spec: dict[str, Any]) -> None:
    """Make what a bound claim may change the same in both."""
    old_size = old_spec.get("resources", {}).get("requests", {}).get("storage")
    resources = spec.get("resources", {})
    if "requests" in resources and old_size is not None:
        spec["resources"] = {**resources, "requests": {**resources["requests"], "storage": old_size}}
    spec.pop("volumeAttributesClassName", None)
    if "volumeAttributesClassName" in old_spec:
        spec["volumeAttributesClassName"] = old_spec["volumeAttributesClassName"]


def _validate_size(obj: Obj, old: Obj) -> list[FieldError]:
    new_size, old_size = (one.get("spec", {}).get("resources", {}).get("requests", {}).get("storage", "0")
                          for one in (obj, old))
    capacity = old.get("status", {}).get("capacity", {}).get("storage", "0")
    if quantities.compare(new_size, old_size) < 0 and quantities.compare(new_size, capacity) <= 0:
        return [forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")]
    return []


def _validate_attributes_class(obj: Obj, old: Obj) -> list[FieldError]:
    name, before = (one.get("spec", {}).get("volumeAttributesClassName") for one in (obj, old))
    if name == before or name or "currentVolumeAttributesClassName" not in old.get("status", {}):
        return []
    what = "nil" if name is None else "empty string"
    return [forbidden("spec.volumeAttributesClassName",
                      f"update to {what} is forbidden when "
                      "status.currentVolumeAttributesClassName is not nil")]


def validate_claim_status(obj: Obj) -> list[FieldError]:
    """Sizes that exist, and the states of resizing (KEP-1790)."""
    status = obj.get("status", {})
    errors: list[FieldError] = []
    for name, amount in sorted(status.get("capacity", {}).items()):
        errors += existing_amount(f"status.capacity[{name}]", amount)
    at = "status.allocatedResourceStatuses"
    for name, state in sorted(status.get("allocatedResourceStatuses", {}).items()):
        errors += _resource_key(at, name)
        if state not in _RESIZE_STATUSES:
            errors.append(not_supported(at, name, _RESIZE_STATUSES))
    at = "status.allocatedResources"
    for name, amount in sorted(status.get("allocatedResources", {}).items()):
        errors += _resource_key(at, name) or existing_amount(f"{at}[{name}]", amount)
    return errors


def _resource_key(path: str, name: str) -> list[FieldError]:
    errors = rules.qualified_name(path, name)
    if not errors and is_native(name) and name != "storage":
        errors = [not_supported(path, name, ("storage",))]
    return errors
