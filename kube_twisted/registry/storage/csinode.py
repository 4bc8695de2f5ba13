"""CSINodes: the storage drivers of a node; an entry stays as it is but for how much it can hold."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.core.volume_sources import csi_driver_name
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_MAX_NODE_ID = 256


class CSINodeStrategy(Strategy):
    """Rules of ``csinodes``."""

    allow_unconditional_update = False
    returns_deleted_object = True

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors: list[FieldError] = []
        seen: set[str] = set()
        for index, driver in enumerate(_drivers(obj)):
            errors += _validate_driver(f"spec.drivers[{index}]", driver, seen)
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = self.validate(ctx, obj)
        for before in _drivers(old):
            for driver in _drivers(obj):
                if driver.get("name") == before.get("name"):
                    errors += rules.immutable("spec.drivers", _go_driver(driver), _go_driver(before))
        return errors


def _drivers(obj: Obj) -> list[dict[str, Any]]:
    return obj.get("spec", {}).get("drivers") or []


def _go_driver(driver: dict[str, Any]) -> dict[str, Any]:
    """What of an entry must stay, as the original's message shows it."""
    return {"Name": driver.get("name", ""), "NodeID": driver.get("nodeID", ""),
            "TopologyKeys": driver.get("topologyKeys"), "Allocatable": None}


def _validate_driver(path: str, driver: dict[str, Any], seen: set[str]) -> list[FieldError]:
    name, node_id = driver.get("name", ""), driver.get("nodeID", "")
    errors = csi_driver_name(f"{path}.name", name)
    if not node_id:
        errors.append(required(f"{path}.nodeID"))
    if len(node_id) > _MAX_NODE_ID:
        errors.append(invalid(f"{path}.nodeID", node_id, f"must be {_MAX_NODE_ID} characters or less"))
    count = driver.get("allocatable", {}).get("count")
    errors += rules.non_negative(f"{path}.allocatable.count", count) if count is not None else []
    if name in seen:
        errors.append(duplicate(f"{path}.name", name))
    seen.add(name)
    keys = driver.get("topologyKeys") or []
    for index, key in enumerate(keys):
        if not key:
            errors.append(required(path, key))
        if key in keys[:index]:
            errors.append(duplicate(path, key))
        errors += rules.qualified_name(path, key)
    return errors


STRATEGY = CSINodeStrategy()
