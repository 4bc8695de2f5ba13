"""Table columns of the apps group."""

from __future__ import annotations

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.registry.printers.cells import (
    AGE,
    NAME,
    NONE,
    at,
    labels_at,
    quotient,
    selector_at,
    template_columns,
    value_at,
)
from kube_twisted.registry.printers.column import Obj, Printed, integer, printer, text
from kube_twisted.registry.printers.documentation import Doc


def _deployment_selector(obj: Obj, now: float) -> str:
    """Like other selectors, but nothing for an empty one, and another word for a broken one."""
    shown = str(selector_at("spec.selector")(obj, now))
    return {NONE: "", "<error>": "<invalid>"}.get(shown, shown)


def _controller(obj: Obj, now: float) -> str:
    """The controlling owner as ``kind.group/name``."""
    owners = value_at(obj, "metadata.ownerReferences", [])
    owner = next((one for one in owners if one.get("controller")), None)
    if owner is None:
        return NONE
    kind = GroupVersion.parse(owner.get("apiVersion", "")).kind(owner.get("kind", ""))
    return f"{str(kind.group_kind).lower()}/{owner.get('name', '')}"


def _selector(kind: str) -> Printed:
    return text("Selector", Doc(f"apps.v1.{kind}Spec.selector"), selector_at("spec.selector"), wide=True)


def _scheduled(name: str, field: str) -> Printed:
    """A number out of a DaemonSet's status."""
    return integer(name, Doc(f"apps.v1.DaemonSetStatus.{field}"), at(f"status.{field}", 0))


_READY = text("Ready", "Number of the pod with ready state",
              quotient("status.readyReplicas", "spec.replicas"))

PRINTERS = {
    ("apps", "deployments"): printer(
        NAME,
        _READY,
        text("Up-to-date", Doc("apps.v1.DeploymentStatus.updatedReplicas"), at("status.updatedReplicas", 0)),
        text("Available", Doc("apps.v1.DeploymentStatus.availableReplicas"),
             at("status.availableReplicas", 0)),
        AGE,
        *template_columns("spec.template"),
        text("Selector", Doc("apps.v1.DeploymentSpec.selector"), _deployment_selector, wide=True),
    ),
    ("apps", "replicasets"): printer(
        NAME,
        integer("Desired", Doc("apps.v1.ReplicaSetSpec.replicas"), at("spec.replicas", 0)),
        integer("Current", Doc("apps.v1.ReplicaSetStatus.replicas"), at("status.replicas", 0)),
        integer("Ready", Doc("apps.v1.ReplicaSetStatus.readyReplicas"), at("status.readyReplicas", 0)),
        AGE,
        *template_columns("spec.template"),
        _selector("ReplicaSet"),
    ),
    ("apps", "daemonsets"): printer(
        NAME,
        _scheduled("Desired", "desiredNumberScheduled"),
        _scheduled("Current", "currentNumberScheduled"),
        _scheduled("Ready", "numberReady"),
        _scheduled("Up-to-date", "updatedNumberScheduled"),
        _scheduled("Available", "numberAvailable"),
        text("Node Selector", Doc("core.v1.PodSpec.nodeSelector"),
             labels_at("spec.template.spec.nodeSelector")),
        AGE,
        *template_columns("spec.template"),
        _selector("DaemonSet"),
    ),
    ("apps", "statefulsets"): printer(
        NAME,
        _READY,
        AGE,
        *template_columns("spec.template"),
    ),
    ("apps", "controllerrevisions"): printer(
        NAME,
        text("Controller", "Controller of the object", _controller),
        text("Revision", Doc("apps.v1.ControllerRevision.revision"), at("revision", 0)),
        AGE,
    ),
}
