"""TLS over TCP for short answers: bytes go to the kernel at once instead of by way of the reactor's next turn.

Twisted's transports queue what is written, and ask the reactor to be told when the socket can take it: three system
calls and a turn of the event loop for an answer that would have fitted. Here a write is tried first, and what does not
fit is queued as ever, with the same producers and limits.
"""

from __future__ import annotations

import socket
from typing import Any

from OpenSSL.SSL import Error, WantReadError
from twisted.internet import tcp
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol
from twisted.python.failure import Failure

from kube_twisted.server.tls_records import RecordBoundary

#: What TLS adds to a record at most, and how long a record may be.
_RECORD_OVERHEAD = 64
_LONGEST_RECORD = 2**14
#: How much is handed from OpenSSL to the socket at a time.
_LONGEST_READ = 2**18
#: A client that vanished without a word, of which a quiet watch would never learn, is given up after 150 seconds.
#: Options that a system lacks are left to its own defaults.
_KEEP_ALIVE = {"TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 9}

#: How long a client has to answer the end of TLS, in seconds. What it still sends is read meanwhile: were it left
#: unread, the system would reset the connection, and the client might lose the end of its answer.
_FAREWELL_SECONDS = 1


class EagerServer(tcp.Server):
    """A server's end of a TCP connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.setTcpNoDelay(True)  # a watch event must not wait for the acknowledgement of the one before
        self.setTcpKeepAlive(True)
        for option, value in _KEEP_ALIVE.items():
            if hasattr(socket, option):
                self.socket.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
        self._host: Any = None
        self._peer: Any = None

    def getHost(self) -> Any:
        """The address at this end; it is wanted for each request, and never changes."""
        if self._host is None:
            self._host = super().getHost()
        return self._host

    def getPeer(self) -> Any:
        """The address at the client's end, which is wanted as often."""
        if self._peer is None:
            self._peer = super().getPeer()
        return self._peer

    def write(self, data: bytes) -> None:
        if self._tempDataBuffer or self.dataBuffer or not self.connected or self._writeDisconnected:
            super().write(data)
            return
        try:
            sent = self.socket.send(data)
        except OSError:
            sent = 0  # queued, it is tried again, and then fails where the reactor can see it
        if sent < len(data):
            super().write(data[sent:] if sent else data)


class EagerPort(tcp.Port):
    """A listening TCP port whose connections write eagerly."""

    transport = EagerServer


class TLSConnection(TLSMemoryBIOProtocol):
    """TLS of one connection: a whole answer is encrypted, then handed to the socket in one piece.

    A connection that has ended at this end is closed, though the client may never say that it is at its own.
    """

    _farewell: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._boundary = RecordBoundary()

    def dataReceived(self, data: bytes) -> None:
        """Most requests are one record: they are read once, and not again to learn that there is no more."""
        if not self._boundary.is_one_record(data) or not self._handshakeDone or self._appSendBuffer:
            super().dataReceived(data)
            return
        connection: Any = self._tlsConnection
        connection.bio_write(data)
        try:
            received = connection.recv(_LONGEST_RECORD)
        except Error:
            self._flushReceiveBIO()  # there, the same happens again, and is dealt with
            return
        if not self._aborted and not self._lostTLSConnection:
            self.wrappedProtocol.dataReceived(received)

    def _shutdownTLS(self) -> None:
        super()._shutdownTLS()
        transport: Any = self.transport
        if self.disconnecting and not self._aborted and not transport.disconnecting and self._farewell is None:
            self._farewell = self.factory._clock.callLater(_FAREWELL_SECONDS, self._hang_up)

    def _hang_up(self) -> None:
        """Close the connection, once all is written."""
        self._farewell = None
        transport: Any = self.transport
        transport.loseConnection()

    def connectionLost(self, reason: Failure) -> None:  # type: ignore[override]
        farewell, self._farewell = self._farewell, None
        if farewell is not None:
            farewell.cancel()
        super().connectionLost(reason)

    def _write(self, data: bytes) -> None:
        if self._lostTLSConnection:
            return
        connection, sent, length = self._tlsConnection, 0, len(data)
        while sent < length:
            try:
                sent += connection.send(data if length <= _LONGEST_RECORD else data[sent:sent + _LONGEST_RECORD])
            except WantReadError:
                self._bufferedWrite(data[sent:])
                break
            except Error:
                self._tlsShutdownFinished(Failure())
                return
        self._flush(length)

    def _flush(self, length: int) -> None:
        """Hand over what ``length`` bytes became."""
        connection = self._tlsConnection
        encrypted = length + _RECORD_OVERHEAD * (length // _LONGEST_RECORD + 1)
        size = min(encrypted, _LONGEST_READ)
        while True:
            try:
                piece = connection.bio_read(size)
            except WantReadError:
                return
            self.transport.write(piece)  # type: ignore[union-attr]
            if len(piece) < size:
                return


class TLSFactory(TLSMemoryBIOFactory):
    """Makes :class:`TLSConnection` for each connection of another factory."""

    protocol = TLSConnection


def listen(reactor: Any, port: int, factory: Any, backlog: int, interface: str) -> tcp.Port:
    """Listen; like ``reactor.listenTCP``.

    :raises CannotListenError: when the port can't be had.
    """
    listening = EagerPort(port, factory, backlog, interface, reactor)
    listening.startListening()
    return listening
