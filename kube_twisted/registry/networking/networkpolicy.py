"""NetworkPolicies: which peers and ports pods may talk with."""

from __future__ import annotations

import ipaddress
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import Address, Network, cidr_warnings, legacy_cidr, parse_cidr
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_PROTOCOLS, _TYPES = ("TCP", "UDP", "SCTP"), ("Ingress", "Egress")
#: The bits before the IPv4 address in an IPv4-mapped one of IPv6.
_MAPPED_BITS = 96
#: direction -> the field of its peers
_DIRECTIONS = (("ingress", "from"), ("egress", "to"))


class NetworkPolicyStrategy(Strategy):
    """Rules of ``networkpolicies``."""

    has_generation = True

    def default(self, obj: Obj) -> None:
        spec = obj.get("spec", {})
        if not spec.get("policyTypes"):
            spec["policyTypes"] = ["Ingress", "Egress"] if spec.get("egress") else ["Ingress"]
        for direction, _ in _DIRECTIONS:
            for rule in spec.get(direction, []):
                for port in rule.get("ports", []):
                    port.setdefault("protocol", "TCP")

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return [warning for direction, peers in _DIRECTIONS
                for index, rule in enumerate(obj["spec"].get(direction, []))
                for number, peer in enumerate(rule.get(peers, []))
                for warning in _block_warnings(f"spec.{direction}[{index}].{peers}[{number}].ipBlock",
                                               peer.get("ipBlock", {}))]

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], None, [])

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        before = old["spec"]
        known = [cidr for direction, peers in _DIRECTIONS for rule in before.get(direction, [])
                 for peer in rule.get(peers, []) if "ipBlock" in peer
                 for cidr in (peer["ipBlock"].get("cidr", ""), *peer["ipBlock"].get("except", []))]
        return _validate_spec(obj["spec"], before.get("podSelector"), known)


def _validate_spec(spec: Obj, old_selector: dict[str, Any] | None, known: list[str]) -> list[FieldError]:
    """All of it; ``known`` are CIDRs that may stay as they are."""
    errors = rules.label_selector("spec.podSelector", spec.get("podSelector"), old_selector)
    for direction, peers in _DIRECTIONS:
        for index, rule in enumerate(spec.get(direction, [])):
            path = f"spec.{direction}[{index}]"
            for number, port in enumerate(rule.get("ports", [])):
                errors += _validate_port(f"{path}.ports[{number}]", port)
            for number, peer in enumerate(rule.get(peers, [])):
                errors += _validate_peer(f"{path}.{peers}[{number}]", peer, old_selector, known)
    types = spec.get("policyTypes", [])
    if len(types) > len(_TYPES):
        return [*errors, invalid("spec.policyTypes", types, "may not specify more than two policyTypes")]
    return errors + [not_supported(f"spec.policyTypes[{index}]", one, _TYPES)
                     for index, one in enumerate(types) if one not in _TYPES]


def _validate_port(path: str, entry: dict[str, Any]) -> list[FieldError]:
    port, end, errors = entry.get("port"), entry.get("endPort"), []
    if "protocol" in entry:
        errors += rules.one_of(f"{path}.protocol", entry["protocol"], _PROTOCOLS)
    if port is None:
        if end is not None:
            errors.append(invalid(f"{path}.endPort", end,
                                  "may not be specified when `port` is not specified"))
    elif isinstance(port, str):
        if end is not None:
            errors.append(invalid(f"{path}.endPort", end, "may not be specified when `port` is non-numeric"))
        errors += rules.port(f"{path}.port", port)
    else:
        errors += rules.port(f"{path}.port", port)
        if end is not None and end < port:
            errors.append(invalid(f"{path}.endPort", port, "must be greater than or equal to `port`"))
        if end is not None:
            errors += rules.port_number(f"{path}.endPort", end)
    return errors


def _validate_peer(path: str, peer: dict[str, Any], old_selector: dict[str, Any] | None,
                   known: list[str]) -> list[FieldError]:
    errors = []
    selectors = [name for name in ("podSelector", "namespaceSelector") if name in peer]
    for name in selectors:
        errors += rules.label_selector(f"{path}.{name}", peer[name], old_selector)
    if "ipBlock" in peer:
        errors += _validate_block(f"{path}.ipBlock", peer["ipBlock"], known)
        if selectors:
            errors.append(forbidden(path, "may not specify both ipBlock and another peer"))
    elif not selectors:
        errors.append(required(path, "must specify a peer"))
    return errors


def _validate_block(path: str, block: dict[str, Any], known: list[str]) -> list[FieldError]:
    cidr = block.get("cidr", "")
    if not cidr:
        return [required(f"{path}.cidr")]
    errors = legacy_cidr(f"{path}.cidr", cidr, known)
    whole = parse_cidr(cidr)
    if whole is None:
        return errors
    for index, text in enumerate(block.get("except", [])):
        at = f"{path}.except[{index}]"
        errors += legacy_cidr(at, text, known)
        part = parse_cidr(text)
        if part is None:
            continue
        if not _contains(whole[1], part[1].network_address) or part[1].prefixlen <= whole[1].prefixlen:
            errors.append(invalid(at, text, "must be a strict subset of `cidr`"))
    return errors


def _block_warnings(path: str, block: dict[str, Any]) -> list[str]:
    warnings = cidr_warnings(f"{path}.cidr", block.get("cidr", ""))
    for index, text in enumerate(block.get("except", [])):
        warnings += cidr_warnings(f"{path}.except[{index}]", text)
    return warnings


def _contains(network: Network, address: Address) -> bool:
    """Whether an address is in a network; an IPv4-mapped one of IPv6 is taken for the one of IPv4."""
    mapped = getattr(address, "ipv4_mapped", None)
    start = getattr(network.network_address, "ipv4_mapped", None)
    if start is not None and network.prefixlen >= _MAPPED_BITS:
        network = ipaddress.IPv4Network((start, network.prefixlen - _MAPPED_BITS))
    return (mapped or address) in network


STRATEGY = NetworkPolicyStrategy()
