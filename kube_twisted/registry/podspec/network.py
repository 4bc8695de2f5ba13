"""A pod's place in the network: DNS, host names, host aliases and the host's own network."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required, too_long
from kube_twisted.api.names import dns_subdomain, dns_subdomain_with_underscore
from kube_twisted.registry.addresses import legacy_ip
from kube_twisted.registry.rules import messages

Obj = dict[str, Any]
Errors = list[FieldError]

_MOST_NAMESERVERS = 3
_MOST_SEARCHES = 32
_LONGEST_SEARCHES = 2048
_LONGEST_HOSTNAME = 64


def validate_dns(path: str, spec: Obj) -> Errors:
    """``dnsConfig``, which the policy ``None`` needs."""
    config = spec.get("dnsConfig")
    if spec.get("dnsPolicy") == "None":
        if config is None:
            return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")]
        if not config.get("nameservers"):
            return [required(f"{path}.nameservers",
                             "must provide at least one DNS nameserver when `dnsPolicy` is None")]
    return _config(path, config) if config else []


def _config(path: str, config: Obj) -> Errors:
    servers, searches = config.get("nameservers") or [], config.get("searches") or []
    errors: Errors = []
    if len(servers) > _MOST_NAMESERVERS:
        errors.append(invalid(f"{path}.nameservers", servers,
                              f"must not have more than {_MOST_NAMESERVERS} nameservers"))
    for index, server in enumerate(servers):
        errors += legacy_ip(f"{path}.nameservers[{index}]", server)
    if len(searches) > _MOST_SEARCHES:
        errors.append(invalid(f"{path}.searches", searches,
                              f"must not have more than {_MOST_SEARCHES} search paths"))
    if len(" ".join(searches)) > _LONGEST_SEARCHES:
        errors.append(invalid(f"{path}.searches", searches,
                              f"must not have more than {_LONGEST_SEARCHES} characters (including spaces) in "
                              "the search list"))
    for index, search in enumerate(searches):
        if search != ".":
            name = search.removesuffix(".")
            errors += messages(f"{path}.searches[{index}]", name, dns_subdomain_with_underscore(name))
    for index, option in enumerate(config.get("options") or ()):
        if not option.get("name"):
            errors.append(required(f"{path}.options[{index}]", "must not be empty"))
    return errors


def validate_host_aliases(path: str, aliases: list[Obj]) -> Errors:
    """``hostAliases``."""
    errors: Errors = []
    for index, alias in enumerate(aliases):
        errors += legacy_ip(f"{path}[{index}].ip", alias.get("ip", ""))
        for place, name in enumerate(alias.get("hostnames") or ()):
            errors += messages(f"{path}[{index}].hostnames[{place}]", name, dns_subdomain(name))
    return errors


def validate_host_ports(path: str, containers: list[Obj], is_pod: bool) -> Errors:
    """In the host's network, ports of the container and the host are the same ones."""
    return [invalid(f"{path}[{index}].ports[{place}].hostPort", port.get("hostPort", 0),
                    "must match `containerPort` when `hostNetwork` is true")
            for index, container in enumerate(containers)
            for place, port in enumerate(container.get("ports") or ())
            if (is_pod or port.get("hostPort")) and port.get("hostPort", 0) != port.get("containerPort", 0)]


def validate_hostname_override(path: str, spec: Obj) -> Errors:
    """``hostnameOverride`` (KEP-4762)."""
    name = spec["hostnameOverride"]
    errors: Errors = []
    for other in ("setHostnameAsFQDN", "hostNetwork"):
        if spec.get(other):
            errors.append(forbidden(path, f"may not be specified when {other} is true"))
    if len(name) > _LONGEST_HOSTNAME:
        errors.append(too_long(path, _LONGEST_HOSTNAME))
    return errors + messages(path, name, dns_subdomain(name))
