"""HTTP/2 connections that wait for a client whose flow control window is full, instead of asking again at once.

Twisted's connection chooses a stream that has data but no room over and over, in each turn of the reactor, until the
client makes room: one client that stops reading a long list or a busy watch would keep a core busy. Here such a stream
is set aside until its window opens.

Nor does it expect a client that opens a stream and gives it up in one breath: the answer would find the stream closed,
and the connection would never write again.

And it means to end a connection of which it has said so, but TLS waits for as long as it has a producer.
"""

from __future__ import annotations

from typing import Any

from h2.settings import SettingCodes, Settings
from twisted.internet.protocol import connectionDone
from twisted.python.failure import Failure
from twisted.web._http2 import _END_STREAM_SENTINEL, H2Connection
from twisted.web.http import _GenericHTTPChannelProtocol

from kube_twisted.server.http1 import LONGEST_HEAD, LongHeadChannel

#: Data longer than a frame is cut without being copied.
_LONG = 16 * 1024


class FlowControlledConnection(H2Connection):
    """The server's end of an HTTP/2 connection.

    :cvar abortTimeout: seconds that a client has to close a connection after the server's GOAWAY.
    """

    abortTimeout = 1

    def __init__(self, reactor: Any) -> None:
        super().__init__(reactor)
        self._full: set[int] = set()
        self._is_ending = False
        self._take_long_heads()

    def _take_long_heads(self) -> None:
        """Take as long headers as over HTTP/1.1, and tell the client so when the connection begins."""
        settings: Any = {**self.conn.local_settings, SettingCodes.MAX_HEADER_LIST_SIZE: LONGEST_HEAD}
        self.conn.local_settings = Settings(client=False, initial_values=settings)
        self.conn.decoder.max_header_list_size = LONGEST_HEAD

    def remainingOutboundWindow(self, streamID: int) -> int:
        """How much more a stream may write; asked after each frame, which is when the window may be full."""
        queue = self._outboundStreamQueues[streamID]
        if queue and queue[0] is not _END_STREAM_SENTINEL and self.conn.local_flow_control_window(streamID) <= 0:
            self.priority.block(streamID)
            self._full.add(streamID)
        remaining: int = super().remainingOutboundWindow(streamID)
        return remaining

    def _requestEnded(self, event: Any) -> None:
        """A request has come whole. One that was given up in the same bytes is not begun."""
        stream = self.conn.streams.get(event.stream_id)
        if stream is not None and not stream.closed:
            super()._requestEnded(event)

    def writeDataToStream(self, streamID: int, data: bytes) -> None:
        super().writeDataToStream(streamID, memoryview(data) if len(data) > _LONG else data)

    def dataReceived(self, data: bytes) -> None:
        """Frames of the client, some of which may open windows."""
        if self._is_ending:
            return
        super().dataReceived(data)
        if self._full:
            self._take_up()

    def _take_up(self) -> None:
        """Go on with the streams whose windows have opened."""
        self._full.intersection_update(self.streams)
        opened = [one for one in self._full if self.conn.local_flow_control_window(one) > 0]
        for stream in opened:
            self._full.discard(stream)
            self.priority.unblock(stream)
        if opened and self._sendingDeferred is not None:
            waiting, self._sendingDeferred = self._sendingDeferred, None
            waiting.callback(None)

    # -- the end --------------------------------------------------------------------------------------------------

    def timeoutConnection(self) -> None:
        """Nobody has asked for long."""
        super().timeoutConnection()
        self._let_end()

    def _terminate(self, reason: Failure) -> None:
        """The client broke the protocol: GOAWAY, and the end."""
        super()._terminate(reason)
        if self._is_ending and self._abortingCall is None:
            self._abortingCall = self.callLater(self.abortTimeout, self.forceAbortClient)

    def connectionLost(self, reason: Failure = connectionDone, _cancelTimeouts: bool = True) -> None:
        """The connection is lost or, when timeouts are kept, has been told to end."""
        super().connectionLost(reason, _cancelTimeouts)
        if not _cancelTimeouts:
            self._let_end()

    def _let_end(self) -> None:
        """Write what waits, and be no producer any more, for which the transport would wait."""
        if not self._is_ending:
            self._is_ending = True
            self._consumerBlocked = None
            self._flushBufferedControlData()
            transport: Any = self.transport
            transport.unregisterProducer()


class Channel(_GenericHTTPChannelProtocol):
    """A connection of either protocol; which, the TLS handshake says.

    :param reactor: for the timers of HTTP/2.
    """

    def __init__(self, reactor: Any) -> None:
        super().__init__(LongHeadChannel())
        self._reactor = reactor

    def dataReceived(self, data: bytes) -> None:
        if self._negotiatedProtocol is None and getattr(self._channel.transport, "negotiatedProtocol", None) == b"h2":
            self._upgrade()
        super().dataReceived(data)

    def _upgrade(self) -> None:
        """Put an HTTP/2 connection in the place of the HTTP/1.1 channel, as Twisted does it with its own."""
        channel: Any = self._channel
        channel._networkProducer.unregisterProducer()
        channel.forget_patience()
        connection: Any = FlowControlledConnection(self._reactor)
        connection.requestFactory = self._requestFactory
        connection.site = self._site
        connection.factory = self._factory
        connection.timeOut = self._timeOut
        connection.callLater = self._callLater
        connection.makeConnection(channel.transport)
        channel._networkProducer.registerProducer(connection, True)
        self._channel, self._negotiatedProtocol = connection, b"h2"  # type: ignore[assignment]
