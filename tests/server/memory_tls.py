"""Both ends of a TLS connection, in memory."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from attrs import define
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.ssl import Certificate, optionsForClientTLS
from twisted.internet.task import Clock as FakeTime
from twisted.protocols.tls import TLSMemoryBIOFactory
from twisted.test.iosim import FakeTransport, connect

from kube_twisted.server import certificates
from kube_twisted.server.tls import ServerTLS
from kube_twisted.server.transport import TLSFactory

NOW = datetime.now(UTC)
AUTHORITY = certificates.new_authority("authority", NOW)
SERVING = certificates.new_serving(AUTHORITY, ["api.example.com"], NOW)


class Recorder(Protocol):
    """Keeps what it got, and whether it ended."""

    def __init__(self) -> None:
        self.data = b""
        self.ended = False

    def dataReceived(self, data: bytes) -> None:
        self.data += data

    def connectionLost(self, reason: Any = None) -> None:
        self.ended = True


@define
class TLSPair:
    """A server's and a client's end; ``pump`` passes on what they have written."""

    server: Any
    client: Any
    pump: Any

    @classmethod
    def connected(cls, time: FakeTime) -> TLSPair:
        factory = Factory.forProtocol(Recorder)
        tls: Any = ServerTLS(SERVING.certificate_pem(), SERVING.key_pem(), [AUTHORITY.certificate])
        trusted: Any = Certificate.loadPEM(AUTHORITY.certificate_pem())
        clock: Any = time
        server: Any = TLSFactory(tls, False, factory, clock).buildProtocol(None)
        client: Any = TLSMemoryBIOFactory(
            optionsForClientTLS("api.example.com", trustRoot=trusted), True, factory, clock).buildProtocol(None)
        pump = connect(server, FakeTransport(server, True), client, FakeTransport(client, False))
        pump.flush()
        return cls(server, client, pump)
