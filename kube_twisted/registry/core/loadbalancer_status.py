"""The load balancer part of a Service's status."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import legacy_ip, parse_ip
from kube_twisted.registry.strategy import Obj


def default_ip_mode(obj: Obj) -> None:
    """Every address in the status of a load balancer is a virtual IP unless said otherwise (KEP-1860)."""
    for ingress in _ingress(obj):
        if ingress.get("ip"):
            ingress.setdefault("ipMode", "VIP")


def validate_load_balancer_status(path: str, obj: Obj, old: Obj) -> list[FieldError]:
    """Addresses or DNS names, for services of type LoadBalancer only."""
    ingress = _ingress(obj)
    if ingress and obj["spec"].get("type") != "LoadBalancer":
        return [forbidden(f"{path}.ingress", "may only be used when `spec.type` is 'LoadBalancer'")]
    known = [one["ip"] for one in _ingress(old) if one.get("ip")]
    errors = []
    for index, one in enumerate(ingress):
        errors += _validate_ingress(f"{path}.ingress[{index}]", one, known)
    return errors


def _validate_ingress(path: str, ingress: dict[str, Any], known: list[str]) -> list[FieldError]:
    ip, mode = ingress.get("ip", ""), ingress.get("ipMode")
    errors = legacy_ip(f"{path}.ip", ip, known) if ip else []
    if mode is None:
        if ip:
            errors.append(required(f"{path}.ipMode", "must be specified when `ip` is set"))
    elif not ip:
        errors.append(forbidden(f"{path}.ipMode", "may not be specified when `ip` is not set"))
    else:
        errors += rules.one_of(f"{path}.ipMode", mode, ("Proxy", "VIP"))
    return errors + validate_hostname(f"{path}.hostname", ingress.get("hostname", ""))


def validate_hostname(path: str, hostname: str) -> list[FieldError]:
    """A DNS name, if there is one, and no IP address."""
    if not hostname:
        return []
    errors = rules.dns_subdomain(path, hostname)
    if parse_ip(hostname) is not None:
        errors.append(invalid(path, hostname, "must be a DNS name, not an IP address"))
    return errors


def _ingress(obj: Obj) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = obj.get("status", {}).get("loadBalancer", {}).get("ingress", [])
    return found
