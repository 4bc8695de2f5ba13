"""Node ports: which are in use, and which comes next.

All of them are in one object of the store (see ``node_port_range``), which follows the store's log here.
The lower part of the range is kept for ports that are asked for, as long as there are others (KEP-3668).
"""

from __future__ import annotations

from collections.abc import Sequence

from kube_twisted.controlplane.services.address_range import static_part
from kube_twisted.controlplane.services.block import Block
from kube_twisted.controlplane.services.node_port_range import KEY, NodePortRange
from kube_twisted.controlplane.services.refusal import FULL, NO_PORTS_YET, PORT_TAKEN, Refused
from kube_twisted.storage.interfaces import Event, EventType, IStore, ISubscription, Update

_SMALLEST, _LARGEST, _SHARE = 16, 128, 32


class NodePorts:
    """The node ports of the cluster.

    :ivar revision: of the object in the store, 0 when there is none.
    """

    def __init__(self, storage: IStore, range_: NodePortRange) -> None:
        self.range = range_
        self.revision = 0
        self._storage = storage
        self._bits: int | None = None
        middle = range_.first + static_part(range_.last - range_.first + 1, _SMALLEST, _LARGEST, _SHARE)
        self._blocks = (Block(middle, range_.last), Block(range_.first, middle - 1))
        self._subscription: ISubscription | None = None

    async def start(self) -> None:
        """Read which ports are in use, then follow."""
        page = await self._storage.list_entries(KEY)
        for entry in page.entries:
            self._take_over(entry.value, entry.revision)
        self._subscription = await self._storage.watch(KEY, page.revision, self._consume)

    def stop(self) -> None:
        if self._subscription is not None:
            self._subscription.stop()
            self._subscription = None

    # -- the object -----------------------------------------------------------------------------------------------

    @property
    def bits(self) -> int | None:
        """The ports in use; None when there is no object that says it."""
        return self._bits

    def _consume(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.type is EventType.DELETED:
                self.revision, self._bits = 0, None
            else:
                self._take_over(event.value, event.revision)

    def _take_over(self, value: bytes, revision: int) -> None:
        self.revision = revision
        try:
            self._bits = self.range.decode(value)
        except ValueError:
            self._bits = None
        used = set(self.range.ports(self._bits or 0))
        for block in self._blocks:
            block.taken = {port for port in used if port in block}

    def change(self, taken: set[int], released: set[int]) -> Update | None:
        """The operation that notes ports as taken and as released; None when there is nothing to note.

        Released ports outside of the range, and those of a range that is not there yet, are nobody's.

        :raises Refused: when one to be taken is in use.
        """
        if self._bits is None:
            if taken:
                raise Refused(NO_PORTS_YET)
            return None
        bits = self._bits
        for port in taken:
            if port not in self.range or bits & self.range.bit(port):
                raise Refused(PORT_TAKEN)
            bits |= self.range.bit(port)
        for port in released:
            if port in self.range:
                bits &= ~self.range.bit(port)
        return Update(KEY, self.range.encode(bits), self.revision) if bits != self._bits else None

    # -- looking for ports ----------------------------------------------------------------------------------------

    def pick(self, besides: set[int]) -> int | None:
        """A free port that is none of ``besides``, None without any. It is not taken by that."""
        for block in self._blocks:
            port = block.pick(besides)
            if port is not None:
                return port
        return None


class PortWishes:
    """The ports that one write of a Service wants, each only once."""

    def __init__(self, ports: NodePorts) -> None:
        self._ports = ports
        self._own: set[int] = set()

    def require(self, port: int) -> None:
        """:raises Refused: when the port is outside of the range, or in use."""
        known = self._ports.range
        if port not in known:
            raise Refused(f"provided port is not in the valid range. The range of valid ports is {known}")
        if self._ports.bits is None:
            raise Refused(NO_PORTS_YET)
        if port in self._own or self._ports.bits & known.bit(port):
            raise Refused(PORT_TAKEN)
        self._own.add(port)

    def pick(self) -> int:
        """Any free port.

        :raises Refused: when there is none.
        """
        if self._ports.bits is None:
            raise Refused(NO_PORTS_YET)
        port = self._ports.pick(self._own)
        if port is None:
            raise Refused(FULL)
        self._own.add(port)
        return port
