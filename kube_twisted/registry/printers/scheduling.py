"""Table columns of the scheduling.k8s.io group."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import AGE, NAME, NONE, at, find_condition, value_at
from kube_twisted.registry.printers.column import Obj, boolean, integer, printer, text
from kube_twisted.registry.printers.documentation import Doc


def _pod_group_policy(obj: Obj, now: float) -> str:
    return "Basic" if value_at(obj, "spec.schedulingPolicy.gang") is None else "Gang"


def _pod_group_status(obj: Obj, now: float) -> str:
    disrupted = find_condition(obj, "DisruptionTarget")
    if disrupted is not None:
        return str(disrupted.get("reason", ""))
    scheduled = find_condition(obj, "PodGroupScheduled")
    if scheduled is None:
        return "Pending"
    return "Scheduled" if scheduled.get("status") == "True" else "Unschedulable"


_GROUP = "scheduling.k8s.io"
_PRIORITY = "scheduling.v1.PriorityClass"

PRINTERS = {
    (_GROUP, "priorityclasses"): printer(
        NAME,
        integer("Value", Doc(f"{_PRIORITY}.value"), at("value", 0)),
        boolean("Global-Default", Doc(f"{_PRIORITY}.globalDefault"), at("globalDefault", False)),
        AGE,
        text("PreemptionPolicy", Doc(f"{_PRIORITY}.preemptionPolicy"), at("preemptionPolicy")),
    ),
    (_GROUP, "workloads"): printer(NAME, AGE),
    (_GROUP, "podgroups"): printer(
        NAME,
        text("Policy", Doc("scheduling.v1alpha2.PodGroupSpec.schedulingPolicy"), _pod_group_policy),
        text("Workload", "Name of the referenced Workload object",
             at("spec.podGroupTemplateRef.workload.workloadName", NONE)),
        text("Status", "Status of the PodGroup", _pod_group_status),
        AGE,
    ),
}
