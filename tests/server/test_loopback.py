"""The client inside the process."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.request import Request, Response, Stream, StreamingResponse
from kube_twisted.server.loopback import EventStream, LoopbackClient
from kube_twisted.util.deferreds import to_deferred


class ClientTests(SynchronousTestCase):
    """A client of a handler that notes its requests."""

    def setUp(self) -> None:
        self.requests: list[Request] = []
        self.answer = Response(200, b'{"kind":"Pod"}')
        self.client = LoopbackClient(self.handle, "secret", "agent")

    async def handle(self, request: Request) -> Response:
        self.requests.append(request)
        return self.answer

    def test_call(self) -> None:
        """A request carries its body, query, media types and token."""
        called = self.client.call("PATCH", "/api?a=b", {"x": 1}, "text/patch", "text/answer")
        self.assertEqual(self.successResultOf(to_deferred(called)), {"kind": "Pod"})
        request, = self.requests
        header = request.transport.header
        self.assertEqual((request.method, request.path, request.query_text), ("PATCH", "/api", "a=b"))
        self.assertEqual(request.transport.read_body(), b'{"x":1}')
        self.assertEqual([header(one) for one in ("authorization", "user-agent", "content-type", "accept", "cookie")],
                         ["Bearer secret", "agent", "text/patch", "text/answer", None])

    def test_error(self) -> None:
        """An error's Status is raised."""
        self.answer = Response(409, b'{"reason":"Conflict","message":"no","details":{"name":"a"}}')
        error = self.failureResultOf(to_deferred(self.client.call("GET", "/"))).value
        assert isinstance(error, StatusError)
        self.assertEqual((error.code, error.reason, error.message), (409, "Conflict", "no"))
        self.assertEqual(error.details, {"name": "a"})

    def test_named(self) -> None:
        """Another name has the same rights."""
        self.successResultOf(to_deferred(self.client.named("other").call("GET", "/")))
        header = self.requests[0].transport.header
        self.assertEqual((header("user-agent"), header("authorization")), ("other", "Bearer secret"))

    def test_watch_refused(self) -> None:
        """A watch that is refused is an error."""
        self.answer = Response(403, b"no")
        watching = self.client.watch("/?watch=1", EventStream(lambda *_: None, lambda: None))
        self.assertEqual(self.failureResultOf(to_deferred(watching)).value.code, 403)

    def test_watch(self) -> None:
        """Events are told one by one, also when several come at once, and the end once."""
        told: list[Any] = []

        def begin(stream: Stream) -> None:
            stream.write(b'{"type":"ADDED","object":{"n":1}}\n{"type":"DELETED","object":{"n":2}}\n')
            stream.finish()
            stream.finish()

        self.answer = StreamingResponse(begin)
        stream = EventStream(lambda type_, obj: told.append((type_, obj["n"])), lambda: told.append("end"))
        self.successResultOf(to_deferred(self.client.watch("/?watch=1", stream)))
        self.assertEqual(told, [("ADDED", 1), ("DELETED", 2), "end"])


class EventStreamTests(SynchronousTestCase):
    """The client's side of a watch."""

    def test_skip(self) -> None:
        """What is skipped by its bytes is not told, not even read."""
        told: list[str] = []
        stream = EventStream(lambda type_, _: told.append(type_), lambda: None, lambda line: b"skip" in line)
        stream.write(b'skip me, I am no JSON\n{"type":"ADDED","object":{}}\n')
        self.assertEqual(told, ["ADDED"])

    def test_close(self) -> None:
        """After its end from this side the server knows, and nothing is told."""
        told: list[str] = []
        stream = EventStream(lambda type_, _: told.append(type_), lambda: told.append("end"))
        stream.on_gone(lambda: told.append("gone"))
        stream.close()
        stream.write(b'{"type":"ADDED","object":{}}\n')
        stream.finish()
        self.assertEqual(told, ["gone"])
