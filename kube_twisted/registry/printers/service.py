"""Table columns of Services and Endpoints."""

from __future__ import annotations

from collections.abc import Iterator

from kube_twisted.registry.printers.cells import AGE, NAME, NONE, UNKNOWN, at, labels_at, value_at, with_more
from kube_twisted.registry.printers.column import Obj, printer, text
from kube_twisted.registry.printers.documentation import Doc


def load_balancer_addresses(obj: Obj) -> list[str]:
    """Addresses or host names in the load balancer's status, sorted and each once."""
    ingress = value_at(obj, "status.loadBalancer.ingress", [])
    return sorted({one.get("ip") or one.get("hostname") or "" for one in ingress} - {""})


def _cluster_ip(obj: Obj, now: float) -> str:
    addresses = value_at(obj, "spec.clusterIPs", [])
    return addresses[0] if addresses else NONE


def _external_ip(obj: Obj, now: float) -> str:
    """Where the Service can be reached from outside, by its type."""
    external: list[str] = value_at(obj, "spec.externalIPs", [])
    match value_at(obj, "spec.type"):
        case "ClusterIP" | "NodePort":
            return ",".join(external) or NONE
        case "LoadBalancer":
            return ",".join(load_balancer_addresses(obj) + external) or "<pending>"
        case "ExternalName":
            return str(value_at(obj, "spec.externalName", ""))
        case _:
            return UNKNOWN


def _port(port: Obj) -> str:
    node_port = f":{port['nodePort']}" if port.get("nodePort") else ""
    return f"{port.get('port', 0)}{node_port}/{port.get('protocol', '')}"


def _ports(obj: Obj, now: float) -> str:
    return ",".join(map(_port, value_at(obj, "spec.ports", []))) or NONE


def _host_port(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _subset(subset: Obj) -> Iterator[str]:
    """Each address with each port; bare addresses of a headless Service without ports."""
    addresses = [one.get("ip", "") for one in value_at(subset, "addresses", [])]
    ports = value_at(subset, "ports", [])
    if not ports:
        yield from addresses
    for port in ports:
        yield from (_host_port(address, port.get("port", 0)) for address in addresses)


def _endpoints(obj: Obj, now: float) -> str:
    subsets = obj.get("subsets")
    if not subsets:
        return NONE
    return with_more((one for subset in subsets for one in _subset(subset)), 3, empty="")


PRINTERS = {
    ("", "services"): printer(
        NAME,
        text("Type", Doc("core.v1.ServiceSpec.type"), at("spec.type")),
        text("Cluster-IP", Doc("core.v1.ServiceSpec.clusterIP"), _cluster_ip),
        text("External-IP", Doc("core.v1.ServiceSpec.externalIPs"), _external_ip),
        text("Port(s)", Doc("core.v1.ServiceSpec.ports"), _ports),
        AGE,
        text("Selector", Doc("core.v1.ServiceSpec.selector"), labels_at("spec.selector"), wide=True),
    ),
    ("", "endpoints"): printer(
        NAME,
        text("Endpoints", Doc("core.v1.Endpoints.subsets"), _endpoints),
        AGE,
    ),
}
