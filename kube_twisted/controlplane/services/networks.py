"""The networks of cluster IPs, as the ServiceCIDR objects name them (KEP-1880)."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from kube_twisted.registry.addresses import Address, Network, parse_cidr
from kube_twisted.registry.strategy import Obj
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watch_cache import WatchCache

#: The ServiceCIDR that the server makes of its configuration.
DEFAULT_CIDR = "kubernetes"
_READY = "Ready"


def family_of(address: Address | Network) -> str:
    return f"IPv{address.version}"


def has_address(network: Network, address: Address) -> bool:
    """Whether a Service may have the address: not the network's own one, nor an IPv4 broadcast address."""
    number = int(address)
    return (network.version == address.version
            and int(network.network_address) < number <= int(network.broadcast_address) - (network.version == 4))


@frozen
class ServiceNetwork:
    """A network that a ServiceCIDR names.

    :ivar ready: addresses may be given from it.
    """

    network: Network
    ready: bool

    @property
    def family(self) -> str:
        return family_of(self.network)


class ServiceNetworks:
    """All networks of all ServiceCIDRs, the default one's first.

    :param cidrs: the watch cache of ServiceCIDRs.
    """

    def __init__(self, cidrs: WatchCache) -> None:
        self._cidrs = cidrs
        self._known: tuple[ServiceNetwork, ...] = ()
        self.revision = -1

    def all(self) -> tuple[ServiceNetwork, ...]:
        """The networks now; :attr:`revision` changes with them."""
        if self.revision != self._cidrs.changed:
            items, _, _ = self._cidrs.select(Selection())
            ordered = sorted(items, key=lambda item: item.name != DEFAULT_CIDR)
            self._known = tuple(one for item in ordered for one in _networks_of(item.parse()))
            self.revision = self._cidrs.changed
        return self._known

    def has(self, address: Address) -> bool:
        """Whether the address is in any of them, ready or not."""
        return any(has_address(one.network, address) for one in self.all())


def _networks_of(cidr: Obj) -> Iterator[ServiceNetwork]:
    conditions = cidr.get("status", {}).get("conditions") or ()
    ready = not cidr["metadata"].get("deletionTimestamp") and any(
        one.get("type") == _READY and one.get("status") == "True" for one in conditions)
    for text in cidr.get("spec", {}).get("cidrs") or ():
        parsed = parse_cidr(text)
        if parsed is not None:
            yield ServiceNetwork(parsed[1], ready)
