"""Pods: creation, updates, deletion and their subresources' rules."""

from __future__ import annotations

from kube_twisted.api.field import FieldError
from kube_twisted.api.names import dns_label
from kube_twisted.registry.addresses import ip_warnings
from kube_twisted.registry.podspec.aliases import drop_init_annotations, sync_pod_ips, sync_service_account
from kube_twisted.registry.podspec.apparmor import annotation_warnings, apply_annotations
from kube_twisted.registry.podspec.defaults import default_pod_spec, default_resources
from kube_twisted.registry.podspec.disabled import drop_disabled_fields, drop_disabled_status
from kube_twisted.registry.podspec.pod import validate_pod
from kube_twisted.registry.podspec.pod_resize import keep_all_but_resources, validate_resize
from kube_twisted.registry.podspec.pod_status import validate_pod_status
from kube_twisted.registry.podspec.pod_update import validate_ephemeral_update, validate_pod_update
from kube_twisted.registry.podspec.qos import qos_class
from kube_twisted.registry.podspec.resource_defaults import default_pod_resources
from kube_twisted.registry.podspec.scheduling_labels import merge_label_keys
from kube_twisted.registry.podspec.warnings import pod_warnings
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

_HOSTNAME_WARNING = ("metadata.name: this is used in the Pod's hostname, which can result in surprising "
                     "behavior; a DNS label is recommended: ")
_GATED = {"type": "PodScheduled", "status": "False", "reason": "SchedulingGated",
          "message": "Scheduling is blocked due to non-empty scheduling gates"}
#: Metadata that subresources take from the old object.
_FIXED_METADATA = ("deletionTimestamp", "labels", "annotations", "finalizers", "ownerReferences")
_STATUS_LISTS = ("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses")


class PodStrategy(Strategy):
    """Source: the API reference of Pod."""

    has_generation = True
    returns_deleted_object = True
    reset_fields: tuple[tuple[str, ...], ...] = (("status",),)
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

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_pod(obj)

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        messages = dns_label(obj["metadata"].get("name", ""))
        warnings = [f"{_HOSTNAME_WARNING}[{' '.join(messages)}]"] if messages else []
        return warnings + annotation_warnings(obj) + pod_warnings(obj)

    def default_as_read(self, obj: Obj) -> None:
        """Requests of the whole pod follow from those that admission gave its containers."""
        default_pod_resources(obj["spec"])

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})
        drop_disabled_fields(obj["spec"], old["spec"])
        sync_service_account(obj["spec"])

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_pod_update(obj, old)

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
    default_resources({"limits": status.get("allocatedResources")})
    default_resources(status.get("resources") or {})
    for name in _STATUS_LISTS:
        for one in status.get(name) or ():
            default_resources({"limits": one.get("allocatedResources")})
            default_resources(one.get("resources") or {})


class PodStatusStrategy(StatusStrategy):
    """The status endpoint, which kubelets and the scheduler write."""

    reset_fields: tuple[tuple[str, ...], ...] = (
        ("spec",), ("metadata", "deletionTimestamp"), ("metadata", "ownerReferences"))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        """Owner references stay, since old kubelets damage them; so do a class and generations left out."""
        super().prepare_for_update(ctx, obj, old)
        _take_back(obj["metadata"], old["metadata"], ("ownerReferences",))
        status, before = obj.setdefault("status", {}), old.get("status") or {}
        if not status.get("qosClass") and before.get("qosClass"):
            status["qosClass"] = before["qosClass"]
        _keep_observed_generations(status, before)
        drop_disabled_status(status, before)
        if "nodeAllocatableResourceClaimStatuses" not in before:
            status.pop("nodeAllocatableResourceClaimStatuses", None)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_pod_status(obj, old)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        status = obj.get("status") or {}
        return [warning for name in ("podIPs", "hostIPs") for index, one in enumerate(status.get(name) or ())
                for warning in ip_warnings(f"status.{name}[{index}].ip", one.get("ip", ""))]


class PodPartStrategy(PodStrategy):
    """A subresource that changes one part of the spec.

    :cvar kept_fields: the only paths that a write owns; ``*`` is any element.
    """

    reset_fields = ()
    kept_fields: tuple[tuple[str, ...], ...] = ()


class EphemeralContainersStrategy(PodPartStrategy):
    """``pods/ephemeralcontainers`` (KEP-277)."""

    kept_fields = (("spec", "ephemeralContainers"),)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        added = obj["spec"].get("ephemeralContainers")
        obj["spec"] = {key: value for key, value in old["spec"].items() if key != "ephemeralContainers"}
        if added:
            obj["spec"]["ephemeralContainers"] = added
        obj["status"] = old.get("status", {})
        _take_back(obj["metadata"], old["metadata"], _FIXED_METADATA)
        drop_disabled_fields(obj["spec"], old["spec"])

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_ephemeral_update(obj, old)


class ResizeStrategy(PodPartStrategy):
    """``pods/resize`` (KEP-1287)."""

    kept_fields = tuple(("spec", kind, "*", name) for kind in ("containers", "initContainers")
                        for name in ("resources", "resizePolicy"))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        before = obj["spec"]
        keep_all_but_resources(obj, old)
        if obj["spec"] is not before:
            _take_back(obj["metadata"], old["metadata"], _FIXED_METADATA)
        drop_disabled_fields(obj["spec"], old["spec"])

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_resize(obj, old)


def _take_back(new: Obj, old: Obj, names: tuple[str, ...]) -> None:
    for name in names:
        new.pop(name, None)
        if name in old:
            new[name] = old[name]


def _keep_observed_generations(status: Obj, before: Obj) -> None:
    """A client that does not know observedGeneration does not clear it (KEP-5067)."""
    if not status.get("observedGeneration") and before.get("observedGeneration"):
        status["observedGeneration"] = before["observedGeneration"]
    known: dict[str, list[int]] = {}
    for condition in before.get("conditions") or ():
        known.setdefault(condition.get("type", ""), []).append(condition.get("observedGeneration", 0))
    for condition in status.get("conditions") or ():
        generations = known.get(condition.get("type", ""))
        generation = generations.pop(0) if generations else 0
        if generation and not condition.get("observedGeneration"):
            condition["observedGeneration"] = generation


STRATEGY = PodStrategy()
STATUS = PodStatusStrategy(STRATEGY)
EPHEMERAL = EphemeralContainersStrategy()
RESIZE = ResizeStrategy()
