"""HTTP/1.1 connections that take request heads as long as the original does: selectors can be very long.

A head that has come whole is read at once, and not line by line. A connection's patience is one timer, not one for each
request. Nothing that comes after the last answer of a connection is read as a request.
"""

from __future__ import annotations

from typing import Any

from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel

from kube_twisted.server.request_head import Head, parse_head

#: The longest request line and headers together, in bytes; Go's default, which the original keeps.
LONGEST_HEAD = 1024 * 1024
_END_OF_HEAD = b"\r\n\r\n"
_TOO_LONG = b"431 Request Header Fields Too Large"
_BAD_REQUEST = b"400 Bad Request"


class LongHeadChannel(HTTPChannel):
    """The server's end of an HTTP/1.1 connection."""

    MAX_LENGTH = LONGEST_HEAD
    totalHeadersSize = LONGEST_HEAD
    _is_ending = False
    _idle_since = 0.0
    _idle_timer: IDelayedCall | None = None

    def dataReceived(self, data: bytes) -> None:
        if not self._busyReceiving and not self._buffer:
            data = self._take_whole_heads(data)
        if data and not self._is_ending:
            super().dataReceived(data)

    def _take_whole_heads(self, data: bytes) -> bytes:
        """Begin the requests whose heads are there; what is left over is Twisted's."""
        while self.line_mode and not self.requests and not self._is_ending:
            end = data.find(_END_OF_HEAD, 0, LONGEST_HEAD)
            head = parse_head(data[:end]) if end > 0 else None
            if head is None:
                break
            self._busyReceiving = True
            try:
                self._begin(head)
            finally:
                self._busyReceiving = False
            data, self._buffer = data[end + len(_END_OF_HEAD):] + self._buffer, b""
        return data

    def _begin(self, head: Head) -> None:
        """What Twisted does of a head's lines, one after the other."""
        channel: Any = self
        request = channel.requestFactory(self, 0)
        self.requests.append(request)
        request.requestHeaders._rawHeaders = head.headers
        self._command, self._path, self._version = head.method, head.uri, head.version
        if b"Content-Length" in head.headers:
            channel._maybeChooseTransferDecoder(b"Content-Length", head.headers[b"Content-Length"][0])
        self.allHeadersReceived()
        if self.length == 0:
            self.allContentReceived()
        else:
            self.resetTimeout()
            self.setRawMode()

    # -- patience -------------------------------------------------------------------------------------------------

    def setTimeout(self, period: int | None) -> int | None:
        """Close the connection when nothing is asked for ``period`` seconds from now; None while it is not idle.

        :returns: what it was before.
        """
        before, self.timeOut = self.timeOut, period
        if period is not None:
            self.resetTimeout()
            if self._idle_timer is None:
                self._idle_timer = self.callLater(period, self._look)
        return before

    def resetTimeout(self) -> None:
        """Something has come."""
        channel: Any = self
        self._idle_since = channel.site.seconds()

    def _look(self) -> None:
        """The timer rings: see how long nothing has come."""
        self._idle_timer = None
        if self.timeOut is None:
            return
        channel: Any = self
        patience = self._idle_since + self.timeOut - channel.site.seconds()
        if patience > 0:
            self._idle_timer = self.callLater(patience, self._look)
        else:
            self.timeoutConnection()

    def forget_patience(self) -> None:
        """The connection is over, or another protocol's."""
        self.setTimeout(None)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    # -- the end --------------------------------------------------------------------------------------------------

    def connectionLost(self, reason: Failure) -> None:  # type: ignore[override]
        self.forget_patience()
        super().connectionLost(reason)

    def loseConnection(self) -> None:
        """The last answer is written."""
        self._is_ending = True
        super().loseConnection()

    def lineReceived(self, line: bytes) -> None:
        """The request line, or a header."""
        if self._receivedHeaderSize + len(line) > LONGEST_HEAD:
            self._refuse()
        else:
            super().lineReceived(line)

    def lineLengthExceeded(self, line: bytes) -> None:
        """A line alone is too long."""
        self._refuse()

    def _refuse(self) -> None:
        """The answer to a head that is too long."""
        self._end_with(_TOO_LONG)

    def _respondToBadRequestAndDisconnect(self) -> None:
        """The answer to what is no HTTP."""
        self._end_with(_BAD_REQUEST)

    def _end_with(self, status: bytes) -> None:
        """An answer, and the end of the connection."""
        channel: Any = self
        channel.transport.write(b"HTTP/1.1 " + status + b"\r\nContent-Type: text/plain; charset=utf-8\r\n"
                                b"Connection: close\r\n\r\n" + status)
        channel.loseConnection()
