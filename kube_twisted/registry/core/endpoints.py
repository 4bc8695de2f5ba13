"""Endpoints: addresses that traffic may be sent to."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, required
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import endpoint_ip, ip_warnings, legacy_ip
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

PROTOCOLS = ("SCTP", "TCP", "UDP")
_MANAGED_BY = "endpoints.kubernetes.io/managed-by"
_CONTROLLER = "endpoint-controller"


class EndpointsStrategy(Strategy):
    """Rules of ``endpoints``."""

    allow_create_on_update = True

    def default(self, obj: Obj) -> None:
        for subset in obj.get("subsets", []):
            for port in subset.get("ports", []):
                port.setdefault("protocol", "TCP")

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors = []
        for index, subset in enumerate(obj.get("subsets", [])):
            errors += _validate_subset(f"subsets[{index}]", subset)
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return [] if obj.get("subsets") == old.get("subsets") else self.validate(ctx, obj)

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        if obj.get("metadata", {}).get("labels", {}).get(_MANAGED_BY) == _CONTROLLER:
            return []
        return [warning for number, subset in enumerate(obj.get("subsets", []))
                for field in ("addresses", "notReadyAddresses")
                for index, address in enumerate(subset.get(field, []))
                for warning in ip_warnings(f"subsets[{number}].{field}[{index}].ip", address.get("ip", ""))]

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)


def _validate_subset(path: str, subset: dict[str, Any]) -> list[FieldError]:
    errors = []
    if not subset.get("addresses") and not subset.get("notReadyAddresses"):
        errors.append(required(path, "must specify `addresses` or `notReadyAddresses`"))
    for field in ("addresses", "notReadyAddresses"):
        for index, address in enumerate(subset.get(field, [])):
            errors += _validate_address(f"{path}.{field}[{index}]", address)
    ports = subset.get("ports", [])
    for index, port in enumerate(ports):
        errors += _validate_port(f"{path}.ports[{index}]", port, len(ports) > 1)
    return errors


def _validate_address(path: str, address: dict[str, Any]) -> list[FieldError]:
    ip = address.get("ip", "")
    errors = legacy_ip(f"{path}.ip", ip)
    if address.get("hostname"):
        errors += rules.dns_label(f"{path}.hostname", address["hostname"])
    if "nodeName" in address:
        errors += rules.dns_subdomain(f"{path}.nodeName", address["nodeName"])
    return errors + endpoint_ip(f"{path}.ip", ip)


def _validate_port(path: str, port: dict[str, Any], name_required: bool) -> list[FieldError]:
    errors = []
    if port.get("name"):
        errors += rules.dns_label(f"{path}.name", port["name"])
    elif name_required:
        errors.append(required(f"{path}.name"))
    errors += rules.port_number(f"{path}.port", port.get("port", 0))
    errors += rules.required_one_of(f"{path}.protocol", port.get("protocol", ""), PROTOCOLS)
    if "appProtocol" in port:
        errors += rules.qualified_name(f"{path}.appProtocol", port["appProtocol"])
    return errors


STRATEGY = EndpointsStrategy()
