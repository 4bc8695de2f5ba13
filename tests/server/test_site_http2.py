"""HTTP/2, with h2's state machine of a client on the other side of a connection in memory."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import h2.config
import h2.connection
import h2.events
import h2.settings
from twisted.internet.address import IPv4Address
from twisted.internet.testing import StringTransport

from kube_twisted.endpoints.request import Request, Response, StreamingResponse
from kube_twisted.server.filters.recovery import with_panic_recovery
from tests.server.http import MAX_BODY, SiteTestCase
from tests.server.test_site import Streaming


class HTTP2Transport(StringTransport):
    """A connection on which HTTP/2 was agreed in the TLS handshake."""

    negotiatedProtocol = b"h2"
    aborting = False

    def abortConnection(self) -> None:
        self.aborting = True
        self.loseConnection()


class Client:
    """An HTTP/2 client.

    :ivar answers: headers by stream.
    :ivar bodies: what came of the bodies, by stream.
    :ivar ended: streams whose answer is complete.
    """

    def __init__(self, protocol: Any, transport: HTTP2Transport) -> None:
        self.protocol, self.transport = protocol, transport
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
        self.answers: dict[int, dict[str, list[str]]] = {}
        self.bodies: dict[int, bytes] = defaultdict(bytes)
        self.ended: list[int] = []
        self.acknowledges = True
        self.connection.initiate_connection()
        self.flush()

    def flush(self) -> None:
        """Bytes go to and fro until nobody has more to say."""
        while True:
            sent = self.connection.data_to_send()
            if sent:
                self.protocol.dataReceived(sent)
            received = self.transport.value()
            self.transport.clear()
            if not sent and not received:
                return
            for event in self.connection.receive_data(received):
                self._take(event)

    def _take(self, event: h2.events.Event) -> None:
        if isinstance(event, h2.events.ResponseReceived):
            headers: dict[str, list[str]] = {}
            for name, value in event.headers:
                headers.setdefault(_text(name), []).append(_text(value))
            self.answers[event.stream_id] = headers
        elif isinstance(event, h2.events.DataReceived):
            self.bodies[event.stream_id] += event.data
            if self.acknowledges:
                self.connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            self.ended.append(event.stream_id)

    def ask(self, method: str = "GET", path: str = "/x", body: bytes = b"") -> int:
        """Send a request: its stream."""
        stream: int = self.connection.get_next_available_stream_id()
        self.connection.send_headers(stream, [(":method", method), (":path", path), (":scheme", "https"),
                                              (":authority", "h"), ("accept", "*/*")], end_stream=not body)
        if body:
            self.connection.send_data(stream, body, end_stream=True)
        return stream


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode()


class HTTP2TestCase(SiteTestCase):
    """Has a client with a connection."""

    def setUp(self) -> None:
        super().setUp()
        protocol = self.site.buildProtocol(IPv4Address("TCP", "192.0.2.7", 5000))
        transport = HTTP2Transport(peerAddress=IPv4Address("TCP", "192.0.2.7", 5000))
        protocol.makeConnection(transport)
        self.protocol = protocol
        self.client = Client(protocol, transport)

    def settle(self) -> None:
        """Let the server write what it has for its streams."""
        for _ in range(20):
            self.time.advance(0)
            self.client.flush()


class RequestTests(HTTP2TestCase):
    """Requests and whole answers."""

    def test_request(self) -> None:
        """Method, path, query and body come through; the answer has the same headers as on HTTP/1.1."""
        stream = self.client.ask("POST", "/a%2Fb?c=d", b"hello")
        self.settle()
        headers = self.client.answers[stream]
        self.assertEqual(self.client.bodies[stream], b"POST /a%2Fb c=d hello")
        self.assertEqual((headers[":status"], headers["content-type"], headers["content-length"]),
                         (["200"], ["text/plain"], [str(len(b"POST /a%2Fb c=d hello"))]))
        self.assertEqual(headers["cache-control"], ["no-cache, private"])
        self.assertIn(stream, self.client.ended)

    def test_names_of_headers(self) -> None:
        """Headers are found by how their names begin."""
        self.client.ask()
        self.settle()
        transport = self.requests[0].transport
        self.assertTrue(transport.any_header("acc"))
        self.assertFalse(transport.any_header("impersonate-"))

    def test_peer(self) -> None:
        """The site looks for certificates at the connection below the streams."""
        self.handler = _peer
        stream = self.client.ask()
        self.settle()
        self.assertEqual(self.client.bodies[stream], b"192.0.2.7 ()")

    def test_many(self) -> None:
        """Many requests at once, each answered on its own stream."""
        streams = [self.client.ask("GET", f"/{number}") for number in range(20)]
        self.settle()
        self.assertEqual([self.client.bodies[stream] for stream in streams],
                         [f"GET /{number}  ".encode() for number in range(20)])

    def test_head(self) -> None:
        """HEAD has headers and no body."""
        stream = self.client.ask("HEAD")
        self.settle()
        self.assertEqual((self.client.answers[stream][":status"], self.client.bodies[stream]), (["200"], b""))

    def test_connect(self) -> None:
        """CONNECT, the one method that has no path, is a request as any other."""
        stream: int = self.client.connection.get_next_available_stream_id()
        self.client.connection.send_headers(stream, [(":method", "CONNECT"), (":authority", "h")], end_stream=True)
        self.settle()
        self.assertEqual(self.client.bodies[stream], b"CONNECT   ")

    def test_given_up_at_once(self) -> None:
        """A request that is given up in the same breath gets no answer; those before and after it get theirs."""
        before = self.client.ask("GET", "/before")
        for _ in range(2):
            self.client.connection.reset_stream(self.client.ask("GET", "/given-up"))
        after = self.client.ask("GET", "/after")
        self.settle()
        self.assertEqual([self.client.bodies[one] for one in (before, after)], [b"GET /before  ", b"GET /after  "])
        self.assertEqual(self.client.ended, [before, after])

    def test_too_large(self) -> None:
        """A body that is too long is 413."""
        self.handler = with_panic_recovery(self.handler)
        stream = self.client.ask("POST", "/x", b"x" * (MAX_BODY + 1))
        self.settle()
        self.assertEqual(self.client.answers[stream][":status"], ["413"])

    def test_long_answer(self) -> None:
        """An answer longer than the client's window comes as fast as the client takes it."""
        async def long(_request: Request) -> Response:
            return Response(200, b"x" * 300_000)

        self.handler = long
        stream = self.client.ask()
        self.settle()
        self.assertEqual(len(self.client.bodies[stream]), 300_000)

    def test_full_window(self) -> None:
        """While the client's window is full nothing is tried; when it opens, the rest comes."""
        async def long(_request: Request) -> Response:
            return Response(200, bytes(range(256)) * 1000)

        self.handler = long
        self.client.acknowledges = False
        stream = self.client.ask()
        self.settle()
        sent = len(self.client.bodies[stream])
        self.assertEqual((sent, self.sending()), (65535, []))
        other = self.client.ask()
        self.settle()
        self.assertEqual((self.client.answers[other][":status"], self.client.bodies[other]), (["200"], b""))
        self.client.connection.increment_flow_control_window(1_000_000)
        self.client.connection.increment_flow_control_window(1_000_000, stream)
        self.client.connection.increment_flow_control_window(1_000_000, other)
        self.settle()
        self.assertEqual([self.client.bodies[one] for one in (stream, other)], [bytes(range(256)) * 1000] * 2)
        self.assertEqual(self.client.ended, [stream, other])

    def test_exactly_the_window(self) -> None:
        """An answer that just fits into the window ends, though nothing more could be sent."""
        async def fitting(_request: Request) -> Response:
            return Response(200, b"x" * 65535)

        self.handler = fitting
        self.client.acknowledges = False
        stream = self.client.ask()
        self.settle()
        self.assertEqual((len(self.client.bodies[stream]), self.client.ended), (65535, [stream]))

    def sending(self) -> list[Any]:
        """Calls of the sending loop that are due at once."""
        return [one for one in self.time.getDelayedCalls() if one.getTime() <= self.time.seconds()]


async def _peer(request: Request) -> Response:
    return Response(200, f"{request.transport.remote_address} {request.peer_certificates}".encode())


class EndTests(HTTP2TestCase):
    """Connections that the server ends."""

    def setUp(self) -> None:
        super().setUp()
        self.streaming = Streaming()

        async def stream(_request: Request) -> Response:
            return StreamingResponse(self.streaming.begin)

        self.handler = stream
        self.client.ask()
        self.settle()

    def break_off(self) -> None:
        """Send a DATA frame of no stream, which is against the protocol."""
        self.protocol.dataReceived(bytes([0, 0, 1, 0, 0, 0, 0, 0, 0]) + b"x")

    @property
    def is_told(self) -> bool:
        """Whether the last that the client got is GOAWAY."""
        received = self.client.connection.receive_data(self.client.transport.value())
        self.client.transport.clear()
        return isinstance(received[-1], h2.events.ConnectionTerminated) if received else False

    def test_protocol_error(self) -> None:
        """GOAWAY at once; a client that does not close the connection then loses it a second later."""
        self.break_off()
        transport = self.client.transport
        self.assertEqual((self.is_told, transport.disconnecting, transport.producer), (True, True, None))
        self.assertIn("gone", self.streaming.log)
        self.time.advance(0.9)
        self.assertFalse(transport.aborting)
        self.time.advance(0.2)
        self.assertTrue(transport.aborting)
        self.lose(self.protocol)
        self.assertEqual([one for one in self.time.getDelayedCalls() if one.getTime() > self.time.seconds()], [])

    def test_closed_in_time(self) -> None:
        """Nothing is left to do for a client that closes the connection itself."""
        self.break_off()
        self.lose(self.protocol)
        self.time.advance(200)
        self.assertFalse(self.client.transport.aborting)

    def test_behind_others(self) -> None:
        """GOAWAY is not forgotten when the client has not yet read what was sent before."""
        self.client.transport.producer.pauseProducing()
        self.break_off()
        self.assertTrue(self.is_told)

    def test_nothing_more_is_read(self) -> None:
        """What comes after the error is not looked at."""
        self.break_off()
        self.client.transport.clear()
        self.break_off()
        self.assertEqual(self.client.transport.value(), b"")

    def test_farewell(self) -> None:
        """A client's own GOAWAY ends the connection, without force: it may still read what was sent."""
        self.client.connection.close_connection()
        self.protocol.dataReceived(self.client.connection.data_to_send())
        self.time.advance(2)
        transport = self.client.transport
        self.assertEqual((transport.disconnecting, transport.producer, transport.aborting), (True, None, False))

    def test_idle(self) -> None:
        """A connection without requests is ended in the same way."""
        self.streaming.stream.finish()
        self.settle()
        self.time.advance(91)
        transport = self.client.transport
        self.assertEqual((self.is_told, transport.disconnecting, transport.aborting), (True, True, False))
        self.time.advance(1)
        self.assertTrue(transport.aborting)


class StreamTests(HTTP2TestCase):
    """Answers that are written bit by bit."""

    def setUp(self) -> None:
        super().setUp()
        self.streaming = Streaming()

        async def stream(_request: Request) -> Response:
            return StreamingResponse(self.streaming.begin)

        self.handler = stream

    def test_frames(self) -> None:
        """Headers at once, then each write, then the end."""
        stream = self.client.ask()
        self.settle()
        self.assertEqual(self.client.answers[stream][":status"], ["200"])
        for piece in (b"one\n", b"two\n"):
            self.streaming.stream.write(piece)
            self.settle()
        self.assertEqual((self.client.bodies[stream], self.client.ended), (b"one\ntwo\n", []))
        self.streaming.stream.finish()
        self.settle()
        self.assertEqual(self.client.ended, [stream])

    def test_pressure(self) -> None:
        """A client that does not take what is sent pauses the writer, until it does."""
        self.client.acknowledges = False
        stream = self.client.ask()
        self.settle()
        for _ in range(10):
            self.streaming.stream.write(b"x" * 20_000)
            self.settle()
        self.assertEqual(self.streaming.log[-1:], ["pause"])
        self.client.connection.increment_flow_control_window(1_000_000)
        self.client.connection.increment_flow_control_window(1_000_000, stream)
        self.settle()
        self.assertEqual(self.streaming.log[-1:], ["resume"])
        self.assertEqual(len(self.client.bodies[stream]), 200_000)

    def test_reset(self) -> None:
        """A client that gives up one stream ends that one; the connection goes on."""
        stream = self.client.ask()
        self.settle()
        self.client.connection.reset_stream(stream)
        self.settle()
        self.assertIn("gone", self.streaming.log)
        other = self.client.ask()
        self.settle()
        self.assertEqual(self.client.answers[other][":status"], ["200"])

    def test_connection_lost(self) -> None:
        """When the connection is lost, all its streams hear of it."""
        self.client.ask()
        self.settle()
        self.lose(self.protocol)
        self.assertIn("gone", self.streaming.log)
