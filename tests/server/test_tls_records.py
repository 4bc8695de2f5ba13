"""Records of TLS, in whatever pieces they come."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server.tls_records import RecordBoundary
from tests.server.memory_tls import TLSPair

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


class ReceivingTests(SynchronousTestCase):
    """Whatever the client sends, in whatever pieces it comes: the server reads it, at once."""

    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.integers(1, 40_000), min_size=1, max_size=4), st.lists(st.integers(1, 30_000), max_size=6))
    def test_pieces(self, sizes: list[int], cuts: list[int]) -> None:
        time = FakeTime()
        pair = TLSPair.connected(time)
        server, client = pair.server, pair.client
        received: Any = server.wrappedProtocol
        sent = b""
        for number, size in enumerate(sizes):
            text = bytes([number]) * size
            client.write(text)
            time.advance(0)
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
        server = TLSPair.connected(FakeTime()).server
        server.dataReceived(record(_APPLICATION, b"x" * 50))
        transport: Any = server.transport
        self.assertTrue(transport.disconnecting)
