"""ResourceSlices: the devices that a driver offers, on one node, on some or on all."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, go_quote, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.podspec.internal import shown
from kube_twisted.registry.podspec.scheduling import validate_node_selector
from kube_twisted.registry.resource.collections import validate_map, validate_set
from kube_twisted.registry.resource.device import drop_disabled, validate_device
from kube_twisted.registry.resource.names import driver_name, pool_name
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_MAX_DEVICES, _MAX_ADVANCED, _MAX_COUNTER_SETS, _MAX_COUNTERS = 128, 64, 8, 32
_ONE_OF = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"


class ResourceSliceStrategy(Strategy):
    """Rules of ``resourceslices``."""

    returns_deleted_object = True
    has_generation = True
    field_labels = frozenset({"spec.nodeName", "spec.driver"})
    unknown_field_label = "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: {}"
    selects_namespace = False

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        for device in obj.get("spec", {}).get("devices", []):
            for taint in device.get("taints", []):
                taint.setdefault("timeAdded", ctx.now)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        self.prepare_for_create(ctx, obj)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec("spec", obj.get("spec", {}), None)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return _validate_spec("spec", obj.get("spec", {}), old.get("spec", {}))

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        driver = obj.get("spec", {}).get("driver", "")
        if driver == driver.lower():
            return []
        return [f"spec.driver: driver names should be lowercase; {go_quote(driver)} contains uppercase characters"]

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)

    def canonicalize(self, obj: Obj) -> None:
        for device in obj.get("spec", {}).get("devices", []):
            drop_disabled(device)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        spec = obj.get("spec", {})
        return {"spec.nodeName": spec.get("nodeName", ""), "spec.driver": spec.get("driver", "")}


def _validate_spec(path: str, spec: Obj, old: Obj | None) -> list[FieldError]:
    pool = spec.get("pool", {})
    errors = driver_name(f"{path}.driver", spec.get("driver", "")) + _validate_pool(f"{path}.pool", pool)
    if old is not None:
        errors += rules.immutable(f"{path}.pool.name", pool.get("name", ""),
                                  old.get("pool", {}).get("name", ""))
        errors += rules.immutable(f"{path}.driver", spec.get("driver", ""), old.get("driver", ""))
        errors += rules.immutable(f"{path}.nodeName", spec.get("nodeName"), old.get("nodeName"))
    errors += _validate_place(path, spec)
    devices, before = spec.get("devices"), {one.get("name"): one for one in (old or {}).get("devices", [])}
    if "sharedCounters" in spec and devices is not None:
        errors.append(invalid(path, "", "only one of `sharedCounters` or `devices` is allowed"))
    per_device = bool(spec.get("perDeviceNodeSelection"))

    def device(at: str, one: dict[str, Any]) -> list[FieldError]:
        return validate_device(at, one, before.get(one.get("name")), per_device)

    maximum = _MAX_ADVANCED if any(map(_is_advanced, devices or [])) else _MAX_DEVICES
    errors += validate_set(f"{path}.devices", devices or [], maximum, device, lambda one: one.get("name", ""))
    return errors + validate_set(f"{path}.sharedCounters", spec.get("sharedCounters", []), _MAX_COUNTER_SETS,
                                 _validate_counter_set, lambda one: one.get("name", ""))


def _is_advanced(device: dict[str, Any]) -> bool:
    """Whether a device uses what makes slices smaller: taints, counters."""
    return bool(device.get("taints") or device.get("consumesCounters"))


def _validate_pool(path: str, pool: dict[str, Any]) -> list[FieldError]:
    errors = pool_name(f"{path}.name", pool.get("name", ""))
    count, generation = pool.get("resourceSliceCount", 0), pool.get("generation", 0)
    if count <= 0:
        errors.append(invalid(f"{path}.resourceSliceCount", count, "must be greater than zero"))
    if generation < 0:
        errors.append(invalid(f"{path}.generation", generation, "must be greater than or equal to zero"))
    return errors


def _validate_place(path: str, spec: Obj) -> list[FieldError]:
    """Exactly one way of saying where the devices are."""
    errors, given = [], []
    if spec.get("nodeName"):
        given.append("`nodeName`")
        errors += rules.dns_subdomain(f"{path}.nodeName", spec["nodeName"])
    elif "nodeName" in spec:
        errors.append(invalid(f"{path}.nodeName", "", "must be either unset or set to a non-empty string"))
    if "nodeSelector" in spec:
        given.append("`nodeSelector`")
        errors += validate_node_selector(f"{path}.nodeSelector", spec["nodeSelector"])
        terms = spec["nodeSelector"].get("nodeSelectorTerms")
        if len(terms or []) != 1:
            errors.append(invalid(f"{path}.nodeSelector.nodeSelectorTerms",
                                  terms and [shown("NodeSelectorTerm", term) for term in terms],
                                  "must have exactly one node selector term"))
    for field in ("allNodes", "perDeviceNodeSelection"):
        if spec.get(field):
            given.append(f"`{field}`")
        elif field in spec:
            errors.append(invalid(f"{path}.{field}", False, "must be either unset or set to true"))
    if not given:
        errors.append(required(path, _ONE_OF))
    elif len(given) > 1:
        errors.append(invalid(path, f"{{{', '.join(given)}}}", f"{_ONE_OF}, but multiple fields are set"))
    return errors


def _validate_counter_set(path: str, one: dict[str, Any]) -> list[FieldError]:
    name, counters = one.get("name", ""), one.get("counters", {})
    errors = rules.dns_label(f"{path}.name", name) if name else [required(f"{path}.name")]
    if not counters:
        return [*errors, required(f"{path}.counters")]
    return errors + validate_map(f"{path}.counters", counters, _MAX_COUNTERS, rules.dns_label,
                                 lambda _at, _one: [])


STRATEGY = ResourceSliceStrategy()
