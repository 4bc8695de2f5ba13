"""Updates of Services: allocated values that a client left out, and what may not change."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, forbidden, invalid
from kube_twisted.registry.core.service_types import (
    asks_for_node_ports,
    is_headless,
    needs_cluster_ip,
    needs_health_check,
    node_ports,
)
from kube_twisted.registry.core.service_validation import validate_load_balancer_class
from kube_twisted.registry.strategy import Obj

_ONCE = "may not change once set"


def patch_allocated_values(new: Obj, old: Obj) -> None:
    """Fill in what was allocated before and a PUT left out: cluster IPs, node ports, health port."""
    if needs_cluster_ip(old) and needs_cluster_ip(new):
        for field in ("clusterIP", "clusterIPs"):
            if not new.get(field) and old.get(field):
                new[field] = old[field]
    if asks_for_node_ports(old) and asks_for_node_ports(new):
        _patch_node_ports(new, old)
    if needs_health_check(old) and needs_health_check(new) and (
            not new.get("healthCheckNodePort") and old.get("healthCheckNodePort")):
        new["healthCheckNodePort"] = old["healthCheckNodePort"]


def _patch_node_ports(new: Obj, old: Obj) -> None:
    taken = node_ports(old) & node_ports(new)
    by_name = {port.get("name", ""): port.get("nodePort", 0) for port in old.get("ports", [])}
    for port in new.get("ports", []):
        before = by_name.get(port.get("name", ""), 0)
        if not port.get("nodePort") and before and before not in taken:
            port["nodePort"] = before


def normalize_cluster_ips(new: Obj, old: Obj | None) -> None:
    """Bring ``clusterIPs`` in line with ``clusterIP`` for clients that know the singular field only."""
    if old is None:
        if new.get("clusterIP") and not new.get("clusterIPs"):
            new["clusterIPs"] = [new["clusterIP"]]
        return
    singular, before = new.get("clusterIP", ""), old.get("clusterIP", "")
    if singular == before:
        if old.get("clusterIPs") and not new.get("clusterIPs"):
            new["clusterIPs"] = old["clusterIPs"]
    elif new.get("clusterIPs", []) == old.get("clusterIPs", []):
        if singular:
            new["clusterIPs"] = [singular]
        else:
            new.pop("clusterIPs", None)


def validate_change(new: Obj, old: Obj) -> list[FieldError]:
    """What is immutable: the primary IP and family, the class of a load balancer, the health check port."""
    errors: list[FieldError] = []
    if needs_cluster_ip(new) and needs_cluster_ip(old):
        errors += _validate_cluster_ips(new, old) + _validate_families(new, old)
    both_balanced = new.get("type") == old.get("type") == "LoadBalancer"
    if both_balanced and new.get("loadBalancerClass") != old.get("loadBalancerClass"):
        errors.append(invalid("spec.loadBalancerClass", new.get("loadBalancerClass"), _ONCE))
    errors += validate_load_balancer_class(new)
    if needs_health_check(old) and needs_health_check(new) and (
            new.get("healthCheckNodePort", 0) != old.get("healthCheckNodePort", 0)):
        errors.append(forbidden("spec.healthCheckNodePort", "field is immutable"))
    return errors


def _validate_cluster_ips(new: Obj, old: Obj) -> list[FieldError]:
    if is_headless(new) and is_headless(old):
        return []
    ips, before = new.get("clusterIPs", []), old.get("clusterIPs", [])
    if len(ips) == len(before):
        return [invalid(f"spec.clusterIPs[{index}]", ips, _ONCE)
                for index, ip in enumerate(before) if ip != ips[index]]
    errors = []
    if len(before) > len(ips) and not ips:
        errors.append(invalid("spec.clusterIPs[0]", None, "primary clusterIP can not be unset"))
    if before and ips and ips[0] != before[0]:
        errors.append(invalid("spec.clusterIPs[0]", ips, _ONCE))
    if len(before) > len(ips) == 1:
        errors += _single_stack(new, "clusterIP")
    return errors


def _validate_families(new: Obj, old: Obj) -> list[FieldError]:
    if is_headless(new) or is_headless(old):
        return []
    families, before = new.get("ipFamilies", []), old.get("ipFamilies", [])
    path = "spec.ipFamilies[0]"
    if len(families) == len(before):
        return [invalid(path, families, _ONCE)
                for index, family in enumerate(before) if family != families[index]]
    errors = []
    if len(before) > len(families) and not new.get("clusterIPs"):
        errors.append(invalid(path, families or None, "primary ipFamily can not be unset"))
    if before and families and families[0] != before[0]:
        errors.append(invalid(path, new.get("clusterIPs"), _ONCE))
    if len(before) > len(families) == 1:
        errors += _single_stack(new, "ipFamily")
    return errors


def _single_stack(spec: Obj, released: str) -> list[FieldError]:
    policy = spec.get("ipFamilyPolicy")
    if policy == "SingleStack":
        return []
    return [invalid("spec.ipFamilyPolicy", policy,
                    f"must be set to 'SingleStack' when releasing the secondary {released}")]
