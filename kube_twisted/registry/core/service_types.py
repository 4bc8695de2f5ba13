"""What each type of Service needs, and what is wiped when an update changes the type."""

from __future__ import annotations

from kube_twisted.registry.strategy import Obj


def is_headless(spec: Obj) -> bool:
    return bool(spec.get("clusterIPs") == ["None"])


def needs_cluster_ip(spec: Obj) -> bool:
    return bool(spec.get("type") != "ExternalName")


def needs_node_port(spec: Obj) -> bool:
    return spec.get("type") in ("NodePort", "LoadBalancer")


def asks_for_node_ports(spec: Obj) -> bool:
    """Whether all ports get a node port: a load balancer may do without."""
    return spec.get("type") == "NodePort" or bool(
        spec.get("type") == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is not False)


def needs_health_check(spec: Obj) -> bool:
    return bool(spec.get("type") == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local")


def is_externally_accessible(spec: Obj) -> bool:
    return needs_node_port(spec) or bool(spec.get("type") == "ClusterIP" and spec.get("externalIPs"))


def node_ports(spec: Obj) -> set[int]:
    return {port["nodePort"] for port in spec.get("ports", []) if port.get("nodePort")}


def drop_type_dependent_fields(obj: Obj, old: Obj) -> None:
    """Wipe fields that the new type has no use for, unless the client changed them in the same update.

    A changed field stays and fails in validation, so that nothing a client asked for is lost silently.
    """
    new_spec, old_spec = obj["spec"], old["spec"]
    if needs_cluster_ip(old_spec) and not needs_cluster_ip(new_spec):
        _drop_same(new_spec, old_spec, ("clusterIP", "clusterIPs"))
        _drop_same(new_spec, old_spec, ("ipFamilies",))
        _drop_same(new_spec, old_spec, ("ipFamilyPolicy",))
    if needs_node_port(old_spec) and not needs_node_port(new_spec) and (
            node_ports(old_spec) >= node_ports(new_spec)):
        for port in new_spec.get("ports", []):
            port.pop("nodePort", None)
    if needs_health_check(old_spec) and not needs_health_check(new_spec):
        _drop_same(new_spec, old_spec, ("healthCheckNodePort",))
    if old_spec.get("type") == "LoadBalancer" and new_spec.get("type") != "LoadBalancer":
        _drop_same(new_spec, old_spec, ("allocateLoadBalancerNodePorts",))
        _drop_same(new_spec, old_spec, ("loadBalancerClass",))
    if is_externally_accessible(old_spec) and not is_externally_accessible(new_spec):
        _drop_same(new_spec, old_spec, ("externalTrafficPolicy",))
    if new_spec.get("type") != "LoadBalancer":
        obj.setdefault("status", {})["loadBalancer"] = {}


def _drop_same(new_spec: Obj, old_spec: Obj, fields: tuple[str, ...]) -> None:
    """Drop the fields together if none of them changed."""
    if all(new_spec.get(field) == old_spec.get(field) for field in fields):
        for field in fields:
            new_spec.pop(field, None)
