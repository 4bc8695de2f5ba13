"""Reading an answer's body up to a limit."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure
from twisted.web.client import ResponseDone
from twisted.web.http import PotentialDataLoss
from twisted.web.iweb import UNKNOWN_LENGTH, IResponse


class BodyTooLarge(Exception):
    """There is more than the limit."""

    def __init__(self) -> None:
        super().__init__("http: response body too large")


def read_body(response: IResponse, limit: int) -> Deferred[bytes]:
    """The whole body; cancelling it ends the connection.

    :raises BodyTooLarge: also ends the connection.
    """
    reader = _Reader(limit)
    if response.length is not UNKNOWN_LENGTH and response.length > limit:
        reader.end(BodyTooLarge())
    response.deliverBody(reader)
    return reader.body


class _Reader(Protocol):
    """Collects the body.

    :ivar body: fires with it.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self.body: Deferred[bytes] = Deferred(lambda _: self._abort())

    def connectionMade(self) -> None:
        if self.body.called:
            self._abort()

    def dataReceived(self, data: bytes) -> None:
        self._limit -= len(data)
        if self.body.called:
            return
        if self._limit < 0:
            self.end(BodyTooLarge())
            self._abort()
        else:
            self._parts.append(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        if self.body.called:
            return
        if reason.check(ResponseDone, PotentialDataLoss):
            self.body.callback(b"".join(self._parts))
        else:
            self.body.errback(reason)

    def end(self, why: Exception) -> None:
        self._parts.clear()
        self.body.errback(why)

    def _abort(self) -> None:
        producer: Any = self.transport
        if producer is not None:
            producer.stopProducing()
