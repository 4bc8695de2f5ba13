"""One HTTP/2 connection to a member of etcd, and the calls on it.

What is received is handed on at once, so a reader that is busy leaves the rest in the socket, and the server waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
    WindowUpdated,
)
from h2.exceptions import H2Error
from h2.settings import SettingCodes, Settings
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, ISSLTransport, ITCPTransport
from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure

from kube_twisted.storage.etcd.errors import Code, RPCError, connection_lost
from kube_twisted.storage.etcd.stream import Receiver, Stream
from kube_twisted.util.clock import Clock
from kube_twisted.util.http_words import words

#: Seconds of silence after which the server is asked whether it is there, and for its answer; the original's.
KEEPALIVE, KEEPALIVE_TIMEOUT = 30.0, 10.0
#: How many bytes may be under way, of one call and of all.
_STREAM_WINDOW, _WINDOW = 4 * 1024 * 1024, 16 * 1024 * 1024
_INITIAL_WINDOW = 65535
_HEADERS = ((b"te", b"trailers"), (b"content-type", b"application/grpc"), (b"user-agent", b"kube-twisted"))
#: A connection has numbers for about a thousand million calls; then another one is needed.
_LAST_STREAM = 2**31 - 1000
_CONFIG = H2Configuration(header_encoding=None, validate_outbound_headers=False, normalize_outbound_headers=False,
                          validate_inbound_headers=False, normalize_inbound_headers=False)


class Connection(Protocol):
    """:ivar ready: fires once the server has answered in HTTP/2; fails with the reason otherwise.

    :param authority: host and port, as the server is called.
    :param lost: called once when the connection has ended after it was ready, with the reason.
    """

    def __init__(self, authority: str, scheme: str, clock: Clock, lost: Callable[[Connection, str], None]) -> None:
        self.ready: Deferred[None] = Deferred()
        self.usable = False
        self._clock = clock
        self._lost = lost
        self._head = [(b":method", b"POST"), (b":scheme", scheme.encode()), (b":authority", authority.encode())]
        self._streams: dict[int, Stream] = {}
        self._waiting: dict[int, tuple[bytes, bool]] = {}
        self._h2 = H2Connection(_CONFIG)
        self._timer: IDelayedCall | None = None
        self._silent = False
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            DataReceived: self._data, ResponseReceived: self._response, TrailersReceived: self._trailers,
            StreamEnded: self._stream_ended, StreamReset: self._stream_reset, WindowUpdated: self._window_updated,
            RemoteSettingsChanged: self._settings, ConnectionTerminated: self._terminated}

    # -- calls ----------------------------------------------------------------------------------------------------

    def open(self, path: str, receiver: Receiver, *more: tuple[bytes, bytes]) -> Stream:
        """Begin a call.

        :param more: headers.
        """
        number = self._h2.get_next_available_stream_id()
        if number > _LAST_STREAM:
            self.abort()
        stream = self._streams[number] = Stream(self, number, receiver)
        self._h2.send_headers(number, [*self._head, (b":path", path.encode()), *_HEADERS, *more])
        return stream

    def send(self, number: int, data: bytes, last: bool) -> None:
        """Send a piece of a call, as soon as the server has room for it."""
        before, _ = self._waiting.get(number, (b"", False))
        self._waiting[number] = before + data, last
        self._push(number)
        self._flush()

    def reset(self, number: int) -> None:
        """Give a call up."""
        self._forget(number)
        if self.usable:
            self._h2.reset_stream(number, ErrorCodes.CANCEL)
            self._flush()

    def abort(self) -> None:
        """End the connection, and with it its calls, without waiting for the other side."""
        if self.transport is not None:
            self.transport.abortConnection()  # type: ignore[attr-defined]

    def _push(self, number: int) -> None:
        data, last = self._waiting.pop(number)
        while data:
            room = min(self._h2.local_flow_control_window(number), self._h2.max_outbound_frame_size)
            if room <= 0:
                self._waiting[number] = data, last
                return
            piece, data = data[:room], data[room:]
            self._h2.send_data(number, piece, end_stream=last and not data)

    def _flush(self) -> None:
        data = self._h2.data_to_send()
        if data and self.transport is not None:
            self.transport.write(data)

    def _forget(self, number: int) -> Stream | None:
        self._waiting.pop(number, None)
        return self._streams.pop(number, None)

    # -- life -----------------------------------------------------------------------------------------------------

    def connectionMade(self) -> None:
        transport: Any = self.transport
        if ITCPTransport.providedBy(transport) or ISSLTransport.providedBy(transport):
            transport.setTcpNoDelay(True)
        self._h2.local_settings = Settings(client=True, initial_values={
            SettingCodes.ENABLE_PUSH: 0, SettingCodes.INITIAL_WINDOW_SIZE: _STREAM_WINDOW})
        self._h2.initiate_connection()
        self._h2.increment_flow_control_window(_WINDOW - _INITIAL_WINDOW)
        self._flush()
        self._timer = self._clock.call_later(KEEPALIVE, self._ask)

    def _ask(self) -> None:
        """Nothing has come for long: is anybody there?"""
        if self._silent:
            self._h2.ping(b"is there")
            self._flush()
            self._timer = self._clock.call_later(KEEPALIVE_TIMEOUT, self.abort)
        else:
            self._silent = True
            self._timer = self._clock.call_later(KEEPALIVE, self._ask)

    def _heard(self) -> None:
        if self._silent:
            self._silent = False
            if self._timer is not None and self._timer.active():
                self._timer.cancel()
                self._timer = self._clock.call_later(KEEPALIVE, self._ask)

    def dataReceived(self, data: bytes) -> None:
        self._heard()
        try:
            for event in self._h2.receive_data(data):
                handler = self._handlers.get(type(event))
                if handler is not None:
                    handler(event)
        except H2Error:
            self.abort()
            return
        self._flush()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        assert reason.value is not None
        why = words(reason.value)
        was_ready, self.usable = self.usable, False
        streams, self._streams = self._streams, {}
        if was_ready:
            self._lost(self, why)
        elif not self.ready.called:
            self.ready.errback(reason)
        for stream in streams.values():
            stream.fail(connection_lost(why))

    # -- what the server says -------------------------------------------------------------------------------------

    def _settings(self, _: RemoteSettingsChanged) -> None:
        if not self.ready.called:
            self.usable = True
            self.ready.callback(None)
        self._push_waiting()

    def _data(self, event: DataReceived) -> None:
        assert event.stream_id is not None and event.flow_controlled_length is not None
        if event.flow_controlled_length:
            self._h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        stream = self._streams.get(event.stream_id)
        if stream is not None and event.data:
            stream.received(event.data)

    def _response(self, event: ResponseReceived) -> None:
        assert event.stream_id is not None and event.headers is not None
        stream = self._streams.get(event.stream_id)
        if stream is not None:
            stream.headers(event.headers, event.stream_ended is not None)

    def _trailers(self, event: TrailersReceived) -> None:
        assert event.stream_id is not None and event.headers is not None
        stream = self._streams.get(event.stream_id)
        if stream is not None:
            stream.trailers(event.headers)

    def _stream_ended(self, event: StreamEnded) -> None:
        assert event.stream_id is not None
        stream = self._forget(event.stream_id)
        if stream is not None:
            stream.fail(RPCError(Code.INTERNAL, "server closed the stream without sending trailers"))

    def _stream_reset(self, event: StreamReset) -> None:
        assert event.stream_id is not None
        stream = self._forget(event.stream_id)
        if stream is not None:
            stream.fail(RPCError(Code.UNAVAILABLE, "stream terminated by RST_STREAM with error code: "
                                                   f"{getattr(event.error_code, 'name', event.error_code)}"))

    def _window_updated(self, event: WindowUpdated) -> None:
        if not event.stream_id:
            self._push_waiting()
        elif event.stream_id in self._waiting:
            self._push(event.stream_id)

    def _push_waiting(self) -> None:
        for number in list(self._waiting):
            self._push(number)

    def _terminated(self, _: ConnectionTerminated) -> None:
        """The server takes no more calls; h2 can't wait for those under way either."""
        self.abort()
