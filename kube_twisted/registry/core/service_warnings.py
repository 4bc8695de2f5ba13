"""Warnings about Services: deprecated fields, ignored combinations, addresses spelled oddly."""

from __future__ import annotations

from kube_twisted.registry.addresses import cidr_warnings, ip_warnings
from kube_twisted.registry.strategy import Obj

_HINTS, _MODE = "service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode"


def service_warnings(obj: Obj) -> list[str]:
    """All warnings, in the original's order."""
    spec = obj.get("spec", {})
    headless = spec.get("type") == "ClusterIP" and spec.get("clusterIP") == "None"
    warnings = []
    if _HINTS in obj.get("metadata", {}).get("annotations", {}):
        warnings.append(f"annotation {_HINTS} is deprecated, please use {_MODE} instead")
    if spec.get("clusterIP") and spec["clusterIP"] != "None" and spec.get("type") != "ExternalName":
        for index, ip in enumerate(spec.get("clusterIPs", [])):
            warnings += ip_warnings(f"spec.clusterIPs[{index}]", ip)
    if headless:
        warnings += _headless_warnings(spec)
    for index, ip in enumerate(spec.get("externalIPs", [])):
        warnings += ip_warnings(f"spec.externalIPs[{index}]", ip)
    if spec.get("externalIPs") and not headless and spec.get("type") != "ExternalName":
        warnings.append("spec.externalIPs is deprecated and may no longer be implemented in some clusters")
    if spec.get("loadBalancerIP"):
        warnings += ip_warnings("spec.loadBalancerIP", spec["loadBalancerIP"])
    for index, cidr in enumerate(spec.get("loadBalancerSourceRanges", [])):
        warnings += cidr_warnings(f"spec.loadBalancerSourceRanges[{index}]", cidr)
    return warnings + _ignored_warnings(spec)


def _headless_warnings(spec: Obj) -> list[str]:
    checks = (
        (spec.get("loadBalancerIP"), "loadBalancerIP"),
        (spec.get("externalIPs"), "externalIPs"),
        (spec.get("sessionAffinity") != "None", "SessionAffinity"),
    )
    return [f"spec.{field} is ignored for headless services" for wrong, field in checks if wrong]


def _ignored_warnings(spec: Obj) -> list[str]:
    warnings = []
    external = spec.get("type") == "ExternalName"
    if external and spec.get("externalIPs"):
        warnings.append('spec.externalIPs is ignored when spec.type is "ExternalName"')
    if not external and spec.get("externalName"):
        warnings.append('spec.externalName is ignored when spec.type is not "ExternalName"')
    if spec.get("trafficDistribution") == "PreferClose":
        warnings.append('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"')
    return warnings
