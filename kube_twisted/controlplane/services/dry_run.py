"""What a dry run gives a Service: addresses and ports that only look like those of a real write.

Nothing is looked up that another write may change at any time: an address asked for may be in use, and one that is
chosen is the network's own. Source of the rule: the original's allocators, which answer dry runs so.
"""

from __future__ import annotations

from kube_twisted.controlplane.services.addresses import Addresses
from kube_twisted.controlplane.services.networks import ServiceNetwork, family_of, has_address
from kube_twisted.controlplane.services.node_ports import NodePorts
from kube_twisted.controlplane.services.refusal import NOT_READY, PORT_TAKEN, Refused
from kube_twisted.registry.addresses import Address

#: The port before the first one that a dry run makes up.
_BEFORE_FIRST_PORT = 32768


class DryAddresses:
    """Stands for :class:`Addresses`."""

    def __init__(self, addresses: Addresses) -> None:
        self._networks = addresses.networks

    def require(self, address: Address) -> None:
        """:raises Refused: when the address is not in the first network of its family."""
        network = self._first(family_of(address)).network
        if not has_address(network, address):
            raise Refused(f"the provided IP ({address}) is not in the valid range. "
                          f"The range of valid IPs is {network}")

    def pick(self, family: str) -> str:
        """:raises Refused: when the family has no network that is ready."""
        return str(self._first(family).network.network_address)

    def _first(self, family: str) -> ServiceNetwork:
        first = next((one for one in self._networks.all() if one.family == family), None)
        if first is None or not first.ready:
            raise Refused(NOT_READY)
        return first


class DryPortWishes:
    """Stands for :class:`PortWishes`: ports may be outside of the range, and are counted up when none is asked for."""

    def __init__(self, ports: NodePorts) -> None:
        self._ports = ports
        self._own: set[int] = set()

    def require(self, port: int) -> None:
        """:raises Refused: when the port is in use."""
        known, bits = self._ports.range, self._ports.bits or 0
        if port in self._own or (port in known and bits & known.bit(port)):
            raise Refused(PORT_TAKEN)
        self._own.add(port)

    def pick(self) -> int:
        port = (max({0, *self._own}) if self._own else _BEFORE_FIRST_PORT) + 1
        self._own.add(port)
        return port
