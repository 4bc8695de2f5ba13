"""Table columns of the resource.k8s.io group: dynamic resource allocation."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.printers.cells import AGE, NAME, NONE, age, at, is_deleting, since, value_at
from kube_twisted.registry.printers.column import Cell, Obj, Printed, integer, printer, text
from kube_twisted.registry.printers.documentation import Doc

_NOT_YET = "-"


def _claim_state(obj: Obj, now: float) -> str:
    states = ["deleted"] if is_deleting(obj) else []
    if value_at(obj, "status.allocation") is not None:
        states.append("allocated")
        if value_at(obj, "status.reservedFor"):
            states.append("reserved")
    return ",".join(states) or "pending"


def _outcome(obj: Obj) -> Obj:
    """The condition that ended a ResourcePoolStatusRequest; empty before its end."""
    conditions = value_at(obj, "status.conditions", [])
    return next((one for one in conditions
                 if one.get("type") in ("Complete", "Failed") and one.get("status") == "True"), {})


def _over_pools(amount: Any) -> Cell:
    """A sum over the pools found; there is none before the status, and after a failure."""

    def cell(obj: Obj, now: float) -> str:
        if "status" not in obj or _outcome(obj).get("type") == "Failed":
            return _NOT_YET
        return str(sum(amount(pool) for pool in value_at(obj, "status.pools", [])))

    return cell


def _devices(field: str) -> Cell:
    return _over_pools(lambda pool: pool.get(field, 0))


def _request_status(obj: Obj, now: float) -> str:
    """How far the request is; complete requests tell when they could not list all pools."""
    status = str(_outcome(obj).get("type", "Pending"))
    listed, found = len(value_at(obj, "status.pools", ())), value_at(obj, "status.poolCount", 0)
    return f"Complete ({listed}/{found} pools)" if status == "Complete" and found > listed else status


def _completed(obj: Obj, now: float) -> str:
    outcome = _outcome(obj)
    return since(outcome.get("lastTransitionTime"), now) if outcome.get("type") == "Complete" else NONE


def _taint(name: str, field: str) -> Printed:
    return text(name, Doc(f"resource.v1.DeviceTaint.{field}"), at(f"spec.taint.{field}"))


_GROUP = "resource.k8s.io"
PRINTERS = {
    (_GROUP, "deviceclasses"): printer(NAME, AGE),
    (_GROUP, "resourceclaims"): printer(
        NAME,
        text("State", "A summary of the current state (allocated, pending, reserved, etc.).", _claim_state),
        AGE,
    ),
    (_GROUP, "resourceclaimtemplates"): printer(NAME, AGE),
    (_GROUP, "resourceslices"): printer(
        NAME,
        text("Node", Doc("resource.v1.ResourceSliceSpec.nodeName"), at("spec.nodeName")),
        text("Driver", Doc("resource.v1.ResourceSliceSpec.driver"), at("spec.driver")),
        text("Pool", Doc("resource.v1.ResourcePool.name"), at("spec.pool.name")),
        AGE,
    ),
    (_GROUP, "devicetaintrules"): printer(
        NAME,
        _taint("Key", "key"),
        _taint("Value", "value"),
        _taint("Effect", "effect"),
        text("TimeAdded", Doc("resource.v1.DeviceTaint.timeAdded"), age("spec.taint.timeAdded", "")),
        AGE,
    ),
    (_GROUP, "resourcepoolstatusrequests"): printer(
        NAME,
        text("Driver", "The driver to query pools for.", at("spec.driver")),
        text("Total", "Total number of devices across all pools.", _devices("totalDevices")),
        text("Available", "Number of available devices across all pools.", _devices("availableDevices")),
        text("Allocated", "Number of allocated devices across all pools.", _devices("allocatedDevices")),
        text("Unavailable", "Number of unavailable devices across all pools.",
             _devices("unavailableDevices")),
        text("Errors", "Number of pools with validation errors.",
             _over_pools(lambda pool: "validationError" in pool)),
        integer("Pools", "Total number of matching pools.", at("status.poolCount", 0)),
        text("Status", "Processing status.", _request_status),
        text("Completed", "Time since the observation completed.", _completed),
    ),
}
