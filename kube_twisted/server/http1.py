"""HTTP/1.1 connections that take request heads as long as the original does: selectors can be very long."""

from __future__ import annotations

from typing import Any

from twisted.web.http import HTTPChannel

#: The longest request line and headers together, in bytes; Go's default, which the original keeps.
LONGEST_HEAD = 1024 * 1024
_TOO_LONG = b"431 Request Header Fields Too Large"


class LongHeadChannel(HTTPChannel):
    """The server's end of an HTTP/1.1 connection."""

    MAX_LENGTH = LONGEST_HEAD
    totalHeadersSize = LONGEST_HEAD

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
        """431, and the end of the connection."""
        channel: Any = self
        channel.transport.write(b"HTTP/1.1 " + _TOO_LONG + b"\r\nContent-Type: text/plain; charset=utf-8\r\n"
                                b"Connection: close\r\n\r\n" + _TOO_LONG)
        channel.loseConnection()
