"""One device of a ResourceSlice: attributes, capacity, taints, counters, and where it is."""

from __future__ import annotations

import re
from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, required, too_long
from kube_twisted.registry import rules
from kube_twisted.registry.podspec.internal import shown
from kube_twisted.registry.podspec.scheduling import validate_node_selector
from kube_twisted.registry.resource.capacity import validate_request_policy
from kube_twisted.registry.resource.collections import validate_items, validate_map, validate_set
from kube_twisted.registry.resource.internal_types import RESOURCE_TYPES
from kube_twisted.registry.resource.names import attribute_name

Device = dict[str, Any]

_MAX_TOTAL, _MAX_VALUES, _MAX_TAINTS, _MAX_COUNTERS, _MAX_SETS, _MAX_TEXT = 32, 48, 16, 32, 2, 64
_MAX_CONDITIONS, _MAX_KEY = 4, 63 + 1 + 32
_EFFECTS = ("NoExecute", "NoSchedule", "None")
_SINGLES, _LISTS = ("bool", "int", "string", "version"), ("bools", "ints", "strings", "versions")
_ONE_PLACE = ("exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when "
              "`perDeviceNodeSelection` is set to true in the ResourceSlice spec")
_NO_PLACE = ("`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set "
             "to true in the ResourceSlice spec")
_NUMBER, _PRE, _BUILD = r"(0|[1-9]\d*)", r"(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)", "[0-9a-zA-Z-]+"
_SEMVER = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_PRE}(\.{_PRE})*)?(\+{_BUILD}(\.{_BUILD})*)?")


def validate_device(path: str, device: Device, old: Device | None, per_device: bool) -> list[FieldError]:
    """All of it; ``per_device`` when the slice leaves the place to its devices."""
    errors = rules.dns_label(f"{path}.name", device.get("name", ""))
    attributes, capacity = device.get("attributes", {}), device.get("capacity", {})
    total = len(attributes) + len(capacity)
    if total > _MAX_TOTAL:
        errors.append(invalid(path, total,
                              f"the total number of attributes and capacities must not exceed {_MAX_TOTAL}"))
    if len(attributes) > _MAX_VALUES:
        errors.append(invalid(path, len(attributes),
                              f"the total number of attribute values must not exceed {_MAX_VALUES}"))
    errors += validate_map(f"{path}.attributes", attributes, -1, attribute_name, _validate_attribute, _MAX_KEY)
    check = validate_request_policy if device.get("allowMultipleAllocations") else _validate_single
    errors += validate_map(f"{path}.capacity", capacity, -1, attribute_name, check, _MAX_KEY)
    if old is None or old.get("taints") != device.get("taints"):
        errors += validate_items(f"{path}.taints", device.get("taints", []), _MAX_TAINTS, _validate_taint)
    errors += validate_set(f"{path}.consumesCounters", device.get("consumesCounters", []), _MAX_SETS,
                           _validate_consumption, lambda one: one.get("counterSet", ""))
    return errors + _validate_place(path, device, per_device) + validate_binding(path, device)


def drop_disabled(device: Device) -> None:
    """Leave out what is behind gates that are off: attributes with lists, and resources of nodes."""
    device.pop("nodeAllocatableResourceMappings", None)
    for attribute in device.get("attributes", {}).values():
        for name in _LISTS:
            attribute.pop(name, None)


def validate_binding(path: str, one: dict[str, Any]) -> list[FieldError]:
    """Conditions of binding, as a device has them and the result of its allocation: both kinds or none."""
    good, bad = one.get("bindingConditions", []), one.get("bindingFailureConditions", [])
    errors = validate_items(f"{path}.bindingConditions", good, _MAX_CONDITIONS, rules.qualified_name)
    errors += validate_items(f"{path}.bindingFailureConditions", bad, _MAX_CONDITIONS, rules.qualified_name)
    errors += [duplicate(f"{path}.bindingConditions[{index}]", name)
               for index, name in enumerate(good) if name in good[:index]]
    for index, name in enumerate(bad):
        at = f"{path}.bindingFailureConditions[{index}]"
        if name in bad[:index]:
            errors.append(duplicate(at, name))
        if name in good:
            errors.append(invalid(at, name, "bindingFailureConditions must not overlap with bindingConditions"))
    if bad and not good:
        errors.append(invalid(f"{path}.bindingConditions", None,
                              "bindingConditions are required to use bindingFailureConditions"))
    if good and not bad:
        errors.append(invalid(f"{path}.bindingFailureConditions", None,
                              "bindingFailureConditions are required to use bindingConditions"))
    return errors


def _validate_attribute(path: str, attribute: dict[str, Any]) -> list[FieldError]:
    errors: list[FieldError] = []
    given = [kind for kind in _SINGLES if kind in attribute]
    for kind in given:
        errors += _validate_text(f"{path}.{kind}", attribute[kind], kind)
    if len(given) != 1:
        values = {kind: attribute[kind] for kind in given}
        errors.append(invalid(path, shown("DeviceAttribute", values, RESOURCE_TYPES) if given else "",
                              "exactly one value must be specified"))
    return errors


def _validate_text(path: str, value: Any, kind: str) -> list[FieldError]:
    errors = []
    if kind == "version" and not _SEMVER.fullmatch(value):
        errors.append(invalid(path, value, "must be a string compatible with semver.org spec 2.0.0"))
    if isinstance(value, str) and len(value.encode()) > _MAX_TEXT:
        errors.append(too_long(path, _MAX_TEXT))
    return errors


def _validate_single(path: str, capacity: dict[str, Any]) -> list[FieldError]:
    if "requestPolicy" not in capacity:
        return []
    return [forbidden(f"{path}.requestPolicy", "allowMultipleAllocations must be true")]


def _validate_taint(path: str, taint: dict[str, Any]) -> list[FieldError]:
    errors = rules.qualified_name(f"{path}.key", taint.get("key", ""))
    if taint.get("value"):
        errors += rules.messages(f"{path}.value", taint["value"], names.label_value(taint["value"]))
    return errors + rules.required_one_of(f"{path}.effect", taint.get("effect", ""), _EFFECTS)


def _validate_consumption(path: str, one: dict[str, Any]) -> list[FieldError]:
    name, counters = one.get("counterSet", ""), one.get("counters", {})
    errors = rules.dns_label(f"{path}.counterSet", name) if name else [required(f"{path}.counterSet")]
    if not counters:
        return [*errors, required(f"{path}.counters")]
    return errors + validate_map(f"{path}.counters", counters, _MAX_COUNTERS, rules.dns_label,
                                 lambda _at, _one: [])


def _validate_place(path: str, device: Device, per_device: bool) -> list[FieldError]:
    fields = [name for name in ("nodeName", "nodeSelector", "allNodes") if name in device]
    if not per_device:
        return [invalid(path, None, _NO_PLACE)] if fields else []
    errors = []
    if device.get("nodeName"):
        errors += rules.dns_subdomain(f"{path}.nodeName", device["nodeName"])
    elif "nodeName" in device:
        errors.append(invalid(f"{path}.nodeName", "", "must not be empty"))
    if "nodeSelector" in device:
        errors += validate_node_selector(f"{path}.nodeSelector", device["nodeSelector"])
    if device.get("allNodes") is False:
        errors.append(invalid(f"{path}.allNodes", False, "must be either unset or set to true"))
    given = [f"`{name}`" for name in fields if device[name] or name == "nodeSelector"]
    if not given:
        errors.append(required(path, _ONE_PLACE))
    elif len(given) > 1:
        errors.append(invalid(path, f"{{{', '.join(given)}}}", _ONE_PLACE))
    return errors
