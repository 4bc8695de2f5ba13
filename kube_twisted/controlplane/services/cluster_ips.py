"""Which cluster IPs a Service gets, and which it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from kube_twisted.api import errors
from kube_twisted.api.field import invalid
from kube_twisted.api.gvk import GroupKind
from kube_twisted.controlplane.services.families import keeps_preference
from kube_twisted.controlplane.services.refusal import FULL, Refused
from kube_twisted.registry.addresses import Address, parse_ip
from kube_twisted.registry.core.service_types import is_headless, needs_cluster_ip
from kube_twisted.registry.strategy import Obj

SERVICE = GroupKind("", "Service")


class Pool(Protocol):
    """Where the addresses come from."""

    def require(self, address: Address) -> None:
        """:raises Refused: when the address can't be had."""

    def pick(self, family: str) -> str:
        """A free address.

        :raises Refused: when there is none.
        """


def held_addresses(spec: Obj | None) -> set[str]:
    """The addresses of a Service, in canonical form."""
    if spec is None or not needs_cluster_ip(spec):
        return set()
    parsed = [parse_ip(text) for text in spec.get("clusterIPs") or ()]
    return {str(address) for address in parsed if address is not None}


def give_addresses(addresses: Pool, name: str, spec: Obj, old: Obj | None) -> Callable[[], None] | None:
    """Give a Service the addresses that its families are due; those it asks for are looked at.

    :param old: the spec before, None for a new Service.
    :returns: how to take them back; None when nothing was given.
    :raises StatusError: 422 when an address can't be had, 500 when there are no more.
    """
    first = _first_to_give(spec, old)
    if first is None:
        return None
    families, before = spec["ipFamilies"], spec.get("clusterIP")
    given = list(spec.get("clusterIPs") or ())
    wanted = given + [""] * (len(families) - len(given))
    for index, family in enumerate(families[first:], first):
        wanted[index] = _one(addresses, name, family, wanted[index], wanted)

    def take_back() -> None:
        _put(spec, "clusterIPs", given or None)
        _put(spec, "clusterIP", before)

    spec["clusterIP"], spec["clusterIPs"] = wanted[0], wanted
    return take_back


def _first_to_give(spec: Obj, old: Obj | None) -> int | None:
    """From which of its families on a Service is to get addresses; None for from nowhere."""
    if not needs_cluster_ip(spec) or is_headless(spec) or keeps_preference(spec, old):
        return None
    if old is None or not needs_cluster_ip(old):
        return 0
    if is_headless(old):
        return None
    return 1 if len(old.get("ipFamilies") or ()) == 1 and len(spec["ipFamilies"]) == 2 else None


def _one(addresses: Pool, name: str, family: str, asked: str, all_asked: list[str]) -> str:
    """The address asked for, or any one."""
    try:
        if not asked:
            return addresses.pick(family)
        address = parse_ip(asked)
        if address is None:
            raise errors.internal_error(f'failed to parse service IP "{asked}"')
        addresses.require(address)
        return asked
    except Refused as refused:
        if str(refused) == FULL:
            raise errors.internal_error(f'failed to allocate a serviceIP for Service "{name}": {refused}') from None
        why = f"failed to allocate IP {asked}: {refused}" if asked else f"failed to allocate IP: {refused}"
        raise errors.invalid(SERVICE, name, [invalid("spec.clusterIPs", all_asked, why)]) from None


def _put(spec: Obj, field: str, value: object) -> None:
    if value is None:
        spec.pop(field, None)
    else:
        spec[field] = value
