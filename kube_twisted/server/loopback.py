"""A client inside the process: requests go through the whole handler chain, but over no socket.

The server's own controllers speak to it as any client would, as ``system:apiserver``.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from twisted.internet.defer import Deferred

from kube_twisted.api.errors import StatusError
from kube_twisted.api.user import SYSTEM_MASTERS, UserInfo
from kube_twisted.endpoints.request import Handler, Request, Response, StreamingResponse

JSON = "application/json"
#: What to accept for objects, and for lists of them, of which only the metadata matters.
METADATA = f"{JSON};as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
METADATA_LIST = f"{JSON};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
LOOPBACK_USER = UserInfo("system:apiserver", "", (SYSTEM_MASTERS,))


def new_loopback_token() -> str:
    """A token that lives as long as the process."""
    return secrets.token_urlsafe(32)


class _Transport:
    """The transport of a request that came over no connection."""

    peer_certificates: tuple[bytes, ...] = ()
    remote_address = "127.0.0.1"

    def __init__(self, headers: Mapping[str, str], body: bytes) -> None:
        self._headers = headers
        self._body = body

    def header(self, name: str) -> str | None:
        return self._headers.get(name)

    def headers(self, name: str) -> list[str]:
        return [self._headers[name]] if name in self._headers else []

    def any_header(self, prefix: str) -> bool:
        return any(name.startswith(prefix) for name in self._headers)

    def all_headers(self) -> dict[str, list[str]]:
        return {name: [value] for name, value in self._headers.items()}

    def read_body(self) -> bytes:
        return self._body


class EventStream:
    """A watch of the server's own: calls back with each event.

    :param on_event: called with type and object.
    :param on_end: called once when the stream is over.
    :param skip: tells by the bytes of an event that it is of no interest, and need not be read.
    """

    def __init__(self, on_event: Callable[[str, dict[str, Any]], None], on_end: Callable[[], None],
                 skip: Callable[[bytes], bool] | None = None) -> None:
        self._on_event = on_event
        self._on_end = on_end
        self._skip = skip
        self._gone: Callable[[], None] | None = None
        self._over = False
        self._rest = b""

    def write(self, data: bytes) -> None:
        if self._rest or not data.endswith(b"\n"):
            whole, newline, self._rest = (self._rest + data).rpartition(b"\n")
            data = whole + newline
        for line in data.splitlines():
            if self._over:
                return
            if self._skip is not None and self._skip(line):
                continue
            event = orjson.loads(line)
            self._on_event(event["type"], event["object"])

    def finish(self) -> None:
        if not self._over:
            self._over = True
            self._on_end()

    def abort(self) -> None:
        self.finish()

    def on_gone(self, callback: Callable[[], None]) -> None:
        self._gone = callback

    def on_pressure(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        """Events are taken as fast as they come."""

    def close(self) -> None:
        """End the watch from the client's side."""
        self._over = True
        if self._gone is not None:
            self._gone()


class _Collected:
    """A streamed answer that is wanted whole.

    :ivar body: fires with it; ConnectionError when it breaks off. Cancelling it ends the stream.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._gone: Callable[[], None] | None = None
        self.body: Deferred[bytes] = Deferred(lambda _: self._leave())

    def write(self, data: bytes) -> None:
        self._parts.append(data)

    def finish(self) -> None:
        if not self.body.called:
            self.body.callback(b"".join(self._parts))

    def abort(self) -> None:
        if not self.body.called:
            self.body.errback(ConnectionError("the answer broke off"))

    def on_gone(self, callback: Callable[[], None]) -> None:
        self._gone = callback

    def on_pressure(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        """It is taken as fast as it comes."""

    def _leave(self) -> None:
        if self._gone is not None:
            self._gone()


class LoopbackClient:
    """Requests to a handler chain.

    :param user_agent: names the field manager of what it writes.
    """

    def __init__(self, handler: Handler, token: str, user_agent: str) -> None:
        self._handler = handler
        self._headers = {"authorization": f"Bearer {token}", "user-agent": user_agent}

    def named(self, user_agent: str) -> LoopbackClient:
        """The same client under another name."""
        twin = LoopbackClient(self._handler, "", user_agent)
        twin._headers["authorization"] = self._headers["authorization"]
        return twin

    async def call(self, method: str, path: str, body: Any = None, content_type: str = JSON,
                   accept: str = JSON) -> dict[str, Any]:
        """Send a request and read its JSON answer.

        :raises StatusError: for an answer of 400 or more.
        """
        response = await self._send(method, path, body, content_type, accept)
        document = _parsed(response, await _whole(response))
        if response.code >= 400:
            raise StatusError(response.code, document.get("reason", ""), document.get("message", ""),
                              document.get("details"))
        return document

    async def watch(self, path: str, stream: EventStream, accept: str = JSON) -> None:
        """Open a watch on ``path``, which has its query with ``watch=1``."""
        response = await self._send("GET", path, None, JSON, accept)
        if not isinstance(response, StreamingResponse):
            raise StatusError(response.code, "", response.body.decode())
        response.begin(stream)

    async def _send(self, method: str, path: str, body: Any, content_type: str, accept: str) -> Response:
        headers = {**self._headers, "content-type": content_type, "accept": accept}
        raw = b"" if body is None else orjson.dumps(body)
        path, _, query = path.partition("?")
        return await self._handler(Request(method, path, query, _Transport(headers, raw)))


async def _whole(response: Response) -> bytes:
    """The body, also of an answer that another server sends bit by bit."""
    if not isinstance(response, StreamingResponse):
        return response.body
    collected = _Collected()
    response.begin(collected)
    return await collected.body


def _parsed(response: Response, body: bytes) -> dict[str, Any]:
    """:raises StatusError: for an answer of 400 or more that is no JSON: other servers may send any."""
    try:
        document: dict[str, Any] = orjson.loads(body)
    except ValueError:
        if response.code < 400:
            raise
        raise StatusError(response.code, "", body.decode("utf-8", "replace").strip()) from None
    return document
