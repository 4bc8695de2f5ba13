"""EndpointSlices: up to a thousand endpoints of one address type, which never changes (KEP-752)."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, duplicate, invalid, required, too_many
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import canonical_ip, endpoint_ip, ip_warnings, legacy_ip, parse_ip
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_ADDRESS_TYPES, _PROTOCOLS = ("FQDN", "IPv4", "IPv6"), ("SCTP", "TCP", "UDP")
_MAX_ADDRESSES, _MAX_PORTS, _MAX_ENDPOINTS, _MAX_HINTS = 100, 20000, 1000, 8
_MANAGED_BY = "endpointslice.kubernetes.io/managed-by"
_CONTROLLERS = ("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io")


class EndpointSliceStrategy(Strategy):
    """Rules of ``endpointslices``."""

    has_generation = True

    def default(self, obj: Obj) -> None:
        for port in obj.get("ports") or []:
            port.setdefault("name", "")
            port.setdefault("protocol", "TCP")

    def canonicalize(self, obj: Obj) -> None:
        for endpoint in obj.get("endpoints") or []:
            endpoint.pop("deprecatedTopology", None)

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        labels, before = (one.get("metadata", {}).get("labels") for one in (obj, old))
        return labels != before or any((obj.get(name) or None) != (old.get(name) or None)
                                       for name in ("addressType", "endpoints", "ports"))

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        kind = obj.get("addressType", "")
        errors = rules.required_one_of("addressType", kind, _ADDRESS_TYPES)
        return errors + _validate_ports(obj.get("ports") or []) + _validate_endpoints(obj)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        kind = obj.get("addressType", "")
        errors = rules.required_one_of("addressType", kind, _ADDRESS_TYPES)
        errors += _validate_ports(obj.get("ports") or [])
        if obj.get("endpoints") != old.get("endpoints"):
            errors += _validate_endpoints(obj)
        return errors + rules.immutable("addressType", kind, old.get("addressType", ""))

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        warnings = []
        if obj.get("addressType") == "FQDN":
            warnings.append("spec.addressType: FQDN endpoints are deprecated")
        return warnings + self.warnings_on_update(ctx, obj, obj)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        if obj.get("metadata", {}).get("labels", {}).get(_MANAGED_BY) in _CONTROLLERS:
            return []
        return [warning for number, endpoint in enumerate(obj.get("endpoints") or [])
                for index, address in enumerate(endpoint.get("addresses") or [])
                for warning in ip_warnings(f"endpoints[{number}].addresses[{index}]", address)]


def _validate_ports(ports: list[dict[str, Any]]) -> list[FieldError]:
    if len(ports) > _MAX_PORTS:
        return [too_many("ports", len(ports), _MAX_PORTS)]
    errors: list[FieldError] = []
    seen: set[str] = set()
    for index, port in enumerate(ports):
        path, name = f"ports[{index}]", port.get("name", "")
        if name:
            errors += rules.dns_label(f"{path}.name", name)
        if name in seen:
            errors.append(duplicate(f"{path}.name", name))
        seen.add(name)
        if "protocol" in port:
            errors += rules.one_of(f"{path}.protocol", port["protocol"], _PROTOCOLS)
        else:
            errors.append(required(f"{path}.protocol"))
        if "appProtocol" in port:
            errors += rules.qualified_name(f"{path}.appProtocol", port["appProtocol"])
    return errors


def _validate_endpoints(obj: Obj) -> list[FieldError]:
    endpoints = obj.get("endpoints") or []
    if len(endpoints) > _MAX_ENDPOINTS:
        return [too_many("endpoints", len(endpoints), _MAX_ENDPOINTS)]
    errors = []
    for index, endpoint in enumerate(endpoints):
        path = f"endpoints[{index}]"
        errors += _validate_addresses(f"{path}.addresses", endpoint.get("addresses") or [],
                                      obj.get("addressType", ""))
        if "nodeName" in endpoint:
            errors += rules.dns_subdomain(f"{path}.nodeName", endpoint["nodeName"])
        if "hostname" in endpoint:
            errors += rules.dns_label(f"{path}.hostname", endpoint["hostname"])
        errors += _validate_hints(f"{path}.hints", endpoint.get("hints", {}))
    return errors


def _validate_addresses(path: str, addresses: list[str], kind: str) -> list[FieldError]:
    errors = []
    if not addresses:
        errors.append(required(path, "must contain at least 1 address"))
    elif len(addresses) > _MAX_ADDRESSES:
        errors.append(too_many(path, len(addresses), _MAX_ADDRESSES))
    for index, address in enumerate(addresses):
        at = f"{path}[{index}]"
        if kind == "FQDN":
            errors += _validate_domain(at, address)
        elif kind in _ADDRESS_TYPES:
            wrong = legacy_ip(at, address) if kind == "IPv4" else canonical_ip(at, address)
            errors += wrong or _validate_family(path, at, address, kind)
    return errors


def _validate_family(path: str, at: str, address: str, kind: str) -> list[FieldError]:
    parsed = parse_ip(address)
    errors = []
    if parsed is None or f"IPv{parsed.version}" != kind:
        errors.append(invalid(path, address, f"must be an {kind} address"))
    return errors + endpoint_ip(at, address)


def _validate_domain(path: str, name: str) -> list[FieldError]:
    """A domain name of two or more labels; a last dot is fine."""
    if not name:
        return [required(path)]
    name = name.removesuffix(".")
    wrong = names.dns_subdomain(name)
    if wrong:
        return [invalid(path, name, ",".join(wrong))]
    if "." not in name:
        return [invalid(path, name, "should be a domain with at least two segments separated by dots")]
    for label in name.split("."):
        wrong = names.dns_label(label)
        if wrong:
            return [invalid(path, label, ",".join(wrong))]
    return []


def _validate_hints(path: str, hints: dict[str, Any]) -> list[FieldError]:
    errors: list[FieldError] = []
    for field, check in (("forZones", names.label_value), ("forNodes", names.dns_subdomain)):
        entries = hints.get(field, [])
        if len(entries) > _MAX_HINTS:
            return [*errors, too_many(f"{path}.{field}", len(entries), _MAX_HINTS)]
        seen: set[str] = set()
        for index, entry in enumerate(entries):
            at, name = f"{path}.{field}[{index}].name", entry.get("name", "")
            if name in seen:
                errors.append(duplicate(at, name))
            seen.add(name)
            errors += rules.messages(at, name, check(name))
    return errors


STRATEGY = EndpointSliceStrategy()
