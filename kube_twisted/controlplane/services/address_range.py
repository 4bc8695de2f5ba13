"""A range of cluster IPs: its lower part is kept for addresses that are asked for, as long as there are others.

Source of the rule: KEP-3070, "Reserve Service IP Ranges For Dynamic and Static IP Allocation".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from kube_twisted.controlplane.services.block import Block
from kube_twisted.registry.addresses import Network

_SMALLEST, _LARGEST, _SHARE = 16, 256, 16


def static_part(size: int, smallest: int, largest: int, share: int) -> int:
    """How many of ``size`` are kept for requests by name: a share of them, within limits; none of a small range."""
    return 0 if size <= smallest else min(max(smallest, size // share), largest)


class AddressRange:
    """The usable addresses of a network, as numbers: neither its own address nor an IPv4 broadcast address.

    :param taken: of the addresses of the network's family, those in use.
    """

    def __init__(self, network: Network, taken: Iterable[int]) -> None:
        first = int(network.network_address) + 1
        last = int(network.broadcast_address) - (network.version == 4)
        middle = first + static_part(network.num_addresses, _SMALLEST, _LARGEST, _SHARE)
        self._static = Block(first, min(middle - 1, last))
        self._dynamic = Block(middle, last)
        for number in taken:
            self.take(number)

    def __contains__(self, number: int) -> bool:
        return number in self._static or number in self._dynamic

    def take(self, number: int) -> None:
        """Note that an address is in use, if it is one of this range."""
        for block in (self._dynamic, self._static):
            if number in block:
                block.taken.add(number)

    def release(self, number: int) -> None:
        """Note that an address is free again."""
        self._dynamic.taken.discard(number)
        self._static.taken.discard(number)

    def pick(self, besides: Collection[int] = ()) -> int | None:
        """A free address that is none of ``besides``, None when there is none."""
        number = self._dynamic.pick(besides)
        return self._static.pick(besides) if number is None else number
