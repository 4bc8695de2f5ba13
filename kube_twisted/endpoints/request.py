"""A request on its way through the chain, and what comes back."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import unquote_plus

from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.endpoints.request_info import RequestInfo
from kube_twisted.flowcontrol.flow_control import Flow

if TYPE_CHECKING:
    from kube_twisted.audit.recording import Recording

#: A header for browsers, about texts that could pass for something else.
NO_SNIFFING = ("X-Content-Type-Options", "nosniff")


class Response:
    """An answer that is complete.

    :ivar headers: further headers.
    """

    __slots__ = ("body", "code", "content_type", "headers")

    def __init__(self, code: int, body: bytes, content_type: str = "application/json",
                 headers: list[tuple[str, str]] | None = None) -> None:
        self.code = code
        self.body = body
        self.content_type = content_type
        self.headers = headers


class Stream(Protocol):
    """Where a streamed answer is written: one open HTTP response."""

    def write(self, data: bytes) -> None: ...

    def finish(self) -> None: ...

    def abort(self) -> None:
        """End it so that the client sees that there should have been more."""

    def on_gone(self, callback: Callable[[], None]) -> None:
        """Call when the client is gone."""

    def on_pressure(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        """Call ``pause`` when the client reads too slowly, ``resume`` when it has caught up."""


class StreamingResponse(Response):
    """An answer written bit by bit after its headers.

    :param begin: called with the open stream.
    """

    __slots__ = ("begin",)

    def __init__(self, begin: Callable[[Stream], None], content_type: str = "application/json", code: int = 200,
                 headers: list[tuple[str, str]] | None = None) -> None:
        super().__init__(code, b"", content_type, headers)
        self.begin = begin


class Transport(Protocol):
    """What a request can ask of the connection it came over."""

    def header(self, name: str) -> str | None:
        """A request header, or the first of several, as the original reads them; None when it is not there."""

    def headers(self, name: str) -> list[str]:
        """All values of a request header."""

    def any_header(self, prefix: str) -> bool:
        """Whether a header was sent whose name begins so; the prefix is in lower case."""

    def all_headers(self) -> dict[str, list[str]]:
        """All request headers by name in lower case."""

    def read_body(self) -> bytes: ...

    @property
    def peer_certificates(self) -> tuple[bytes, ...]:
        """The client's certificate and its intermediates, each DER; empty without one."""

    @property
    def remote_address(self) -> str: ...


class Request:
    """One request. Filters fill in what they find out.

    :ivar path: as sent, still percent-encoded, without the query.
    :ivar info: what the path means; set by the request info filter.
    :ivar user: who asks; set by authentication, and by impersonation.
    :ivar authorizer: whom to ask for what the request needs besides; set by authorization.
    :ivar flow: what priority and fairness made of it; set when they are on.
    :ivar recording: what the audit log is to say about it; None for nothing.
    :ivar found: whether the path leads to a resource that there is.
    :ivar warnings: texts that become ``Warning`` headers.
    :ivar received: seconds since the epoch.
    :ivar queued: how many seconds it waited for seats.
    :ivar deadline: when it must be answered, in seconds since the epoch; set where it is enforced.
    """

    __slots__ = ("_query", "audit_id", "authorizer", "deadline", "flow", "found", "info", "method", "path",
                 "query_text", "queued", "received", "recording", "transport", "user", "warnings")

    def __init__(self, method: str, path: str, query_text: str, transport: Transport) -> None:
        self.method = method
        self.path = path
        self.query_text = query_text
        self.transport = transport
        self._query: dict[str, list[str]] | None = None
        self.info: RequestInfo
        self.user: UserInfo
        self.authorizer: IAuthorizer | None = None
        self.flow: Flow | None = None
        self.recording: Recording | None = None
        self.warnings: list[str] = []
        self.received = 0.0
        self.queued = 0.0
        self.deadline = math.inf
        self.found = False
        self.audit_id = ""

    @property
    def query(self) -> dict[str, list[str]]:
        """Query parameters with all their values, decoded."""
        if self._query is None:
            self._query = parse_query(self.query_text) if self.query_text else {}
        return self._query

    def parameter(self, name: str) -> str:
        """The first value of a query parameter, empty when it is not there."""
        values = self.query.get(name)
        return values[0] if values else ""

    @property
    def authorization(self) -> str:
        """The Authorization header, empty without one."""
        return self.transport.header("authorization") or ""

    @property
    def peer_certificates(self) -> tuple[bytes, ...]:
        return self.transport.peer_certificates

    def annotate(self, key: str, value: str) -> None:
        """Have the audit log say something about the request."""
        if self.recording is not None:
            self.recording.annotate(key, value)

    def add_warning(self, text: str) -> None:
        """Have the answer carry a ``Warning: 299`` header, once; an empty text is none."""
        if text and text not in self.warnings:
            self.warnings.append(text)


_BAD_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
#: A response on its way.
Answer = Coroutine[Any, Any, Response]
#: Anything that answers requests; StatusErrors may be raised. One that has nothing more to do when the answer is there
#: is best a plain function that gives the next one's coroutine: that is a frame less for each request.
Handler = Callable[..., Answer]


def parse_query(text: str) -> dict[str, list[str]]:
    """Decode a query string; like Go's, it passes over pieces with a semicolon or a bad escape."""
    query: dict[str, list[str]] = {}
    for piece in text.split("&"):
        if piece and ";" not in piece and not ("%" in piece and _BAD_ESCAPE.search(piece)):
            name, _, value = piece.partition("=")
            query.setdefault(unquote_plus(name), []).append(unquote_plus(value))
    return query
