"""Cluster IPs: which are in use, and which comes next (KEP-1880).

An address is in use when an IPAddress object of its name exists, whoever made it. The set of those follows the
store's log, so that looking for a free one costs the same whether there are ten Services or ten thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address

from kube_twisted.controlplane.services.address_range import AddressRange
from kube_twisted.controlplane.services.networks import ServiceNetworks, family_of
from kube_twisted.controlplane.services.refusal import FULL, IP_TAKEN, NO_SUCH_NETWORK, Refused
from kube_twisted.registry.addresses import Address, Network, parse_ip
from kube_twisted.storage.interfaces import Event, EventType, ISubscription
from kube_twisted.storage.watch_cache import WatchCache


class Addresses:
    """The addresses of all networks of Services.

    :param objects: the watch cache of IPAddresses.
    :param reserved: is given only to who asks for it: that of the Service ``kubernetes``.
    """

    def __init__(self, objects: WatchCache, networks: ServiceNetworks, reserved: Address) -> None:
        self.networks = networks
        self._objects = objects
        self._reserved = {family_of(reserved): (int(reserved),)}
        self._taken: dict[str, set[int]] = {"IPv4": set(), "IPv6": set()}
        self._ranges: dict[Network, AddressRange] = {}
        self._ranges_revision = -1
        self._subscription: ISubscription | None = None

    async def start(self) -> None:
        """Read which addresses are in use, then follow."""
        page = await self._objects.store.list_entries(self._objects.prefix)
        for entry in page.entries:
            self._note(entry.key, in_use=True)
        self._subscription = await self._objects.store.watch(self._objects.prefix, page.revision, self._consume)

    def stop(self) -> None:
        if self._subscription is not None:
            self._subscription.stop()
            self._subscription = None

    def require(self, address: Address) -> None:
        """:raises Refused: when the address is in no network that is ready, or in use."""
        family, number = family_of(address), int(address)
        if not any(number in one for one in self._of_family(family)):
            raise Refused(NO_SUCH_NETWORK)
        if number in self._taken[family]:
            raise Refused(IP_TAKEN)

    def pick(self, family: str) -> str:
        """A free address; it is in use only once its IPAddress object is written.

        :raises Refused: when there is none.
        """
        for one in self._of_family(family):
            number = one.pick(self._reserved.get(family, ()))
            if number is not None:
                return str(IPv4Address(number) if family == "IPv4" else IPv6Address(number))
        raise Refused(FULL)

    def _of_family(self, family: str) -> list[AddressRange]:
        """The ranges of the networks that are ready, which keep where they are in their rotation."""
        networks = self.networks.all()
        if self._ranges_revision != self.networks.revision:
            ready = dict.fromkeys(one.network for one in networks if one.ready)
            self._ranges = {one: self._ranges.get(one) or AddressRange(one, self._taken[family_of(one)])
                            for one in ready}
            self._ranges_revision = self.networks.revision
        return [one for network, one in self._ranges.items() if family_of(network) == family]

    def _consume(self, events: Sequence[Event]) -> None:
        for event in events:
            self._note(event.key, event.type is not EventType.DELETED)

    def _note(self, key: str, in_use: bool) -> None:
        address = parse_ip(key[len(self._objects.prefix):])
        if address is None:
            return
        family, number = family_of(address), int(address)
        if in_use:
            self._taken[family].add(number)
        else:
            self._taken[family].discard(number)
        for network, one in self._ranges.items():
            if network.version == address.version:
                (one.take if in_use else one.release)(number)
