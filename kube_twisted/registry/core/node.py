"""Nodes: taints are unique, pod CIDRs and the provider's id are set once."""

from __future__ import annotations

import re
from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import cidr_warnings, is_dual_stack, legacy_cidr
from kube_twisted.registry.core.resource_names import validate_quantity
from kube_twisted.registry.podspec import quantities
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

TAINT_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_FEATURE = re.compile(r"[A-Z][a-zA-Z0-9]*(/[a-zA-Z0-9]+)*")
_CIDR_ONCE = 'node updates may not change podCIDR except from "" to valid'


class NodeStrategy(Strategy):
    """Rules of ``nodes``; a new node may bring its status."""

    field_labels = frozenset({"spec.unschedulable"})
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        _pair_pod_cidrs(obj.setdefault("spec", {}))
        status = obj.setdefault("status", {})
        if status.get("capacity") and "allocatable" not in status:
            status["allocatable"] = dict(status["capacity"])
        for field in ("capacity", "allocatable"):
            quantities.round_up_to_milli(status.get(field))

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["spec"].pop("configSource", None)
        obj["status"].pop("config", None)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})
        if "configSource" not in old.get("spec", {}):
            obj["spec"].pop("configSource", None)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec, status = obj.get("spec", {}), obj.get("status", {})
        errors = validate_taints("metadata.taints", spec.get("taints", []))
        errors += _validate_resources(status) + _validate_swap(status)
        errors += _validate_features(status.get("declaredFeatures", []))
        return errors + _validate_pod_cidrs(spec.get("podCIDRs", []))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj) + validate_change(obj, old)

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        spec = obj.get("spec", {})
        warnings = ["spec.configSource: the feature is removed"] if "configSource" in spec else []
        if spec.get("externalID"):
            warnings.append("spec.externalID: this field is deprecated, and is unused by Kubernetes")
        for index, cidr in enumerate(spec.get("podCIDRs", [])):
            warnings += cidr_warnings(f"spec.podCIDRs[{index}]", cidr)
        return warnings

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        return {"spec.unschedulable": "true" if obj.get("spec", {}).get("unschedulable") else "false"}


class NodeStatusStrategy(StatusStrategy):
    """Rules of ``nodes/status``."""

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        if "config" not in old.get("status", {}):
            obj.get("status", {}).pop("config", None)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_change(obj, old)


def _pair_pod_cidrs(spec: Obj) -> None:
    """Keep ``podCIDR`` and the first of ``podCIDRs`` the same; the singular one wins."""
    single, several = spec.get("podCIDR", ""), spec.get("podCIDRs", [])
    if single and several[:1] != [single]:
        spec["podCIDRs"] = [single]
    elif several and not single:
        spec["podCIDR"] = several[0]


def validate_taints(path: str, taints: list[dict[str, Any]]) -> list[FieldError]:
    """Well-formed, and unique by key and effect."""
    errors = []
    seen: set[tuple[str, str]] = set()
    for index, taint in enumerate(taints):
        key, value, effect = (taint.get(name, "") for name in ("key", "value", "effect"))
        errors += rules.qualified_name(f"{path}[{index}].key", key)
        wrong = names.label_value(value)
        if wrong:
            errors.append(invalid(f"{path}[{index}].value", value, ";".join(wrong)))
        if not effect:
            errors.append(required(f"{path}[{index}].effect"))
        elif effect not in TAINT_EFFECTS:
            errors.append(not_supported(f"{path}[{index}].effect", effect, TAINT_EFFECTS))
        if (key, effect) in seen:
            shown = {"Key": key, "Value": value, "Effect": effect, "TimeAdded": taint.get("timeAdded")}
            errors.append(FieldError("Duplicate", f"{path}[{index}]", shown,
                                     "taints must be unique by key and effect pair"))
        seen.add((key, effect))
    return errors


def _validate_resources(status: Obj) -> list[FieldError]:
    errors = []
    for field in ("capacity", "allocatable"):
        for name, amount in sorted(status.get(field, {}).items()):
            errors += validate_quantity(f"status.{field}.{name}", name, amount)
    return errors


def _validate_swap(status: Obj) -> list[FieldError]:
    capacity = status.get("nodeInfo", {}).get("swap", {}).get("capacity")
    if capacity is None or capacity > 0:
        return []
    return [invalid("metadata.nodeSwapStatus.capacity", capacity, "must be greater than zero")]


def _validate_features(features: list[str]) -> list[FieldError]:
    errors = []
    for index, name in enumerate(features):
        path, problem = f"status.declaredFeatures[{index}]", ""
        if len(name) > 253:
            problem = "must be no more than 253 characters"
        elif not _FEATURE.fullmatch(name):
            problem = ("must start with an UpperCamelCase segment, with subsequent segments separated by '/' "
                       "(e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric "
                       "characters and slashes")
        if problem:
            errors.append(invalid(path, name, f'invalid feature name "{name}": {problem}'))
        if index and name == features[index - 1]:
            errors.append(duplicate(path, name))
        elif index and name < features[index - 1]:
            errors.append(invalid(path, name, "list must be sorted alphabetically"))
    return errors


def _validate_pod_cidrs(cidrs: list[str]) -> list[FieldError]:
    errors = []
    for index, cidr in enumerate(cidrs):
        errors += legacy_cidr(f"spec.podCIDRs[{index}]", cidr)
    if len(cidrs) > 1 and (len(cidrs) > 2 or not is_dual_stack(cidrs)):
        errors.append(invalid("spec.podCIDRs", cidrs, "may specify no more than one CIDR for each IP family"))
    return errors


def validate_change(obj: Obj, old: Obj) -> list[FieldError]:
    """What may be set once only, and the state of the new object that updates look at again."""
    spec, old_spec, status = obj.get("spec", {}), old.get("spec", {}), obj.get("status", {})
    errors = _validate_resources(status) + _validate_features(status.get("declaredFeatures", []))
    addresses = [(one.get("type", ""), one.get("address", "")) for one in status.get("addresses", [])]
    for index, (kind, address) in enumerate(addresses):
        if (kind, address) in addresses[:index]:
            errors.append(duplicate(f"status.addresses[{index}]", {"Type": kind, "Address": address}))
    before, after = old_spec.get("podCIDRs", []), spec.get("podCIDRs", [])
    if before and len(before) != len(after):
        errors.append(forbidden("spec.podCIDRs", _CIDR_ONCE))
    else:
        errors += [forbidden("spec.podCIDRs", _CIDR_ONCE)
                   for index, cidr in enumerate(before) if cidr != after[index]]
    if old_spec.get("providerID") and old_spec["providerID"] != spec.get("providerID"):
        errors.append(forbidden("spec.providerID",
                                'node updates may not change providerID except from "" to valid'))
    errors += validate_taints("metadata.taints", spec.get("taints", []))
    if spec.get("externalID", "") != old_spec.get("externalID", ""):
        errors.append(forbidden("spec.externalID", "may not be updated"))
    return errors


STRATEGY = NodeStrategy()
STATUS = NodeStatusStrategy(STRATEGY)
