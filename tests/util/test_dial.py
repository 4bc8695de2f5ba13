"""Connecting by TCP, over a reactor that only remembers."""

from __future__ import annotations

from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectError, NoRouteError, TCPTimedOutError
from twisted.internet.error import ConnectionRefusedError as Refused
from twisted.internet.error import TimeoutError as TimedOut
from twisted.internet.interfaces import IHostnameResolver
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.testing import MemoryReactorClock
from twisted.python.failure import Failure
from twisted.trial.unittest import SynchronousTestCase
from zope.interface import implementer

from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.dial import TIMEOUT_OF_MANY, DialError, connect_tcp, host_port


@implementer(IHostnameResolver)
class Names:
    """Knows one name."""

    def resolveHostName(self, receiver: Any, hostName: str, portNumber: int = 0, addressTypes: Any = None,
                        transportSemantics: str = "TCP") -> Any:
        receiver.resolutionBegan(None)
        if hostName == "hook.example.com":
            receiver.addressResolved(IPv6Address("TCP", "2001:db8::1", 0))
            receiver.addressResolved(IPv4Address("TCP", "192.0.2.1", 0))
        receiver.resolutionComplete()


class ConnectTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.reactor = MemoryReactorClock()
        self.reactor.installNameResolver(Names())

    def connect(self, host: str) -> Deferred[Any]:
        return to_deferred(connect_tcp(self.reactor, host, 443, Factory.forProtocol(Protocol)))

    def refuse(self, number: int, why: ConnectError) -> None:
        self.reactor.tcpClients[number][2].clientConnectionFailed(self.reactor.connectors[number], Failure(why))

    def test_address(self) -> None:
        """An address is connected to as it is."""
        connected = self.connect("192.0.2.7")
        host, port, factory, _, _ = self.reactor.tcpClients[0]
        self.assertEqual((host, port), ("192.0.2.7", 443))
        protocol = factory.buildProtocol(None)
        protocol.makeConnection(self.reactor.connectors[0])
        self.assertIsInstance(self.successResultOf(connected), Protocol)

    def test_addresses_of_a_name(self) -> None:
        """All addresses of a name are tried, none for long; the first one's error is told."""
        connected = self.connect("hook.example.com")
        self.assertEqual(self.reactor.tcpClients[0][0], "2001:db8::1")
        self.assertEqual(self.reactor.tcpClients[0][3], TIMEOUT_OF_MANY)
        self.refuse(0, NoRouteError(101))
        self.assertEqual(self.reactor.tcpClients[1][0], "192.0.2.1")
        self.refuse(1, Refused(111))
        self.assertEqual(str(self.failureResultOf(connected, DialError).value),
                         "dial tcp [2001:db8::1]:443: connect: network is unreachable")

    def test_words(self) -> None:
        """Errors are said as Go says them."""
        for number, (error, said) in enumerate((
            (Refused(111), "connect: connection refused"), (Refused(), "connect: connection refused"),
            (TCPTimedOutError(110), "connect: connection timed out"), (TimedOut(), "i/o timeout"),
            (ConnectError(string="odd"), "connect: An error occurred while connecting: odd."),
        )):
            connected = self.connect("192.0.2.1")
            self.refuse(number, error)
            self.assertEqual(str(self.failureResultOf(connected, DialError).value), f"dial tcp 192.0.2.1:443: {said}")

    def test_unknown_name(self) -> None:
        """A name without addresses is no host."""
        self.assertEqual(str(self.failureResultOf(self.connect("nosuch.example.com"), DialError).value),
                         "dial tcp: lookup nosuch.example.com: no such host")

    def test_host_port(self) -> None:
        """Only IPv6 addresses need brackets."""
        self.assertEqual(host_port("a.b", 1), "a.b:1")
        self.assertEqual(host_port("::1", 1), "[::1]:1")
