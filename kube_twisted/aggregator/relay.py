"""Passes the body of another server's answer on as it comes, no faster than the client takes it."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure
from twisted.web.http import PotentialDataLoss
from twisted.web.iweb import IResponse

from kube_twisted.endpoints.request import Stream


class Relays:
    """The answers that are being passed on."""

    def __init__(self) -> None:
        self._running: set[Relay] = set()
        self._waiting: list[Deferred[None]] = []

    def __len__(self) -> int:
        return len(self._running)

    def new(self, response: IResponse, endless: bool) -> Relay:
        """:param endless: whether it goes on until somebody ends it, as watches do."""
        relay = Relay(response, endless, self)
        self._running.add(relay)
        return relay

    def ended(self, relay: Relay) -> None:
        """It is over."""
        self._running.discard(relay)
        if not any(not one.endless for one in self._running):
            waiting, self._waiting = self._waiting, []
            for one in waiting:
                if not one.called:
                    one.callback(None)

    def end_watches(self) -> None:
        """End those that would go on: the server stops."""
        for relay in list(self._running):
            if relay.endless:
                relay.stop()

    def drained(self) -> Deferred[None]:
        """Fires when all others have come to their end."""
        drained: Deferred[None] = Deferred()
        if any(not one.endless for one in self._running):
            self._waiting.append(drained)
        else:
            drained.callback(None)
        return drained

    def stop(self) -> None:
        """End all."""
        for relay in list(self._running):
            relay.stop()


class Relay(Protocol):
    """One answer on its way.

    :ivar endless: whether it goes on until somebody ends it.
    """

    def __init__(self, response: IResponse, endless: bool, relays: Relays) -> None:
        self.endless = endless
        self._response = response
        self._relays = relays
        self._stream: Stream | None = None
        self._begun = False
        self._over = False
        self._paused = False

    def begin(self, stream: Stream) -> None:
        """The client has the head: let the body come."""
        self._begun = True
        self._stream = stream
        stream.on_gone(self._leave)
        if not self._over:
            stream.on_pressure(self._pause, self._resume)
        self._response.deliverBody(self)

    # -- from the other server ------------------------------------------------------------------------------------

    def connectionMade(self) -> None:
        if self._over:
            self._hang_up()
        elif self._paused:
            self._pause()

    def dataReceived(self, data: bytes) -> None:
        if self._stream is not None:
            self._stream.write(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        from twisted.web.client import ResponseDone

        stream = self._forget()
        if stream is None:
            return
        if reason.check(ResponseDone, PotentialDataLoss):
            stream.finish()
        else:
            stream.abort()

    # -- from the client, and from this server --------------------------------------------------------------------

    def _leave(self) -> None:
        """The client is gone."""
        self._forget()
        self._hang_up()

    def stop(self) -> None:
        """This server wants it to end: a watch ends as if it were over, other answers break off."""
        if not self._begun:
            self._response.deliverBody(self)
        stream = self._forget()
        if stream is not None:
            if self.endless:
                stream.finish()
            else:
                stream.abort()
        self._hang_up()

    def _forget(self) -> Stream | None:
        stream, self._stream = self._stream, None
        self._over = True
        self._relays.ended(self)
        return stream

    def _pause(self) -> None:
        self._paused = True
        if self.transport is not None:
            producer: Any = self.transport
            producer.pauseProducing()

    def _resume(self) -> None:
        self._paused = False
        if self.transport is not None:
            producer: Any = self.transport
            producer.resumeProducing()

    def _hang_up(self) -> None:
        if self.transport is not None:
            producer: Any = self.transport
            producer.stopProducing()
