"""HTTP/1.1: bytes in and bytes out over connections in memory."""

from __future__ import annotations

import contextlib
import gzip

from twisted.internet.defer import CancelledError, Deferred

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.request import Request, Response, Stream, StreamingResponse
from kube_twisted.server.filters.recovery import with_panic_recovery
from kube_twisted.server.site import GZIP_ABOVE
from tests.server.http import MAX_BODY, SiteTestCase, chunked, gunzip, read_answers, read_chunks, request_bytes


class RequestTests(SiteTestCase):
    """What the chain is given."""

    def test_path_and_query(self) -> None:
        """The path stays as it was sent, percent-encoded, and apart from the query."""
        answer, = self.exchange(request_bytes("GET", "/a%2Fb//c?x=%20&y"))
        self.assertEqual(answer.body, b"GET /a%2Fb//c x=%20&y ")

    def test_body(self) -> None:
        """A body with a length, and one in chunks."""
        answers = self.exchange(request_bytes("POST", "/x", b"hello")
                                + request_bytes("POST", "/x", Transfer_Encoding="chunked") + chunked(b"hel", b"lo"))
        self.assertEqual([one.body for one in answers], [b"POST /x  hello"] * 2)

    def test_headers(self) -> None:
        """Of a header that comes twice the first one counts, as in the original; one that isn't there is None."""
        self.exchange(b"GET / HTTP/1.1\r\nHost: h\r\nAccept: a\r\nACCEPT: b\r\n\r\n")
        transport = self.requests[0].transport
        self.assertEqual((transport.header("accept"), transport.headers("accept")), ("a", ["a", "b"]))
        self.assertEqual((transport.header("x"), transport.headers("x")), (None, []))

    def test_no_text(self) -> None:
        """A header that is no UTF-8 is read as well as it can be: it is nothing that the server knows."""
        self.exchange(b"GET / HTTP/1.1\r\nHost: h\r\nAccept: a\xff\xfe\r\nAccept: b\r\n\r\n")
        transport = self.requests[0].transport
        values = ["a\ufffd\ufffd", "b"]
        self.assertEqual((transport.header("accept"), transport.headers("accept")), (values[0], values))
        self.assertEqual(transport.all_headers()["accept"], values)

    def test_names_of_headers(self) -> None:
        """Headers are found by how their names begin, in whatever case they were sent."""
        self.exchange(b"GET / HTTP/1.1\r\nHost: h\r\nIMPERSONATE-extra-a%2Fb: x\r\n\r\n")
        transport = self.requests[0].transport
        self.assertTrue(transport.any_header("impersonate-"))
        self.assertFalse(transport.any_header("imp-"))

    def test_peer(self) -> None:
        """Where the request comes from; over a connection without TLS there is no certificate."""
        async def peer(request: Request) -> Response:
            transport = request.transport
            return Response(200, f"{transport.remote_address} {transport.peer_certificates}".encode())

        self.handler = peer
        answer, = self.exchange(request_bytes())
        self.assertEqual(answer.body, b"192.0.2.7 ()")

    def test_byte_by_byte(self) -> None:
        """A request that comes in single bytes is a request."""
        protocol, transport = self.connect()
        for byte in request_bytes("POST", "/x", b"hello"):
            protocol.dataReceived(bytes([byte]))
        self.assertEqual(read_answers(transport.value())[0].body, b"POST /x  hello")


class ConnectionTests(SiteTestCase):
    """One connection, many requests."""

    def test_keep_alive(self) -> None:
        """A connection serves one request after the other, and stays open."""
        protocol, transport = self.connect()
        for number in range(3):
            protocol.dataReceived(request_bytes("GET", f"/{number}"))
        self.assertEqual([one.body for one in read_answers(transport.value())], [b"GET /0  ", b"GET /1  ", b"GET /2  "])
        self.assertFalse(transport.disconnecting)

    def test_pipelining(self) -> None:
        """Requests that come at once are answered in their order, though the first one takes longer."""
        first: Deferred[None] = Deferred()

        async def slow(request: Request) -> Response:
            if request.path == "/0":
                await first
            return Response(200, request.path.encode())

        self.handler = slow
        protocol, transport = self.connect()
        protocol.dataReceived(b"".join(request_bytes("GET", f"/{number}") for number in range(3)))
        self.assertEqual(transport.value(), b"")
        first.callback(None)
        self.assertEqual([one.body for one in read_answers(transport.value())], [b"/0", b"/1", b"/2"])

    def test_close(self) -> None:
        """A client that asks for it gets the connection closed after its answer."""
        protocol, transport = self.connect()
        protocol.dataReceived(request_bytes(Connection="close"))
        answer, = read_answers(transport.value())
        self.assertEqual(answer.header("connection"), "close")
        self.assertTrue(transport.disconnecting)

    def test_http_1_0(self) -> None:
        """HTTP/1.0 is answered, and its connection closed."""
        protocol, transport = self.connect()
        protocol.dataReceived(b"GET /x HTTP/1.0\r\n\r\n")
        self.assertTrue(transport.value().startswith(b"HTTP/1.0 200 "))
        self.assertTrue(transport.value().endswith(b"GET /x  "))
        self.assertTrue(transport.disconnecting)

    def test_idle(self) -> None:
        """A connection on which nothing is asked is closed after a minute and a half."""
        _, transport = self.connect()
        self.time.advance(89)
        self.assertFalse(transport.disconnecting)
        self.time.advance(2)
        self.assertTrue(transport.disconnecting)

    def test_patience(self) -> None:
        """It begins anew with each answer and each piece of a request, and does not run while one is worked on."""
        protocol, transport = self.connect()
        self.time.advance(80)
        protocol.dataReceived(request_bytes())
        self.time.advance(80)
        protocol.dataReceived(request_bytes("POST", "/x", b"ab")[:-1])
        self.time.advance(80)
        waiting: Deferred[Response] = Deferred()

        async def slow(_request: Request) -> Response:
            return await waiting

        self.handler = slow
        protocol.dataReceived(b"b")
        self.time.advance(300)
        self.assertFalse(transport.disconnecting)
        waiting.callback(Response(200, b"late"))
        self.time.advance(89)
        self.assertFalse(transport.disconnecting)
        self.time.advance(2)
        self.assertTrue(transport.disconnecting)
        self.lose(protocol)
        self.assertEqual(self.time.getDelayedCalls(), [])

    def test_bad_requests(self) -> None:
        """What is no HTTP is 400 and the end of the connection, and never reaches the chain."""
        for raw in (b"\x16\x03\x01\x02\x00\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
                    b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
                    b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"):
            protocol, transport = self.connect()
            protocol.dataReceived(raw)
            self.assertIn(transport.value().split(b"\r\n")[0], (b"HTTP/1.1 400 Bad Request", b""), raw)
            self.assertTrue(transport.disconnecting, raw)
        self.assertEqual(self.requests, [])

    def test_bad_chunk(self) -> None:
        """So is a chunk that is none."""
        protocol, transport = self.connect()
        protocol.dataReceived(request_bytes("POST", "/x", Transfer_Encoding="chunked") + b"xyz\r\n")
        self.assertTrue(transport.value().startswith(b"HTTP/1.1 400 "))
        self.assertEqual(self.requests, [])

    def test_after_the_last_answer(self) -> None:
        """A refusal says that it is the last answer; nothing that comes after it is read as a request."""
        protocol, transport = self.connect()
        protocol.dataReceived(b"nonsense\r\n\r\n")
        self.assertEqual(transport.value(), b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
                                            b"Connection: close\r\n\r\n400 Bad Request")
        transport.clear()
        protocol.dataReceived(request_bytes())
        self.assertEqual((transport.value(), self.requests), (b"", []))


class TooLargeTests(SiteTestCase):
    """Bodies have a longest length."""

    def setUp(self) -> None:
        super().setUp()
        self.handler = with_panic_recovery(self.handler)

    def test_limit(self) -> None:
        """A body of exactly that length is fine, with a length and in chunks."""
        body = b"x" * MAX_BODY
        answers = self.exchange(request_bytes("POST", "/x", body)
                                + request_bytes("POST", "/x", Transfer_Encoding="chunked")
                                + chunked(body[:1], body[1:]))
        self.assertEqual([one.code for one in answers], [200, 200])

    def test_length(self) -> None:
        """A longer one is 413 with a Status, and the connection goes on."""
        answers = self.exchange(request_bytes("POST", "/x", b"x" * (MAX_BODY + 1)) + request_bytes())
        self.assertEqual([one.code for one in answers], [413, 200])
        self.assertIn(b'"reason":"RequestEntityTooLarge"', answers[0].body)
        self.assertIn(b"Request entity too large: limit is 1000", answers[0].body)

    def test_chunks(self) -> None:
        """So is one in chunks that turns out too long, and what is too much of it is not kept."""
        kept: list[int] = []
        handler = self.handler

        async def look(request: Request) -> Response:
            kept.append(len(request.transport._body.getvalue()))
            return await handler(request)

        self.handler = look
        pieces = [b"x" * 400] * 5
        answers = self.exchange(request_bytes("POST", "/x", Transfer_Encoding="chunked") + chunked(*pieces)
                                + request_bytes())
        self.assertEqual([one.code for one in answers], [413, 200])
        self.assertLessEqual(kept[0], MAX_BODY)


class AnswerTests(SiteTestCase):
    """What goes back."""

    def test_headers(self) -> None:
        """Type, length, date, audit ID, cache control and HSTS."""
        self.time.advance(1767225600)
        answer, = self.exchange(request_bytes())
        self.assertEqual(answer.header("content-type"), "text/plain")
        self.assertEqual(answer.header("content-length"), str(len(answer.body)))
        self.assertEqual(answer.header("date"), "Thu, 01 Jan 2026 00:00:00 GMT")
        self.assertEqual(answer.header("cache-control"), "no-cache, private")
        self.assertEqual(answer.header("strict-transport-security"), "max-age=60")
        self.assertIn("audit-id", answer.headers)

    def test_warnings(self) -> None:
        """A Warning header each; what would break a header is left out."""
        async def warn(request: Request) -> Response:
            request.add_warning('say "no"')
            request.add_warning("two\r\nlines")
            return Response(200, b"")

        self.handler = warn
        answer, = self.exchange(request_bytes())
        self.assertEqual(answer.headers["warning"], ['299 - "say \\"no\\""'])

    def test_head(self) -> None:
        """HEAD has the headers of the answer, its length, and no body."""
        answer, following = self.exchange(request_bytes("HEAD") + request_bytes(), "HEAD", "GET")
        self.assertEqual((answer.code, answer.header("content-length")), (200, str(len("HEAD /x  "))))
        self.assertEqual(following.body, b"GET /x  ")

    def test_no_content(self) -> None:
        """204 says nothing about the type of a body that it doesn't have."""
        async def nothing(_request: Request) -> Response:
            return Response(204, b"")

        self.handler = nothing
        answer, = self.exchange(request_bytes())
        self.assertEqual((answer.code, "content-type" in answer.headers), (204, False))

    def test_own_headers(self) -> None:
        """Headers of the answer's own are sent; line breaks in their values are not."""
        async def own(_request: Request) -> Response:
            return Response(429, b"", headers=[("Retry-After", "1\r\nX-Bad: 1")])

        self.handler = own
        answer, = self.exchange(request_bytes())
        self.assertEqual(answer.header("retry-after"), "1  X-Bad: 1")

    def test_failure(self) -> None:
        """What fails in the chain is a 500 with a Status and a line in the log, at once or later."""
        later: Deferred[None] = Deferred()

        async def fail(request: Request) -> Response:
            if request.path == "/later":
                await later
            raise ZeroDivisionError

        self.handler = fail
        protocol, transport = self.connect()
        protocol.dataReceived(request_bytes("GET", "/now") + request_bytes("GET", "/later"))
        later.callback(None)
        answers = read_answers(transport.value())
        self.assertEqual([one.code for one in answers], [500, 500])
        self.assertIn(b'"reason":"InternalError"', answers[0].body)
        self.assertEqual(len(self.flushLoggedErrors(ZeroDivisionError)), 2)


class GzipTests(SiteTestCase):
    """Long answers are compressed for clients that take it (KEP-156)."""

    def setUp(self) -> None:
        super().setUp()
        self.body = b"x" * (GZIP_ABOVE + 1)
        self.headers: list[tuple[str, str]] = []

        async def long(_request: Request) -> Response:
            return Response(200, self.body, headers=self.headers)

        self.handler = long

    def test_compressed(self) -> None:
        """Compressed, with the length of what is sent."""
        answer, = self.exchange(request_bytes(Accept_Encoding="deflate, gzip"))
        self.assertEqual((answer.header("content-encoding"), answer.header("vary")), ("gzip", "Accept-Encoding"))
        self.assertEqual(gunzip(answer.body), self.body)
        self.assertEqual(answer.header("content-length"), str(len(answer.body)))

    def test_not_asked_for(self) -> None:
        """A client that doesn't name plain gzip gets the bytes as they are."""
        for accepted in ("identity", "deflate", "gzip;q=0.5"):
            answer, = self.exchange(request_bytes(Accept_Encoding=accepted))
            self.assertEqual((answer.body, "content-encoding" in answer.headers), (self.body, False))

    def test_short(self) -> None:
        """Shorter answers are not compressed."""
        self.body = self.body[1:]
        answer, = self.exchange(request_bytes(Accept_Encoding="gzip"))
        self.assertEqual(answer.body, self.body)

    def test_compressed_already(self) -> None:
        """What is compressed already is not compressed again."""
        self.headers = [("Content-Encoding", "gzip")]
        content = bytes(range(256)) * 2000
        self.body = gzip.compress(content, 0)
        answer, = self.exchange(request_bytes(Accept_Encoding="gzip"))
        self.assertEqual(gunzip(answer.body), content)


class Streaming:
    """A streamed answer, from the side of what writes it."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.stream: Stream

    def begin(self, stream: Stream) -> None:
        self.stream = stream
        stream.on_gone(lambda: self.log.append("gone"))
        stream.on_pressure(lambda: self.log.append("pause"), lambda: self.log.append("resume"))


class StreamTests(SiteTestCase):
    """Answers that are written bit by bit."""

    def setUp(self) -> None:
        super().setUp()
        self.streaming = Streaming()
        self.ready: Deferred[None] | None = None

        async def stream(_request: Request) -> Response:
            if self.ready is not None:
                await self.ready
            return StreamingResponse(self.streaming.begin)

        self.handler = stream
        self.protocol, self.transport = self.connect()

    def test_chunks(self) -> None:
        """The headers go out at once, each write is a chunk, and the end is told."""
        self.protocol.dataReceived(request_bytes())
        head, _, rest = self.transport.value().partition(b"\r\n\r\n")
        self.assertIn(b"Transfer-Encoding: chunked", head)
        self.assertIn(b"Content-Type: application/json", head)
        self.assertEqual(rest, b"")
        self.streaming.stream.write(b"one\n")
        self.streaming.stream.write(b"two\n")
        self.assertEqual(read_chunks(self.transport.value().partition(b"\r\n\r\n")[2])[0], b"one\ntwo\n")
        self.streaming.stream.finish()
        self.assertTrue(self.transport.value().endswith(b"0\r\n\r\n"))
        self.assertEqual(self.streaming.log, [])

    def test_next_request(self) -> None:
        """After the end of a stream the connection serves the next request."""
        self.protocol.dataReceived(request_bytes())
        self.streaming.stream.finish()
        self.protocol.dataReceived(request_bytes())
        self.streaming.stream.finish()
        self.assertEqual(self.transport.value().count(b"HTTP/1.1 200 OK"), 2)

    def test_pressure(self) -> None:
        """A client that reads slowly pauses the writer, until it has caught up."""
        self.protocol.dataReceived(request_bytes())
        self.transport.producer.pauseProducing()
        self.assertEqual(self.streaming.log, ["pause"])
        self.transport.producer.resumeProducing()
        self.assertEqual(self.streaming.log, ["pause", "resume"])

    def test_client_gone(self) -> None:
        """The writer hears once that its client is gone; what it writes then goes nowhere."""
        self.protocol.dataReceived(request_bytes())
        self.lose(self.protocol)
        self.assertEqual(self.streaming.log, ["gone"])
        before = self.transport.value()
        self.streaming.stream.finish()
        self.assertEqual(self.transport.value(), before)

    def test_finished_before_the_client_goes(self) -> None:
        """A stream that has ended hears nothing of its client any more."""
        self.protocol.dataReceived(request_bytes())
        self.streaming.stream.finish()
        self.lose(self.protocol)
        self.assertEqual(self.streaming.log, [])

    def test_client_gone_before_the_answer(self) -> None:
        """A client that leaves while its request is worked on ends the work."""
        self.ready = Deferred()
        self.protocol.dataReceived(request_bytes())
        self.lose(self.protocol)
        self.assertTrue(self.ready.called)
        self.assertEqual(self.transport.value(), b"")
        self.assertFalse(hasattr(self.streaming, "stream"))

    def test_answer_after_the_client_left(self) -> None:
        """Work that can't be cancelled finishes; a stream that it opens hears that its client is gone."""
        done: Deferred[None] = Deferred()

        async def stubborn(_request: Request) -> Response:
            with contextlib.suppress(CancelledError):
                await done
            return StreamingResponse(self.streaming.begin)

        self.handler = stubborn
        self.protocol.dataReceived(request_bytes())
        self.lose(self.protocol)
        self.assertEqual(self.streaming.log, ["gone"])
        self.streaming.stream.write(b"nobody reads this")
        self.streaming.stream.finish()
        self.assertEqual(self.transport.value(), b"")

    def test_refusal_after_the_client_left(self) -> None:
        """An error about a request whose client is gone is neither sent nor logged."""
        done: Deferred[None] = Deferred()

        async def late(_request: Request) -> Response:
            try:
                await done
            except CancelledError:
                raise StatusError(500, "InternalError", "late") from None
            raise AssertionError

        self.handler = late
        self.protocol.dataReceived(request_bytes())
        self.lose(self.protocol)
        self.assertEqual((self.transport.value(), self.flushLoggedErrors()), (b"", []))
