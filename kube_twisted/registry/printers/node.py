"""Table columns of Nodes, and of RuntimeClasses (node.k8s.io)."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import AGE, NAME, NONE, UNKNOWN, at, find_condition, value_at
from kube_twisted.registry.printers.column import Cell, Obj, printer, text
from kube_twisted.registry.printers.documentation import Doc

_ROLE_PREFIX = "node-role.kubernetes.io/"
_ROLE_LABEL = "kubernetes.io/role"


def _status(obj: Obj, now: float) -> str:
    ready = find_condition(obj, "Ready")
    if ready is None:
        status = "Unknown"
    else:
        status = "Ready" if ready.get("status") == "True" else "NotReady"
    return f"{status},SchedulingDisabled" if value_at(obj, "spec.unschedulable") else status


def _roles(obj: Obj, now: float) -> str:
    """Roles that labels give: the end of a ``node-role`` label's name, or the value of a ``role`` label."""
    labels = value_at(obj, "metadata.labels", {})
    roles = {key.removeprefix(_ROLE_PREFIX) for key in labels if key.startswith(_ROLE_PREFIX)}
    roles.add(labels.get(_ROLE_LABEL, ""))
    return ",".join(sorted(roles - {""})) or NONE


def _address(kind: str) -> Cell:
    def cell(obj: Obj, now: float) -> str:
        addresses = value_at(obj, "status.addresses", [])
        return next((one.get("address", "") for one in addresses if one.get("type") == kind), NONE)

    return cell


def _info(field: str) -> Cell:
    return lambda obj, now: value_at(obj, f"status.nodeInfo.{field}") or UNKNOWN


def _kernel(obj: Obj, now: float) -> str:
    architecture = value_at(obj, "status.nodeInfo.architecture")
    suffix = f" ({architecture})" if architecture else ""
    return f"{_info('kernelVersion')(obj, now)}{suffix}"


_INFO = "core.v1.NodeSystemInfo"
_ADDRESSES = Doc("core.v1.NodeStatus.addresses")

PRINTERS = {
    ("", "nodes"): printer(
        NAME,
        text("Status", "The status of the node", _status),
        text("Roles", "The roles of the node", _roles),
        AGE,
        text("Version", Doc(f"{_INFO}.kubeletVersion"), at("status.nodeInfo.kubeletVersion")),
        text("Internal-IP", _ADDRESSES, _address("InternalIP"), wide=True),
        text("External-IP", _ADDRESSES, _address("ExternalIP"), wide=True),
        text("OS-Image", Doc(f"{_INFO}.osImage"), _info("osImage"), wide=True),
        text("Kernel-Version", Doc(f"{_INFO}.kernelVersion"), _kernel, wide=True),
        text("Container-Runtime", Doc(f"{_INFO}.containerRuntimeVersion"), _info("containerRuntimeVersion"),
             wide=True),
    ),
    ("node.k8s.io", "runtimeclasses"): printer(
        NAME,
        text("Handler", "", at("handler")),
        AGE,
    ),
}
