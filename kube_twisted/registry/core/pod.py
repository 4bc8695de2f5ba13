"""Pods: creation, updates, deletion and their subresources' rules."""

from __future__ import annotations

from kube_twisted.api.names import dns_label
from kube_twisted.registry.podspec.aliases import drop_init_annotations, sync_pod_ips, sync_service_account
from kube_twisted.registry.podspec.apparmor import apply_annotations
from kube_twisted.registry.podspec.defaults import default_pod_spec, default_resources
from kube_twisted.registry.podspec.disabled import drop_disabled_fields
from kube_twisted.registry.podspec.qos import qos_class
from kube_twisted.registry.podspec.resource_defaults import default_pod_resources
from kube_twisted.registry.podspec.scheduling_labels import merge_label_keys
from kube_twisted.registry.podspec.warnings import pod_warnings
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

_HOSTNAME_WARNING = ("metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; "
                     "a DNS label is recommended: ")
_GATED = {"type": "PodScheduled", "status": "False", "reason": "SchedulingGated",
          "message": "Scheduling is blocked due to non-empty scheduling gates"}
_STATUS_LISTS = ("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses")


class PodStrategy(Strategy):
    """Source: the API reference of Pod."""

    has_generation = True
    returns_deleted_object = True
    reset_fields = (("status",),)
    field_labels = frozenset({
        "spec.nodeName", "spec.host", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
        "spec.hostNetwork", "status.phase", "status.podIP", "status.podIPs", "status.nominatedNodeName"})

    def default(self, obj: Obj) -> None:
        spec = obj["spec"]
        default_pod_spec(spec)
        default_pod_resources(spec)
        spec.setdefault("enableServiceLinks", True)
        if spec["terminationGracePeriodSeconds"] < 0:
            spec["terminationGracePeriodSeconds"] = 1
        if spec.get("hostNetwork"):
            _default_host_ports(spec)
        drop_init_annotations(obj["metadata"])
        if obj.get("status"):
            _default_status(obj["status"])

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        spec = obj["spec"]
        asked = (obj.get("status") or {}).get("qosClass")
        obj["status"] = status = {"phase": "Pending", "qosClass": asked or qos_class(spec)}
        drop_disabled_fields(spec)
        sync_service_account(spec)
        if spec.get("schedulingGates"):
            status["conditions"] = [_GATED | {"lastProbeTime": None, "lastTransitionTime": ctx.now}]
        merge_label_keys(spec, obj["metadata"].get("labels") or {})
        apply_annotations(obj)

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        messages = dns_label(obj["metadata"].get("name", ""))
        warnings = [f"{_HOSTNAME_WARNING}[{' '.join(messages)}]"] if messages else []
        return warnings + pod_warnings(obj)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})
        drop_disabled_fields(obj["spec"], old["spec"])
        sync_service_account(obj["spec"])

    def check_graceful_delete(self, ctx: WriteContext, obj: Obj, options: Obj) -> bool:
        """The client's period, else the pod's; none when it is not bound to a node, or has ended."""
        spec = obj["spec"]
        period = options.get("gracePeriodSeconds")
        if period is None:
            period = spec.get("terminationGracePeriodSeconds", 0)
        if not spec.get("nodeName") or (obj.get("status") or {}).get("phase") in ("Failed", "Succeeded"):
            period = 0
        options["gracePeriodSeconds"] = 1 if period < 0 else period
        return True

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        spec, status = obj["spec"], obj.get("status") or {}
        node = spec.get("nodeName", "")
        addresses = status.get("podIPs")
        return {
            "spec.nodeName": node,
            "spec.host": node,
            "spec.restartPolicy": spec.get("restartPolicy", ""),
            "spec.schedulerName": spec.get("schedulerName", ""),
            "spec.serviceAccountName": spec.get("serviceAccountName", ""),
            "spec.hostNetwork": "true" if spec.get("hostNetwork") else "false",
            "status.phase": status.get("phase", ""),
            "status.podIP": addresses[0].get("ip", "") if addresses else "",
            "status.podIPs": "",
            "status.nominatedNodeName": status.get("nominatedNodeName", ""),
        }


def _default_host_ports(spec: Obj) -> None:
    """In the host's network a container's port is the host's port."""
    for name in ("containers", "initContainers"):
        for container in spec.get(name) or ():
            for port in container.get("ports") or ():
                if not port.get("hostPort") and port.get("containerPort"):
                    port["hostPort"] = port["containerPort"]


def _default_status(status: Obj) -> None:
    sync_pod_ips(status)
    for name in _STATUS_LISTS:
        for one in status.get(name) or ():
            default_resources({"limits": one.get("allocatedResources")})
            default_resources(one.get("resources") or {})


class PodStatusStrategy(StatusStrategy):
    """The status endpoint, which kubelets and schedulers write."""

    reset_fields = (("spec",), ("metadata", "deletionTimestamp"), ("metadata", "ownerReferences"))


STRATEGY = PodStrategy()
STATUS = PodStatusStrategy(STRATEGY)
