"""Validation of Services, in the order in which the original lists errors."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import endpoint_ip, legacy_cidr, legacy_ip
from kube_twisted.registry.core.endpoints import PROTOCOLS
from kube_twisted.registry.core.service_ips import validate_cluster_ips
from kube_twisted.registry.core.service_types import (
    is_externally_accessible,
    is_headless,
    needs_health_check,
)
from kube_twisted.registry.strategy import Obj

_TYPES = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
_POLICIES = ("Cluster", "Local")
_DISTRIBUTIONS = ("PreferClose", "PreferSameZone", "PreferSameNode")
_HINTS, _MODE = "service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode"
_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges"
_ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'"


def validate_service(obj: Obj, old: Obj | None) -> list[FieldError]:
    """All but the comparison with the old object, of which only values that may stay invalid are used."""
    spec = obj.get("spec", {})
    old_spec = old.get("spec", {}) if old else {}
    annotations = obj.get("metadata", {}).get("annotations", {})
    old_annotations = old.get("metadata", {}).get("annotations", {}) if old else {}
    return [
        *_validate_topology(annotations),
        *_validate_type_fields(spec),
        *_validate_ports(spec),
        *(rules.labels("spec.selector", spec.get("selector", {}))),
        *_validate_affinity(spec),
        *validate_cluster_ips(spec, old_spec),
        *_validate_external_ips(spec, old_spec),
        *rules.required_one_of("spec.type", spec.get("type", ""), _TYPES),
        *_validate_unique_ports(spec),
        *_validate_source_ranges(spec, old_spec, annotations, old_annotations),
        *_validate_node_port_switch(spec),
        *validate_load_balancer_class(spec),
        *_validate_traffic(spec),
    ]


def _validate_topology(annotations: dict[str, str]) -> list[FieldError]:
    if _HINTS in annotations and annotations.get(_MODE, annotations[_HINTS]) != annotations[_HINTS]:
        return [invalid(f"metadata.annotations[{_MODE}]", annotations[_MODE],
                        f"must match annotations[{_HINTS}] when both are specified")]
    return []


def _validate_type_fields(spec: Obj) -> list[FieldError]:
    kind, errors = spec.get("type", ""), []
    if not spec.get("ports") and not is_headless(spec) and kind != "ExternalName":
        errors.append(required("spec.ports"))
    if kind in ("LoadBalancer", "NodePort") and is_headless(spec):
        errors.append(invalid("spec.clusterIPs[0]", "None", f"may not be set to 'None' for {kind} services"))
    if kind == "ExternalName":
        errors += [forbidden(f"spec.{field}", "may not be set for ExternalName services")
                   for field in ("clusterIPs", "ipFamilies", "ipFamilyPolicy")
                   if spec.get(field) or spec.get(field) == ""]
        name = spec.get("externalName", "").removesuffix(".")
        errors += rules.dns_subdomain("spec.externalName", name) if name else [required("spec.externalName")]
    return errors


def _validate_ports(spec: Obj) -> list[FieldError]:
    errors: list[FieldError] = []
    seen: set[str] = set()
    ports = spec.get("ports", [])
    for index, port in enumerate(ports):
        path, name = f"spec.ports[{index}]", port.get("name", "")
        if name:
            errors += rules.dns_label(f"{path}.name", name)
            if name in seen:
                errors.append(duplicate(f"{path}.name", name))
            seen.add(name)
        elif len(ports) > 1:
            errors.append(required(f"{path}.name"))
        errors += rules.port_number(f"{path}.port", port.get("port", 0))
        errors += rules.required_one_of(f"{path}.protocol", port.get("protocol", ""), PROTOCOLS)
        errors += rules.port(f"{path}.targetPort", port.get("targetPort", 0))
        if "appProtocol" in port:
            errors += rules.qualified_name(f"{path}.appProtocol", port["appProtocol"])
    return errors


def _validate_affinity(spec: Obj) -> list[FieldError]:
    affinity = spec.get("sessionAffinity", "")
    errors = rules.required_one_of("spec.sessionAffinity", affinity, ("ClientIP", "None"))
    path = "spec.sessionAffinityConfig"
    if affinity == "ClientIP":
        seconds = spec.get("sessionAffinityConfig", {}).get("clientIP", {}).get("timeoutSeconds")
        if seconds is None:
            errors.append(required(path, "when session affinity type is ClientIP"))
        elif not 0 < seconds <= 86400:
            errors.append(invalid(f"{path}.clientIP.timeoutSeconds", seconds,
                                  "must be greater than 0 and less than 86400"))
    elif affinity == "None" and "sessionAffinityConfig" in spec:
        errors.append(forbidden(path, "must not be set when session affinity is None"))
    return errors


def _validate_external_ips(spec: Obj, old_spec: Obj) -> list[FieldError]:
    errors = []
    for index, ip in enumerate(spec.get("externalIPs", [])):
        path = f"spec.externalIPs[{index}]"
        errors += legacy_ip(path, ip, old_spec.get("externalIPs", [])) or endpoint_ip(path, ip)
    return errors


def _validate_unique_ports(spec: Obj) -> list[FieldError]:
    ports = list(enumerate(spec.get("ports", [])))
    errors = []
    if spec.get("type") == "ClusterIP":
        errors += [forbidden(f"spec.ports[{index}].nodePort", "may not be used when `type` is 'ClusterIP'")
                   for index, port in ports if port.get("nodePort")]
    seen = set()
    for index, port in ports:
        node_port = port.get("nodePort", 0)
        if node_port and (port.get("protocol"), node_port) in seen:
            errors.append(duplicate(f"spec.ports[{index}].nodePort", node_port))
        seen.add((port.get("protocol"), node_port))
    seen = set()
    for index, port in ports:
        key = (port.get("protocol", ""), port.get("port", 0))
        if key in seen:
            errors.append(duplicate(f"spec.ports[{index}]", _go_port(*key)))
        seen.add(key)
    return errors


def _go_port(protocol: str, port: int) -> dict[str, Any]:
    """A port as the original's message shows it."""
    return {"Name": "", "Protocol": protocol, "AppProtocol": None, "Port": port, "TargetPort": 0,
            "NodePort": 0}


def _validate_source_ranges(spec: Obj, old_spec: Obj, annotations: dict[str, str],
                            old_annotations: dict[str, str]) -> list[FieldError]:
    balanced = spec.get("type") == "LoadBalancer"
    ranges = spec.get("loadBalancerSourceRanges", [])
    errors = []
    if ranges:
        path = "spec.LoadBalancerSourceRanges"
        errors += [] if balanced else [forbidden(path, _ONLY_BALANCED)]
        known = [value.strip() for value in old_spec.get("loadBalancerSourceRanges", [])]
        for index, value in enumerate(ranges):
            errors += legacy_cidr(f"{path}[{index}]", value.strip(), known)
    elif _RANGES in annotations:
        path, text = f"metadata.annotations[{_RANGES}]", annotations[_RANGES]
        errors += [] if balanced else [forbidden(path, _ONLY_BALANCED)]
        if old_annotations.get(_RANGES) != text and text.strip():
            for value in text.strip().split(","):
                errors += legacy_cidr(path, value.strip())
    return errors


def _validate_node_port_switch(spec: Obj) -> list[FieldError]:
    balanced, given = spec.get("type") == "LoadBalancer", "allocateLoadBalancerNodePorts" in spec
    if given and not balanced:
        return [forbidden("spec.allocateLoadBalancerNodePorts", _ONLY_BALANCED)]
    return [required("allocateLoadBalancerNodePorts")] if balanced and not given else []


def validate_load_balancer_class(spec: Obj) -> list[FieldError]:
    """A qualified name, for load balancers only."""
    name = spec.get("loadBalancerClass")
    if name is None:
        return []
    if spec.get("type") != "LoadBalancer":
        return [forbidden("spec.loadBalancerClass", _ONLY_BALANCED)]
    return rules.qualified_name("spec.loadBalancerClass", name)


def _validate_traffic(spec: Obj) -> list[FieldError]:
    errors = _validate_external_policy(spec) + _validate_health_check(spec)
    internal = spec.get("internalTrafficPolicy")
    if internal is not None:
        errors += rules.one_of("spec.internalTrafficPolicy", internal, _POLICIES)
    elif spec.get("type") in ("NodePort", "LoadBalancer", "ClusterIP"):
        errors.append(required("spec.internalTrafficPolicy"))
    if "trafficDistribution" in spec:
        errors += rules.one_of("spec.trafficDistribution", spec["trafficDistribution"], _DISTRIBUTIONS)
    return errors


def _validate_external_policy(spec: Obj) -> list[FieldError]:
    path, policy = "spec.externalTrafficPolicy", spec.get("externalTrafficPolicy", "")
    if is_externally_accessible(spec):
        return rules.required_one_of(path, policy, _POLICIES)
    return [invalid(path, policy, "may only be set for externally-accessible services")] if policy else []


def _validate_health_check(spec: Obj) -> list[FieldError]:
    path, port = "spec.healthCheckNodePort", spec.get("healthCheckNodePort", 0)
    if needs_health_check(spec):
        return rules.port_number(path, port) if port else [required(path)]
    if not port:
        return []
    return [invalid(path, port,
                    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")]
