"""Validation of the fields around a Service's cluster IPs: addresses, families and their policy (KEP-563)."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, duplicate, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import is_dual_stack, legacy_ip, parse_ip
from kube_twisted.registry.core.service_types import is_headless
from kube_twisted.registry.strategy import Obj

_FAMILIES = ("IPv4", "IPv6")
_FAMILY_POLICIES = ("PreferDualStack", "RequireDualStack", "SingleStack")
_PATH = "spec.clusterIPs"


def validate_cluster_ips(spec: Obj, old_spec: Obj) -> list[FieldError]:
    """Nothing for services of type ExternalName, whose fields must all be unset."""
    if spec.get("type") == "ExternalName":
        return []
    errors = _validate_pair(spec) + _validate_families(spec)
    found, broken = _validate_addresses(spec, old_spec)
    errors += found
    if broken:
        return errors
    ips = spec.get("clusterIPs", [])
    if len(ips) > 1 and not is_dual_stack(ips):
        errors.append(invalid(_PATH, ips, "may specify no more than one IP for each IP family"))
    return errors + _validate_match(spec)


def _validate_pair(spec: Obj) -> list[FieldError]:
    single, several = spec.get("clusterIP", ""), spec.get("clusterIPs", [])
    if not single:
        return [invalid(_PATH, several, "must be empty when `clusterIP` is not specified")] if several else []
    if not several:
        return [required(_PATH)]
    return [] if several[0] == single else [invalid(_PATH, several, "first value must match `clusterIP`")]


def _validate_families(spec: Obj) -> list[FieldError]:
    errors: list[FieldError] = []
    families = spec.get("ipFamilies", [])
    for index, family in enumerate(families):
        errors += rules.one_of(f"spec.ipFamilies[{index}]", family, _FAMILIES)
        if family in families[:index]:
            errors.append(duplicate(f"spec.ipFamilies[{index}]", family))
    if "ipFamilyPolicy" in spec:
        errors += rules.one_of("spec.ipFamilyPolicy", spec["ipFamilyPolicy"], _FAMILY_POLICIES)
    return errors


def _validate_addresses(spec: Obj, old_spec: Obj) -> tuple[list[FieldError], bool]:
    """Errors, and whether an address is so bad that further checks would only confuse."""
    errors: list[FieldError] = []
    ips = spec.get("clusterIPs", [])
    for index, ip in enumerate(ips):
        if index == 0 and ip == "None":
            if len(ips) > 1:
                errors.append(invalid(_PATH, ips, "'None' must be the first and only value"))
        else:
            errors += legacy_ip(f"{_PATH}[{index}]", ip, old_spec.get("clusterIPs", []))
    broken = bool(errors)
    if len(ips) > 2:
        errors.append(invalid(_PATH, ips, "may only hold up to 2 values"))
    return errors, broken


def _validate_match(spec: Obj) -> list[FieldError]:
    if is_headless(spec):
        return []
    errors = []
    pairs = zip(spec.get("clusterIPs", []), spec.get("ipFamilies", []), strict=False)
    for index, (ip, family) in enumerate(pairs):
        address = parse_ip(ip)
        actual = f"IPv{address.version}" if address is not None else ""
        if family in _FAMILIES and actual != family:
            errors.append(invalid(f"{_PATH}[{index}]", ip,
                                  f"expected an {family} value as indicated by `ipFamilies[{index}]`"))
    return errors
