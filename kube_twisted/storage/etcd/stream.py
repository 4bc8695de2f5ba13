"""One remote procedure call on a connection: messages with their length in front, and the status at the end."""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct
from typing import Protocol
from urllib.parse import unquote

from kube_twisted.storage.etcd.errors import Code, RPCError, code_of

#: Whether a message is compressed, which none is, and its length.
_HEAD = Struct(">BI")
Headers = Iterable[tuple[bytes, bytes]]


class Receiver(Protocol):
    """Who made the call."""

    def message(self, data: bytes) -> None:
        """A whole message has come."""

    def ended(self, error: RPCError | None) -> None:
        """Nothing more will come."""


class Wire(Protocol):
    """The connection, as a stream sees it."""

    def send(self, number: int, data: bytes, last: bool) -> None: ...

    def reset(self, number: int) -> None: ...


class Stream:
    """A call under way."""

    def __init__(self, wire: Wire, number: int, receiver: Receiver) -> None:
        self._wire = wire
        self._number = number
        self._receiver: Receiver | None = receiver
        self._buffer = bytearray()

    def send(self, message: bytes, last: bool = False) -> None:
        """:param last: whether it is the last message that is sent."""
        if self._receiver is not None:
            self._wire.send(self._number, _HEAD.pack(0, len(message)) + message, last)

    def cancel(self) -> None:
        """Nobody wants to know any more."""
        if self._receiver is not None:
            self._receiver = None
            self._wire.reset(self._number)

    # -- called by the connection ---------------------------------------------------------------------------------

    def received(self, data: bytes) -> None:
        """A piece of the answer."""
        buffer = self._buffer
        buffer += data
        at = 0
        while len(buffer) - at >= _HEAD.size:
            compressed, size = _HEAD.unpack_from(buffer, at)
            end = at + _HEAD.size + size
            if len(buffer) < end:
                break
            message = bytes(buffer[at + _HEAD.size:end])
            at = end
            if compressed:
                self.fail(RPCError(Code.INTERNAL, "a compressed message, which nobody asked for"))
            elif self._receiver is not None:
                self._receiver.message(message)
        del buffer[:at]

    def headers(self, headers: Headers, ended: bool) -> None:
        """Headers of the answer, or what comes instead of one."""
        status = dict(headers).get(b":status", b"")
        if status != b"200":
            self.fail(RPCError(Code.UNAVAILABLE, "unexpected HTTP status code received from server: "
                                                 f"{status.decode()}"))
        elif ended:
            self.trailers(headers)

    def trailers(self, headers: Headers) -> None:
        """The end, as the server means it."""
        found = dict(headers)
        code = code_of(found.get(b"grpc-status", b"").decode())
        message = unquote(found.get(b"grpc-message", b"").decode())
        self._end(None if code is Code.OK else RPCError(code, message))

    def fail(self, error: RPCError) -> None:
        """The end, by an error that the server did not tell."""
        self._end(error)

    def _end(self, error: RPCError | None) -> None:
        if self._receiver is not None:
            receiver, self._receiver = self._receiver, None
            receiver.ended(error)
