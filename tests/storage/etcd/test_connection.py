"""An HTTP/2 connection to a member of etcd, and the calls on it."""

from __future__ import annotations

from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.etcd.errors import RPCError
from tests.storage.etcd.member import Member


class Heard:
    """What a caller hears."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.ends: list[str] = []

    def message(self, data: bytes) -> None:
        self.messages.append(data)

    def ended(self, error: RPCError | None) -> None:
        self.ends.append(str(error) if error is not None else "well")


class ConnectionTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.member = Member(self.time)
        self.connection = self.member.connection
        self.heard = Heard()

    def greeted(self) -> None:
        self.member.greet()
        self.successResultOf(self.connection.ready)

    def test_ready(self) -> None:
        """It is ready once the other side has spoken HTTP/2."""
        self.assertNoResult(self.connection.ready)
        self.greeted()
        self.assertTrue(self.connection.usable)

    def test_never_ready(self) -> None:
        """It fails when the other side ends it before; nobody is told of a loss."""
        self.member.end()
        self.failureResultOf(self.connection.ready, ConnectionDone)
        self.assertEqual(self.member.lost, [])

    def test_no_http2(self) -> None:
        """So it does when the other side breaks the protocol: here with data of no stream."""
        self.connection.dataReceived(b"\0\0\1\0\0\0\0\0\0a")
        self.failureResultOf(self.connection.ready, ConnectionDone)

    def test_call(self) -> None:
        """A call has its path, the headers of gRPC and messages; its answers come one by one, and an end."""
        self.greeted()
        stream = self.connection.open("/etcdserverpb.KV/Range", self.heard, (b"hasleader", b"true"))
        stream.send(b"one")
        stream.send(b"", last=True)
        self.member.pump()
        call, = self.member.calls
        self.assertEqual((call.path, call.messages), ("/etcdserverpb.KV/Range", [b"one", b""]))
        self.assertEqual((call.headers["te"], call.headers["content-type"], call.headers["hasleader"]),
                         ("trailers", "application/grpc", "true"))
        call.begin()
        call.send(b"a", b"")
        self.assertEqual((self.heard.messages, self.heard.ends), ([b"a", b""], []))
        call.end()
        self.assertEqual(self.heard.ends, ["well"])

    def test_errors(self) -> None:
        """An error has the code and the text that the member tells, before or after messages."""
        self.greeted()
        for _ in range(4):
            self.connection.open("/x", self.heard).send(b"", last=True)
        self.member.pump()
        first, second, third, fourth = self.member.calls
        first.refuse(14, "etcdserver: no leader")
        second.begin()
        second.end(5, "caf%C3%A9 is closed")
        third.reset()
        fourth.refuse(99, "new")
        self.assertEqual(self.heard.ends, [
            "etcdserver: no leader", "rpc error: code = NotFound desc = caf\u00e9 is closed",
            "rpc error: code = Unavailable desc = stream terminated by RST_STREAM with error code: NO_ERROR",
            "rpc error: code = Unknown desc = new"])

    def test_no_grpc(self) -> None:
        """Neither an HTTP error nor an end without a status is taken for an answer."""
        self.greeted()
        for _ in range(2):
            self.connection.open("/x", self.heard).send(b"", last=True)
        self.member.pump()
        first, second = self.member.calls
        self.member.h2.send_headers(first.number, [(":status", "502")], end_stream=True)
        second.begin()
        self.member.h2.end_stream(second.number)
        self.member.pump()
        self.assertEqual(self.heard.ends, [
            "rpc error: code = Unavailable desc = unexpected HTTP status code received from server: 502",
            "rpc error: code = Internal desc = server closed the stream without sending trailers"])

    def test_large_messages(self) -> None:
        """What is larger than the windows goes out as the other side makes room, and comes in whole."""
        self.greeted()
        self.member.reads = False
        large = bytes(range(256)) * 1024
        self.connection.open("/x", self.heard).send(large, last=True)
        self.member.pump()
        call, = self.member.calls
        self.assertEqual(len(call.body), 65535)
        self.member.h2.increment_flow_control_window(1 << 20)
        self.member.h2.increment_flow_control_window(1 << 20, call.number)
        self.member.pump()
        self.assertEqual(call.messages, [large])
        call.begin()
        data = b"\0" + len(large).to_bytes(4, "big") + large
        for at in range(0, len(data), 10_000):
            self.member.h2.send_data(call.number, data[at:at + 10_000])
        self.member.pump()
        call.end()
        self.assertEqual((self.heard.messages, self.heard.ends), ([large], ["well"]))

    def test_cancel(self) -> None:
        """A call that is given up is reset, and hears nothing more."""
        self.greeted()
        stream = self.connection.open("/x", self.heard)
        stream.send(b"")
        self.member.pump()
        call, = self.member.calls
        call.begin()
        call.send(b"a")
        stream.cancel()
        stream.cancel()
        self.member.pump()
        self.assertTrue(call.is_reset)
        self.assertEqual((self.heard.messages, self.heard.ends), ([b"a"], []))

    def test_cancel_in_answer(self) -> None:
        """It may be given up in the midst of its answers."""
        self.greeted()
        stream = self.connection.open("/x", self.heard)
        self.heard.message = lambda _: stream.cancel()  # type: ignore[method-assign]
        stream.send(b"")
        self.member.pump()
        call, = self.member.calls
        call.begin()
        call.send(b"a", b"b")
        self.member.pump()
        self.assertTrue(call.is_reset)

    def test_lost(self) -> None:
        """When the connection is lost, its calls fail, and its owner is told once."""
        self.greeted()
        self.connection.open("/x", self.heard)
        self.member.end()
        self.assertEqual(self.heard.ends, ["rpc error: code = Unavailable desc = error reading from server: EOF"])
        self.assertEqual((self.member.lost, self.connection.usable), (["EOF"], False))

    def test_goaway(self) -> None:
        """When the member takes no more calls, the connection is given up."""
        self.greeted()
        self.member.h2.close_connection()
        self.member.pump()
        self.assertEqual(self.member.lost, ["EOF"])

    def test_keepalive(self) -> None:
        """After half a minute of silence the member is asked whether it is there."""
        self.greeted()
        for _ in range(10):
            self.time.advance(20)
            self.member.pump()
        self.assertGreater(self.member.pings, 1)
        self.assertEqual(self.member.lost, [])

    def test_silence(self) -> None:
        """When it does not answer, the connection is given up."""
        self.greeted()
        self.member.is_deaf = True
        for _ in range(2):
            self.time.advance(30)
        self.member.pump()
        self.assertEqual(self.member.lost, [])
        self.time.advance(10)
        self.assertEqual(self.member.lost, ["EOF"])
        self.assertEqual(self.time.getDelayedCalls(), [])
