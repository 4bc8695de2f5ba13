"""HTTP/1.1 and HTTP/2: from bytes to a :class:`Request` for the chain, and from its answer back to bytes."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from io import BytesIO
from typing import Any

from OpenSSL.SSL import Connection
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IPushProducer
from twisted.logger import Logger
from twisted.python.failure import Failure
from twisted.web import http
from twisted.web.http import RESPONSES, datetimeToString
from twisted.web.http_headers import Headers
from twisted.web.server import Site
from zope.interface import implementer

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.request import Handler, Request, Response, StreamingResponse
from kube_twisted.server.filters.headers import answer_headers
from kube_twisted.server.filters.recovery import status_response
from kube_twisted.server.http2 import Channel
from kube_twisted.server.tls import peer_certificates
from kube_twisted.util.deferreds import run_eagerly

#: Longer answers are compressed for clients that accept it (KEP-156, APIResponseCompression).
GZIP_ABOVE = 128 * 1024
#: Connections without a request are closed after so long, as Go's server does it for the original.
_IDLE_SECONDS = 90
_NO_BODY_CODES = (204, 304)
_log = Logger()


class KubeRequest(http.Request):
    """One HTTP request; the transport side of a :class:`Request`."""

    site: KubeSite
    _gone: Callable[[], None] | None = None
    _outcome: Deferred[Response] | None = None
    _too_large = False
    _body: BytesIO

    # -- reading --------------------------------------------------------------------------------------------------

    def parseCookies(self) -> None:
        """They mean nothing here."""

    def gotLength(self, length: int | None) -> None:
        """The body's announced length."""
        self.site = self.channel.site  # type: ignore[attr-defined]
        self.content = self._body = BytesIO()
        if length is not None and length > self.site.max_body:
            self._too_large = True

    def handleContentChunk(self, data: bytes) -> None:
        """A part of the body: one of unknown length may turn out too long as well."""
        if self._body.tell() + len(data) > self.site.max_body:
            self._too_large = True
        if not self._too_large:
            self._body.write(data)

    def header(self, name: str) -> str | None:
        values = self.requestHeaders.getRawHeaders(name.encode())
        return values[0].decode("utf-8", "replace") if values else None

    def headers(self, name: str) -> list[str]:
        return [value.decode("utf-8", "replace") for value in self.requestHeaders.getRawHeaders(name.encode(), ())]

    def any_header(self, prefix: str) -> bool:
        raw = prefix.title().encode("latin-1")  # as Twisted writes names
        for name, _ in self.requestHeaders.getAllRawHeaders():  # noqa: SIM110 - runs for every request
            if name.startswith(raw):
                return True
        return False

    def all_headers(self) -> dict[str, list[str]]:
        return {name.decode("latin-1").lower(): [value.decode("utf-8", "replace") for value in values]
                for name, values in self.requestHeaders.getAllRawHeaders()}

    def read_body(self) -> bytes:
        """The whole body.

        :raises StatusError: 413.
        """
        if self._too_large:
            raise StatusError(413, "RequestEntityTooLarge",
                              f"Request entity too large: limit is {self.site.max_body}")
        return self._body.getvalue()

    @property
    def peer_certificates(self) -> tuple[bytes, ...]:
        return self.site.peer_certificates(self.channel)

    @property
    def remote_address(self) -> str:
        return getattr(self.getClientAddress(), "host", "")

    # -- answering ------------------------------------------------------------------------------------------------

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        """The request has arrived whole. Forms mean nothing here, so they are not parsed."""
        self.method, self.uri, self.clientproto = command, path or b"", version  # CONNECT has no path over HTTP/2
        self.process()

    def process(self) -> None:
        """The request has arrived whole: send it through the chain."""
        path, _, query = self.uri.partition(b"?")
        request = Request(self.method.decode("ascii", "replace"), path.decode("latin-1"), query.decode("latin-1"), self)
        try:
            outcome: Response | Deferred[Response] = run_eagerly(self.site.handler(request))
        except Exception:
            _log.failure("{method} {path} failed in the chain", method=request.method, path=request.path)
            self._answer(request, _failed(request))
            return
        if isinstance(outcome, Deferred):
            self._outcome = outcome
            outcome.addCallbacks(self._finished, self._failed, callbackArgs=(request,), errbackArgs=(request,))
        else:
            self._answer(request, outcome)

    def _finished(self, response: Response, request: Request) -> None:
        self._outcome = None
        self._answer(request, response)

    def _failed(self, failure: Failure, request: Request) -> None:
        self._outcome = None
        if self._disconnected:
            return
        _log.failure("{method} {path} failed in the chain", failure, method=request.method, path=request.path)
        self._answer(request, _failed(request))

    def _answer(self, request: Request, response: Response) -> None:
        if self._disconnected:
            if isinstance(response, StreamingResponse):
                response.begin(_Gone())
            return
        self.code = response.code
        self.code_message = RESPONSES.get(response.code, b"")
        if isinstance(response, StreamingResponse):
            self._write_headers(self._headers(request, response))
            response.begin(_Stream(self))
            return
        headers, body = self._headers(request, response), response.body
        if len(body) > GZIP_ABOVE and self._accepts_gzip() and not _is_encoded(response):
            body = gzip.compress(body, 1)
            headers += [(b"Content-Encoding", b"gzip"), (b"Vary", b"Accept-Encoding")]
        headers.append((b"Content-Length", b"%d" % len(body)))
        self._write_headers(headers, b"" if self.method == b"HEAD" else body)
        self.finish()

    def _headers(self, request: Request, response: Response) -> list[tuple[bytes, bytes]]:
        headers = answer_headers(request, response, self.site.hsts)
        if response.code not in _NO_BODY_CODES and response.content_type:
            headers.append((b"Content-Type", response.content_type.encode()))
        if request.flow is not None:
            headers += request.flow.headers
        headers.append((b"Date", self.site.date()))
        return headers

    def _write_headers(self, headers: list[tuple[bytes, bytes]], body: bytes | None = None) -> None:
        """Start the answer; with the whole ``body``, HTTP/1.1 sends it all in one piece."""
        if body is None or self.clientproto != b"HTTP/1.1":
            self.responseHeaders = raw = Headers()
            for name, value in headers:
                raw.addRawHeader(name, value)
            self.write(body or b"")
            return
        lines = [b"HTTP/1.1 %d %s" % (self.code, self.code_message)]
        lines += [name + b": " + value for name, value in headers]
        if not self.channel.persistent:
            lines.append(b"Connection: close")
        lines += [b"", body]
        self.startedWriting = 1
        self.sentLength = len(body)
        self.channel.write(b"\r\n".join(lines))

    @property
    def _is_http2(self) -> bool:
        return self.clientproto == b"HTTP/2"

    def _accepts_gzip(self) -> bool:
        """Whether gzip is named, and without a quality, as the original reads it."""
        accepted = self.header("accept-encoding") or ""
        return any(one.strip() == "gzip" for one in accepted.split(","))

    def connectionLost(self, reason: Failure) -> None:
        """The client went away in the middle."""
        super().connectionLost(reason)
        if self._outcome is not None:
            self._outcome.cancel()
        if self._gone is not None:
            self._gone()


@implementer(IPushProducer)
class _Stream:
    """An open streamed answer."""

    def __init__(self, request: KubeRequest) -> None:
        self._request = request
        self._pause: Callable[[], None] | None = None
        self._resume: Callable[[], None] | None = None

    def write(self, data: bytes) -> None:
        self._request.write(data)

    def finish(self) -> None:
        if self._end():
            self._request.finish()

    def abort(self) -> None:
        """HTTP/1.1 knows no other way than to end the connection."""
        if self._end():
            channel: Any = self._request.channel
            (channel.abortConnection if self._request._is_http2 else channel.loseConnection)()

    def _end(self) -> bool:
        """Nothing more is written; tells whether the client is still there."""
        request = self._request
        request._gone = None
        if request._disconnected:
            return False
        if self._pause is not None:
            self._pause = None
            request.unregisterProducer()
        return True

    def on_gone(self, callback: Callable[[], None]) -> None:
        self._request._gone = callback

    def on_pressure(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        self._pause, self._resume = pause, resume
        self._request.registerProducer(self, True)

    def pauseProducing(self) -> None:
        if self._pause is not None:
            self._pause()

    def resumeProducing(self) -> None:
        if self._resume is not None:
            self._resume()

    def stopProducing(self) -> None:
        """The connection is lost; ``connectionLost`` tells."""


class _Gone:
    """A stream whose client left before it began."""

    def write(self, data: bytes) -> None:
        """Nobody reads it."""

    def finish(self) -> None:
        """It is over already."""

    def abort(self) -> None:
        """It is over already."""

    def on_gone(self, callback: Callable[[], None]) -> None:
        callback()

    def on_pressure(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        """There is none."""


def _is_encoded(response: Response) -> bool:
    """Whether the body is compressed already, as the OpenAPI documents are."""
    return any(name == "Content-Encoding" for name, _ in response.headers or ())


def _failed(request: Request) -> Response:
    return status_response(request, StatusError(500, "InternalError", "Internal error occurred"))


class KubeSite(Site):
    """Serves one handler chain.

    :param handler: the chain.
    :param max_body: the longest body accepted, in bytes.
    """

    requestFactory = KubeRequest  # type: ignore[assignment]

    def __init__(self, handler: Handler, reactor: Any, max_body: int, hsts: str = "") -> None:
        http.HTTPFactory.__init__(self, reactor=reactor, timeout=_IDLE_SECONDS)
        self.handler = handler
        self.max_body = max_body
        self.hsts = hsts
        self._date = b""
        self._date_second = -1
        self._reactor_time = reactor

    def protocol(self) -> Channel:
        """The protocol of a new connection."""
        return Channel(self._reactor_time)

    def buildProtocol(self, addr: Any) -> Any:
        """A channel that makes our requests."""
        channel: Any = http.HTTPFactory.buildProtocol(self, addr)
        channel.requestFactory = KubeRequest
        channel.site = self
        return channel

    def startFactory(self) -> None:
        """No access log: requests are counted in /metrics."""

    def stopFactory(self) -> None:
        """No access log to close."""

    def log(self, request: Any) -> None:
        """No access log."""

    def seconds(self) -> float:
        """Seconds since the epoch."""
        seconds: float = self._reactor_time.seconds()
        return seconds

    def date(self) -> bytes:
        """The Date header, made once a second."""
        second = int(self.seconds())
        if second != self._date_second:
            self._date_second = second
            self._date = datetimeToString(second)
        return self._date

    def peer_certificates(self, channel: Any) -> tuple[bytes, ...]:
        """The client certificates of a connection in DER, asked for once a connection."""
        transport = getattr(channel, "transport", None)
        connection = getattr(channel, "_conn", None)  # an HTTP/2 stream's connection
        if connection is not None:
            transport = connection.transport
        known: tuple[bytes, ...] | None = getattr(transport, "_kube_certificates", None)
        if known is None:
            known = _certificates(transport)
            if transport is not None:
                transport._kube_certificates = known
        return known


def _certificates(transport: Any) -> tuple[bytes, ...]:
    handle = getattr(transport, "getHandle", lambda: None)()
    if not isinstance(handle, Connection):
        return ()
    return peer_certificates(handle)
