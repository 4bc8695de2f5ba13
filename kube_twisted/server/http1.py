"""HTTP/1.1 connections that take request heads as long as the original does: selectors can be very long.

Nothing that comes after the last answer of a connection is read as a request.
"""

from __future__ import annotations

from typing import Any

from twisted.web.http import HTTPChannel

#: The longest request line and headers together, in bytes; Go's default, which the original keeps.
LONGEST_HEAD = 1024 * 1024
_TOO_LONG = b"431 Request Header Fields Too Large"
_BAD_REQUEST = b"400 Bad Request"


class LongHeadChannel(HTTPChannel):
    """The server's end of an HTTP/1.1 connection."""

    MAX_LENGTH = LONGEST_HEAD
    totalHeadersSize = LONGEST_HEAD
    _is_ending = False

    def dataReceived(self, data: bytes) -> None:
        if not self._is_ending:
            super().dataReceived(data)

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
