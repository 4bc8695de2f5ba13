"""Table columns of the smaller core kinds."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import (
    AGE,
    NAME,
    at,
    count,
    labels_at,
    template_columns,
    value_at,
)
from kube_twisted.registry.printers.column import Cell, Obj, integer, printer, text
from kube_twisted.registry.printers.documentation import Doc


def _quota(limits: bool) -> Cell:
    """Used and hard amounts of those resources that are limits, or that are not."""

    def cell(obj: Obj, now: float) -> str:
        hard, used = value_at(obj, "status.hard", {}), value_at(obj, "status.used", {})
        return ", ".join(f"{name}: {used.get(name, '0')}/{hard[name]}" for name in sorted(hard)
                         if name.startswith("limits.") is limits)

    return cell


def _health(obj: Obj) -> Obj:
    """The condition of a ComponentStatus, which has no status of its own."""
    return next((one for one in value_at(obj, "conditions", []) if one.get("type") == "Healthy"), {})


def _health_status(obj: Obj, now: float) -> str:
    status = _health(obj).get("status")
    if status is None:
        return "Unknown"
    return "Healthy" if status == "True" else "Unhealthy"


def _health_text(field: str) -> Cell:
    return lambda obj, now: _health(obj).get(field, "")


_RC = "core.v1.ReplicationController"

PRINTERS = {
    ("", "namespaces"): printer(
        NAME,
        text("Status", "The status of the namespace", at("status.phase")),
        AGE,
    ),
    ("", "secrets"): printer(
        NAME,
        text("Type", Doc("core.v1.Secret.type"), at("type")),
        text("Data", Doc("core.v1.Secret.data"), count("data")),
        AGE,
    ),
    ("", "configmaps"): printer(
        NAME,
        text("Data", Doc("core.v1.ConfigMap.data"), count("data", "binaryData")),
        AGE,
    ),
    ("", "serviceaccounts"): printer(NAME, AGE),
    ("", "podtemplates"): printer(
        NAME,
        *template_columns("template", wide=False),
        text("Pod Labels", "The labels for the pod template.", labels_at("template.metadata.labels")),
    ),
    ("", "replicationcontrollers"): printer(
        NAME,
        integer("Desired", Doc(f"{_RC}Spec.replicas"), at("spec.replicas", 0)),
        integer("Current", Doc(f"{_RC}Status.replicas"), at("status.replicas", 0)),
        integer("Ready", Doc(f"{_RC}Status.readyReplicas"), at("status.readyReplicas", 0)),
        AGE,
        *template_columns("spec.template"),
        text("Selector", Doc(f"{_RC}Spec.selector"), labels_at("spec.selector"), wide=True),
    ),
    ("", "resourcequotas"): printer(
        NAME,
        text("Request", "Request represents a minimum amount of cpu/memory that a container may consume.",
             _quota(limits=False)),
        text("Limit", "Limits control the maximum amount of cpu/memory that a container may use "
                      "independent of contention on the node.", _quota(limits=True)),
        AGE,
    ),
    ("", "componentstatuses"): printer(
        NAME,
        text("Status", "Status of the component conditions", _health_status),
        text("Message", "Message of the component conditions", _health_text("message")),
        text("Error", "Error of the component conditions", _health_text("error")),
    ),
}
