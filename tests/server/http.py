"""A site over in-memory transports: bytes in, bytes out."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from attrs import frozen
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionLost
from twisted.internet.task import Clock as FakeTime
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.server.site import KubeSite

MAX_BODY = 1000


@frozen
class Received:
    """One answer as a client reads it.

    :ivar headers: by lower-case name, all values of each.
    """

    code: int
    headers: Mapping[str, list[str]]
    body: bytes

    def header(self, name: str) -> str:
        value, = self.headers[name]
        return value


def read_answers(raw: bytes, methods: tuple[str, ...] = ()) -> list[Received]:
    """All complete answers in ``raw``; ``methods`` of their requests, GET by default."""
    answers = []
    while raw:
        head, separator, raw = raw.partition(b"\r\n\r\n")
        assert separator, head
        first, *lines = head.decode().split("\r\n")
        headers: dict[str, list[str]] = {}
        for line in lines:
            name, _, value = line.partition(": ")
            headers.setdefault(name.lower(), []).append(value)
        bodiless = len(answers) < len(methods) and methods[len(answers)] == "HEAD"
        if bodiless:
            body = b""
        elif headers.get("transfer-encoding") == ["chunked"]:
            body, raw = read_chunks(raw)
        else:
            length = int(headers["content-length"][0])
            body, raw = raw[:length], raw[length:]
        answers.append(Received(int(first.split(" ")[1]), headers, body))
    return answers


def read_chunks(raw: bytes) -> tuple[bytes, bytes]:
    """(body, rest); a body whose last chunk has not come is as long as it is."""
    body = b""
    while raw:
        size, _, raw = raw.partition(b"\r\n")
        length = int(size, 16)
        body, raw = body + raw[:length], raw[length + 2:]
        if not length:
            break
    return body, raw


def gunzip(body: bytes) -> bytes:
    return zlib.decompress(body, 31)


async def echo(request: Request) -> Response:
    """Answers with what was asked."""
    text = f"{request.method} {request.path} {request.query_text} ".encode() + request.transport.read_body()
    return Response(200, text, "text/plain")


class SiteTestCase(SynchronousTestCase):
    """Has a site with a handler, and connections to it."""

    async def handle(self, request: Request) -> Response:
        """What the site serves; a test replaces ``self.handler``."""
        self.requests.append(request)
        return await self.handler(request)

    def setUp(self) -> None:
        self.time = FakeTime()
        self.handler: Handler = echo
        self.requests: list[Request] = []
        self.site = KubeSite(self.handle, self.time, MAX_BODY, "max-age=60")

    def connect(self) -> tuple[Any, StringTransport]:
        """A connection: (the server's protocol, its transport)."""
        protocol = self.site.buildProtocol(IPv4Address("TCP", "192.0.2.7", 5000))
        transport = StringTransport(peerAddress=IPv4Address("TCP", "192.0.2.7", 5000))
        transport.abortConnection = transport.loseConnection  # type: ignore[method-assign]
        protocol.makeConnection(transport)
        return protocol, transport

    def exchange(self, raw: bytes, *methods: str) -> list[Received]:
        """Send bytes on a connection of their own, and read all answers."""
        protocol, transport = self.connect()
        protocol.dataReceived(raw)
        return read_answers(transport.value(), methods)

    def lose(self, protocol: Any) -> None:
        """The client is gone."""
        protocol.connectionLost(Failure(ConnectionLost()))


def request_bytes(method: str = "GET", path: str = "/x", body: bytes = b"", /, **headers: str) -> bytes:
    """An HTTP/1.1 request; underscores of header names are dashes."""
    sent = {"Host": "h", **{name.replace("_", "-"): value for name, value in headers.items()}}
    if body:
        sent["Content-Length"] = str(len(body))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    return "\r\n".join(lines).encode() + body


def chunked(*pieces: bytes) -> bytes:
    """A chunked body."""
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (*pieces, b""))
