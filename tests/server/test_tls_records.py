"""Records of TLS, in whatever pieces they come."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.ssl import Certificate, optionsForClientTLS
from twisted.internet.task import Clock as FakeTime
from twisted.protocols.tls import TLSMemoryBIOFactory
from twisted.test.iosim import FakeTransport, connect
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server import certificates
from kube_twisted.server.tls import ServerTLS
from kube_twisted.server.tls_records import RecordBoundary
from kube_twisted.server.transport import TLSConnection, TLSFactory

NOW = datetime.now(UTC)
AUTHORITY = certificates.new_authority("authority", NOW)
SERVING = certificates.new_serving(AUTHORITY, ["api.example.com"], NOW)
_APPLICATION, _ALERT = 23, 21


def record(type_: int, content: bytes) -> bytes:
    return bytes([type_, 3, 3]) + len(content).to_bytes(2, "big") + content


class BoundaryTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.boundary = RecordBoundary()

    def test_one_record(self) -> None:
        """One record at a time is known for what it is, also an empty one before it."""
        for content in (b"a", b"b" * 16384):
            self.assertTrue(self.boundary.is_one_record(record(_APPLICATION, content)))

    def test_not_for_the_application(self) -> None:
        """An alert is a record too, but no request; one that says it is empty is nothing to read."""
        self.assertFalse(self.boundary.is_one_record(record(_ALERT, b"xx")))
        self.assertFalse(self.boundary.is_one_record(record(_APPLICATION, b"")))
        self.assertTrue(self.boundary.is_one_record(record(_APPLICATION, b"a")))

    def test_two_records(self) -> None:
        """Two are not one, however they are cut; after them a record is one again."""
        two = record(_APPLICATION, b"first") + record(_APPLICATION, b"second")
        self.assertFalse(self.boundary.is_one_record(two))
        self.assertFalse(self.boundary.is_one_record(two[:-1]))
        self.assertFalse(self.boundary.is_one_record(two[-1:] + two[:7]))
        self.assertFalse(self.boundary.is_one_record(two[7:]))
        self.assertTrue(self.boundary.is_one_record(record(_APPLICATION, b"third")))

    def test_content_that_looks_like_a_record(self) -> None:
        """The rest of a record is not taken for the head of one."""
        inner = record(_APPLICATION, b"inner")
        outer = record(_APPLICATION, b"0123" + inner)
        self.assertFalse(self.boundary.is_one_record(outer[:-len(inner)]))
        self.assertFalse(self.boundary.is_one_record(inner))
        self.assertTrue(self.boundary.is_one_record(inner))

    def test_cut_in_its_head(self) -> None:
        """Then nothing is known any more."""
        one = record(_APPLICATION, b"abc")
        for piece in (one[:3], one[3:], one, one):
            self.assertFalse(self.boundary.is_one_record(piece))


class Recorder(Protocol):
    """Keeps what came."""

    def __init__(self) -> None:
        self.data = b""

    def dataReceived(self, data: bytes) -> None:
        self.data += data


class ReceivingTests(SynchronousTestCase):
    """Whatever the client sends, in whatever pieces it comes: the server reads it, at once."""

    def connected(self) -> tuple[TLSConnection, Any]:
        self.time = time = FakeTime()
        factory = Factory.forProtocol(Recorder)
        tls: Any = ServerTLS(SERVING.certificate_pem(), SERVING.key_pem(), [AUTHORITY.certificate])
        trusted: Any = Certificate.loadPEM(AUTHORITY.certificate_pem())
        server: Any = TLSFactory(tls, False, factory, time).buildProtocol(None)  # type: ignore[arg-type]
        client: Any = TLSMemoryBIOFactory(
            optionsForClientTLS("api.example.com", trustRoot=trusted), True, factory, time).buildProtocol(None)
        connect(server, FakeTransport(server, True), client, FakeTransport(client, False)).flush()
        return server, client

    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.integers(1, 40_000), min_size=1, max_size=4), st.lists(st.integers(1, 30_000), max_size=6))
    def test_pieces(self, sizes: list[int], cuts: list[int]) -> None:
        server, client = self.connected()
        received: Any = server.wrappedProtocol
        sent = b""
        for number, size in enumerate(sizes):
            text = bytes([number]) * size
            client.write(text)
            self.time.advance(0)
            sent += text
            raw = b"".join(client.transport.stream)
            client.transport.stream.clear()
            for cut in (*cuts, len(raw)):
                if raw:
                    server.dataReceived(raw[:cut])
                    raw = raw[cut:]
            self.assertEqual(received.data, sent)

    def test_broken(self) -> None:
        """A record that is none ends the connection, and no traceback comes of it."""
        server, _ = self.connected()
        server.dataReceived(record(_APPLICATION, b"x" * 50))
        transport: Any = server.transport
        self.assertTrue(transport.disconnecting)
