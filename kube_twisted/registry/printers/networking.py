"""Table columns of the networking.k8s.io and discovery.k8s.io groups."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import (
    AGE,
    NAME,
    NONE,
    at,
    joined,
    name_or_default,
    named,
    selector_at,
    value_at,
    with_more,
)
from kube_twisted.registry.printers.column import Obj, Printer, printer, text
from kube_twisted.registry.printers.documentation import Doc
from kube_twisted.registry.printers.service import load_balancer_addresses

_DEFAULT_CLASS = "ingressclass.kubernetes.io/is-default-class"
_SHOWN = 3


def _hosts(obj: Obj, now: float) -> str:
    """The first hosts; how many more there are is counted in rules, also those without a host.

    Rules after the third host are only looked at to see that there are some.
    """
    hosts: list[str] = []
    rules = value_at(obj, "spec.rules", [])
    more = False
    for rule in rules:
        more = more or len(hosts) == _SHOWN
        if not more and rule.get("host"):
            hosts.append(rule["host"])
    if not hosts:
        return "*"
    return ",".join(hosts) + (f" + {len(rules) - _SHOWN} more..." if more else "")


def _address(obj: Obj, now: float) -> str:
    return ",".join(load_balancer_addresses(obj))


def _ports(obj: Obj, now: float) -> str:
    return "80, 443" if value_at(obj, "spec.tls") else "80"


def _parameters(obj: Obj, now: float) -> str:
    parameters = value_at(obj, "spec.parameters")
    if parameters is None:
        return NONE
    group = f".{parameters['apiGroup']}" if "apiGroup" in parameters else ""
    return f"{parameters.get('kind', '')}{group}/{parameters.get('name', '')}"


def _parent(obj: Obj, now: float) -> str:
    """Who uses an address, as ``resource.group/namespace/name``."""
    parent = value_at(obj, "spec.parentRef")
    if parent is None:
        return NONE
    resource = ".".join(filter(None, (parent.get("resource", ""), parent.get("group", ""))))
    namespace = f"/{parent['namespace']}" if parent.get("namespace") else ""
    return f"{resource.lower()}{namespace}/{parent.get('name', '')}"


def _ip_address_row(obj: Obj, now: float) -> list[str]:
    """One cell more than there are columns: the original has an age here that no column tells of."""
    return [NAME[1](obj, now), _parent(obj, now), AGE[1](obj, now)]


def _slice_ports(obj: Obj, now: float) -> str:
    ports = value_at(obj, "ports", [])
    return with_more((str(port.get("port", port.get("name", "*"))) for port in ports), _SHOWN)


def _slice_endpoints(obj: Obj, now: float) -> str:
    endpoints = value_at(obj, "endpoints", [])
    return with_more((address for one in endpoints for address in value_at(one, "addresses", [])), _SHOWN)


PRINTERS = {
    ("networking.k8s.io", "ingresses"): printer(
        NAME,
        text("Class",
             "The name of the IngressClass resource that should be used for additional configuration",
             at("spec.ingressClassName", NONE)),
        text("Hosts", "Hosts that incoming requests are matched against before the ingress rule", _hosts),
        text("Address", "Address is a list containing ingress points for the load-balancer", _address),
        text("Ports", "Ports of TLS configurations that open", _ports),
        AGE,
    ),
    ("networking.k8s.io", "ingressclasses"): printer(
        named(name_or_default(_DEFAULT_CLASS)),
        text("Controller", "Controller that is responsible for handling this class", at("spec.controller")),
        text("Parameters", "A reference to a resource with additional parameters", _parameters),
        AGE,
    ),
    ("networking.k8s.io", "networkpolicies"): printer(
        NAME,
        text("Pod-Selector", Doc("networking.v1.NetworkPolicySpec.podSelector"),
             selector_at("spec.podSelector")),
        AGE,
    ),
    ("networking.k8s.io", "servicecidrs"): printer(
        NAME,
        text("CIDRs", Doc("networking.v1.ServiceCIDRSpec.cidrs"), joined("spec.cidrs")),
        AGE,
    ),
    ("networking.k8s.io", "ipaddresses"): Printer(
        (NAME[0], text("ParentRef", Doc("networking.v1.IPAddressSpec.parentRef"), _parent)[0]),
        _ip_address_row,
    ),
    ("discovery.k8s.io", "endpointslices"): printer(
        NAME,
        text("AddressType", Doc("discovery.v1.EndpointSlice.addressType"), at("addressType")),
        text("Ports", Doc("discovery.v1.EndpointSlice.ports"), _slice_ports),
        text("Endpoints", Doc("discovery.v1.EndpointSlice.endpoints"), _slice_endpoints),
        AGE,
    ),
}
