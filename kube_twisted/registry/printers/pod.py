"""Table columns of Pods: readiness, restarts, and the one word that says what a pod is doing."""

from __future__ import annotations

from typing import Any

from attrs import define

from kube_twisted.registry.printers.cells import (
    AGE,
    NAME,
    NONE,
    find_condition,
    has_condition,
    is_deleting,
    since,
    value_at,
)
from kube_twisted.registry.printers.column import Column, Obj, Printer
from kube_twisted.registry.printers.documentation import Doc

COLUMNS = (
    NAME[0],
    Column("Ready", description="The aggregate readiness state of this pod for accepting traffic."),
    Column("Status", description="The aggregate status of the containers in this pod."),
    Column("Restarts", description="The number of times the containers in this pod have been restarted and "
                                   "when the last container in this pod has restarted."),
    AGE[0],
    Column("IP", description=Doc("core.v1.PodStatus.podIP"), priority=1),
    Column("Node", description=Doc("core.v1.PodSpec.nodeName"), priority=1),
    Column("Nominated Node", description=Doc("core.v1.PodStatus.nominatedNodeName"), priority=1),
    Column("Readiness Gates", description=Doc("core.v1.PodSpec.readinessGates"), priority=1),
)
_COMPLETED = {"Succeeded": "The pod has completed successfully.", "Failed": "The pod failed."}


@define
class _Restarts:
    """Restarts of some containers, and when the last of them ended (RFC 3339, empty when not known)."""

    number: int = 0
    last: str = ""

    def add(self, status: Obj) -> None:
        self.number += status.get("restartCount", 0)
        finished = value_at(status, "lastState.terminated.finishedAt") or ""
        self.last = max(self.last, finished)

    def text(self, now: float) -> str:
        if self.number and self.last:
            return f"{self.number} ({since(self.last, now)} ago)"
        return str(self.number)


@define
class _Containers:
    """What the container statuses of a pod add up to."""

    reason: str
    ready: int
    restarts: _Restarts


def row(obj: Obj, now: float) -> list[Any]:
    found = _containers(obj)
    init = value_at(obj, "spec.initContainers", [])
    total = len(value_at(obj, "spec.containers", [])) + sum(map(_is_sidecar, init))
    ips = value_at(obj, "status.podIPs", [])
    return [
        NAME[1](obj, now),
        f"{found.ready}/{total}",
        _ended(obj) or found.reason,
        found.restarts.text(now),
        AGE[1](obj, now),
        (ips[0].get("ip") if ips else "") or NONE,
        value_at(obj, "spec.nodeName") or NONE,
        value_at(obj, "status.nominatedNodeName") or NONE,
        _readiness_gates(obj),
    ]


def conditions(obj: Obj) -> list[Obj] | None:
    """A pod that ran to its end has a completed row, which clients may hide."""
    phase = value_at(obj, "status.phase")
    if phase not in _COMPLETED:
        return None
    return [{"type": "Completed", "status": "True", "reason": phase, "message": _COMPLETED[phase]}]


def _is_sidecar(container: Obj) -> bool:
    """Whether an init container keeps running beside the main ones (KEP-753)."""
    return container.get("restartPolicy") == "Always"


def _ended(obj: Obj) -> str:
    """The status of a pod that is being deleted, which hides all others."""
    if not is_deleting(obj):
        return ""
    if value_at(obj, "status.reason") == "NodeLost":
        return "Unknown"
    return "" if value_at(obj, "status.phase") in _COMPLETED else "Terminating"


def _phase(obj: Obj) -> str:
    """The status of a pod whose containers have nothing to say."""
    reason: str = value_at(obj, "status.reason") or value_at(obj, "status.phase", "")
    scheduled = find_condition(obj, "PodScheduled") or {}
    return "SchedulingGated" if scheduled.get("reason") == "SchedulingGated" else reason


def _containers(obj: Obj) -> _Containers:
    initialized, sidecars = _init_containers(obj)
    if initialized.reason and not has_condition(obj, "Initialized"):
        return initialized
    reason = initialized.reason or _phase(obj)
    return _main_containers(obj, _Containers(reason, initialized.ready, sidecars))


def _init_containers(obj: Obj) -> tuple[_Containers, _Restarts]:
    """The state of initialization, with an empty reason once it is over; and the restarts of sidecars.

    Containers after the one that holds initialization up are not counted.
    """
    specs = {one.get("name"): one for one in value_at(obj, "spec.initContainers", [])}
    found, sidecars = _Containers("", 0, _Restarts()), _Restarts()
    for index, status in enumerate(value_at(obj, "status.initContainerStatuses", [])):
        sidecar = _is_sidecar(specs.get(status.get("name"), {}))
        found.restarts.add(status)
        if sidecar:
            sidecars.add(status)
        terminated = value_at(status, "state.terminated")
        if terminated is not None and not terminated.get("exitCode"):
            continue
        if sidecar and status.get("started"):
            found.ready += bool(status.get("ready"))
            continue
        found.reason = f"Init:{_init_reason(status, index, len(specs))}"
        break
    return found, sidecars


def _init_reason(status: Obj, index: int, total: int) -> str:
    terminated = value_at(status, "state.terminated")
    if terminated is not None:
        return _terminated_reason(terminated)
    waiting: str = value_at(status, "state.waiting.reason", "")
    return waiting if waiting not in ("", "PodInitializing") else f"{index}/{total}"


def _terminated_reason(terminated: Obj) -> str:
    if terminated.get("reason"):
        return str(terminated["reason"])
    if terminated.get("signal"):
        return f"Signal:{terminated['signal']}"
    return f"ExitCode:{terminated.get('exitCode', 0)}"


def _main_containers(obj: Obj, found: _Containers) -> _Containers:
    """Add the main containers; the first of them that is not running decides the reason."""
    running, failure = False, ""
    for status in reversed(value_at(obj, "status.containerStatuses", [])):
        found.restarts.add(status)
        waiting = value_at(status, "state.waiting.reason")
        terminated = value_at(status, "state.terminated")
        if waiting:
            found.reason = waiting
        elif terminated is not None:
            found.reason = _terminated_reason(terminated)
            failure = found.reason if terminated.get("exitCode") else failure
        elif status.get("ready") and value_at(status, "state.running") is not None:
            running = True
            found.ready += 1
    if found.reason == "Completed":
        found.reason = _not_all_completed(obj, running, failure)
    return found


def _not_all_completed(obj: Obj, running: bool, failure: str) -> str:
    """The reason of a pod whose first container completed: others may still run, or have failed."""
    if running and has_condition(obj, "Ready"):
        return "Running"
    return failure or ("NotReady" if running else "Completed")


def _readiness_gates(obj: Obj) -> str:
    gates = value_at(obj, "spec.readinessGates", [])
    if not gates:
        return NONE
    return f"{sum(has_condition(obj, one.get('conditionType', '')) for one in gates)}/{len(gates)}"


PRINTERS = {("", "pods"): Printer(COLUMNS, row, conditions)}
