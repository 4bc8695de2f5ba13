"""Services: a union by ``spec.type`` whose dependent fields come and go with the type.

Cluster IPs and node ports are allocated by the store, between defaulting and validation; here are the
rules that need no allocator. Rules: the Service API reference; ``pkg/registry/core/service``.
"""

from __future__ import annotations

from kube_twisted.api import names
from kube_twisted.api.field import FieldError
from kube_twisted.registry.addresses import ip_warnings
from kube_twisted.registry.core.loadbalancer_status import (
    default_ip_mode,
    validate_load_balancer_status,
)
from kube_twisted.registry.core.service_types import drop_type_dependent_fields
from kube_twisted.registry.core.service_update import (
    normalize_cluster_ips,
    patch_allocated_values,
    validate_change,
)
from kube_twisted.registry.core.service_validation import validate_service
from kube_twisted.registry.core.service_warnings import service_warnings
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

_WITH_POLICIES = ("ClusterIP", "NodePort", "LoadBalancer")
_AFFINITY_SECONDS = 10800


class ServiceStrategy(Strategy):
    """Rules of ``services``."""

    allow_create_on_update = True
    returns_deleted_object = True
    field_labels = frozenset({"spec.clusterIP", "spec.type"})
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        _default_affinity(spec)
        spec.setdefault("type", "ClusterIP")
        for port in spec.get("ports", []):
            port.setdefault("protocol", "TCP")
            if not port.get("targetPort"):
                port["targetPort"] = port.get("port", 0)
        external = spec["type"] in ("NodePort", "LoadBalancer") or (
            spec["type"] == "ClusterIP" and bool(spec.get("externalIPs")))
        if external:
            spec.setdefault("externalTrafficPolicy", "Cluster")
        if spec["type"] in _WITH_POLICIES:
            spec.setdefault("internalTrafficPolicy", "Cluster")
        if spec["type"] == "LoadBalancer":
            spec.setdefault("allocateLoadBalancerNodePorts", True)
            default_ip_mode(obj)

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return names.dns_label(name, prefix)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {"loadBalancer": {}}
        normalize_cluster_ips(obj["spec"], None)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = dict(old.get("status", {}))
        patch_allocated_values(obj["spec"], old["spec"])
        normalize_cluster_ips(obj["spec"], old["spec"])
        drop_type_dependent_fields(obj, old)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_service(obj, None)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_change(obj["spec"], old["spec"]) + validate_service(obj, old)

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return service_warnings(obj)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return service_warnings(obj)

    def canonicalize(self, obj: Obj) -> None:
        """A policy for traffic inside the cluster means nothing for a name outside of it."""
        if obj["spec"].get("type") == "ExternalName":
            obj["spec"].pop("internalTrafficPolicy", None)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        spec = obj.get("spec", {})
        return {"spec.clusterIP": spec.get("clusterIP", ""), "spec.type": spec.get("type", "")}


class ServiceStatusStrategy(StatusStrategy):
    """Rules of ``services/status``."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_load_balancer_status("status.loadBalancer", obj, old)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        ingress = obj.get("status", {}).get("loadBalancer", {}).get("ingress", [])
        return [warning for index, one in enumerate(ingress) if one.get("ip")
                for warning in ip_warnings(f"status.loadBalancer.ingress[{index}]", one["ip"])]


def _default_affinity(spec: Obj) -> None:
    affinity = spec.setdefault("sessionAffinity", "None")
    if affinity == "None":
        spec.pop("sessionAffinityConfig", None)
    elif affinity == "ClientIP":
        client = spec.get("sessionAffinityConfig", {}).get("clientIP", {})
        if "timeoutSeconds" not in client:
            spec["sessionAffinityConfig"] = {"clientIP": {"timeoutSeconds": _AFFINITY_SECONDS}}


STRATEGY = ServiceStrategy()
STATUS = ServiceStatusStrategy(STRATEGY)
