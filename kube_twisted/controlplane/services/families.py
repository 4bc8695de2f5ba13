"""The IP families of a Service and the policy about them: what was left out is filled in (KEP-563).

A change of the cluster from one family to two, or back, never changes a Service by itself. Source of the rules: the
Service API reference and the original's allocator.
"""

from __future__ import annotations

from collections.abc import Sequence

from kube_twisted.api.field import FieldError, invalid
from kube_twisted.controlplane.services.networks import family_of
from kube_twisted.registry.addresses import parse_ip
from kube_twisted.registry.core.service_ips import validate_cluster_ips
from kube_twisted.registry.strategy import Obj

SINGLE, PREFER, REQUIRE = "SingleStack", "PreferDualStack", "RequireDualStack"
_WITH_ADDRESS = ("ClusterIP", "NodePort", "LoadBalancer")
_OTHER = {"IPv4": "IPv6", "IPv6": "IPv4"}
_DUAL_WANTED = "must be 'RequireDualStack' or 'PreferDualStack' when multiple {} are specified"


def settle_families(spec: Obj, old: Obj | None, configured: Sequence[str]) -> list[FieldError]:
    """Fill in ``ipFamilyPolicy`` and ``ipFamilies``.

    :param old: the spec before, None for a new Service.
    :param configured: the families of the cluster, the default one first.
    :returns: what is wrong with the Service's wishes; nothing may be allocated then.
    """
    if spec.get("type") == "ExternalName" or keeps_preference(spec, old):
        return []
    _fill_policy(spec, old)
    errors = validate_cluster_ips(spec, old or {})
    if errors:
        return errors
    errors = (_follow_policy(spec, old) if old is not None else []) + _contradictions(spec)
    errors += _infer_from_addresses(spec, configured)
    if errors:
        return errors
    if _is_free(spec):
        _fill_families(spec, configured[0], can_add=True)
        return []
    errors = _not_configured(spec, configured)
    if not errors:
        _fill_families(spec, configured[0], can_add=len(configured) == 2)
    return errors


def keeps_preference(spec: Obj, old: Obj | None) -> bool:
    """Whether nothing about addresses changes in a Service that prefers two families."""
    return (old is not None and spec.get("ipFamilyPolicy") == PREFER and spec.get("type") == old.get("type")
            and spec.get("type") in _WITH_ADDRESS and old.get("ipFamilyPolicy", PREFER) == PREFER
            and _same(spec, old, "clusterIPs") and _same(spec, old, "ipFamilies"))


def _same(spec: Obj, old: Obj, field: str) -> bool:
    return bool((spec.get(field) or []) == (old.get(field) or []))


def _is_free(spec: Obj) -> bool:
    """Headless and without selector: its endpoints are made by hand, in whatever family."""
    return spec.get("clusterIP") == "None" and not spec.get("selector")


def _fill_policy(spec: Obj, old: Obj | None) -> None:
    if spec.get("ipFamilyPolicy") is None:
        default = REQUIRE if _is_free(spec) else SINGLE
        spec["ipFamilyPolicy"] = (old or {}).get("ipFamilyPolicy") or default


def _follow_policy(spec: Obj, old: Obj) -> list[FieldError]:
    """An update to a single family lets the second go; taking it out without saying so is an error."""
    if spec["ipFamilyPolicy"] == SINGLE:
        for field in ("clusterIPs", "ipFamilies"):
            if _same(spec, old, field) and len(spec.get(field) or ()) > 1:
                spec[field] = spec[field][:1]
        return []
    return [invalid("spec.ipFamilyPolicy", spec["ipFamilyPolicy"], f"must be 'SingleStack' to release the {what}")
            for field, what in (("clusterIPs", "secondary cluster IP"), ("ipFamilies", "secondary IP family"))
            if 0 < len(spec.get(field) or ()) < len(old.get(field) or ())]


def _contradictions(spec: Obj) -> list[FieldError]:
    if spec["ipFamilyPolicy"] != SINGLE:
        return []
    return [invalid("spec.ipFamilyPolicy", SINGLE, _DUAL_WANTED.format(what))
            for field, what in (("clusterIPs", "cluster IPs"), ("ipFamilies", "IP families"))
            if len(spec.get(field) or ()) == 2]


def _infer_from_addresses(spec: Obj, configured: Sequence[str]) -> list[FieldError]:
    """Families of addresses that were given without them."""
    families, errors = list(spec.get("ipFamilies") or ()), []
    for index, text in enumerate(spec.get("clusterIPs") or ()):
        address = parse_ip(text)
        if text == "None" or address is None:
            break
        if index >= len(families):
            family = family_of(address)
            if family in configured:
                families.append(family)
            else:
                errors.append(invalid(f"spec.clusterIPs[{index}]", spec["clusterIPs"],
                                      f"{family} is not configured on this cluster"))
    if families:
        spec["ipFamilies"] = families
    return errors


def _not_configured(spec: Obj, configured: Sequence[str]) -> list[FieldError]:
    errors = []
    if spec["ipFamilyPolicy"] == REQUIRE and len(configured) < 2:
        errors.append(invalid("spec.ipFamilyPolicy", REQUIRE, "this cluster is not configured for dual-stack services"))
    return errors + [invalid(f"spec.ipFamilies[{index}]", family, "not configured on this cluster")
                     for index, family in enumerate(spec.get("ipFamilies") or ()) if family not in configured]


def _fill_families(spec: Obj, default: str, can_add: bool) -> None:
    families = list(spec.get("ipFamilies") or (default,))
    if len(families) == 1 and spec["ipFamilyPolicy"] != SINGLE and can_add:
        families.append(_OTHER[families[0]])
    spec["ipFamilies"] = families
