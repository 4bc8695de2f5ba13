"""A member of etcd in memory: speaks HTTP/2, and answers what a test says."""

from __future__ import annotations

from struct import pack, unpack_from
from typing import Any

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, PingReceived, RequestReceived, StreamReset
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock as FakeTime
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from kube_twisted.storage.etcd.connection import Connection
from kube_twisted.storage.etcd.schema import encode
from kube_twisted.util.clock import Clock


class Call:
    """A call as the member sees it."""

    def __init__(self, member: Member, number: int, headers: dict[str, str]) -> None:
        self._member = member
        self.number = number
        self.headers = headers
        self.body = b""
        self.is_reset = False

    @property
    def path(self) -> str:
        return self.headers[":path"]

    @property
    def messages(self) -> list[bytes]:
        """The whole messages that have come."""
        found, at = [], 0
        while at + 5 <= len(self.body):
            _, size = unpack_from(">BI", self.body, at)
            found.append(self.body[at + 5:at + 5 + size])
            at += 5 + size
        return found

    def begin(self) -> None:
        self._member.h2.send_headers(self.number, [(":status", "200"), ("content-type", "application/grpc")])

    def send(self, *messages: Any) -> None:
        for one in messages:
            data = one if isinstance(one, bytes) else encode(one)
            self._member.h2.send_data(self.number, pack(">BI", 0, len(data)) + data)
        self._member.pump()

    def end(self, status: int = 0, text: str = "") -> None:
        self._member.h2.send_headers(
            self.number, [("grpc-status", str(status)), ("grpc-message", text)], end_stream=True)
        self._member.pump()

    def answer(self, message: Any) -> None:
        """The one answer, and the end."""
        self.begin()
        self.send(message)
        self.end()

    def refuse(self, status: int, text: str) -> None:
        """An error instead of an answer."""
        self._member.h2.send_headers(self.number, [
            (":status", "200"), ("grpc-status", str(status)), ("grpc-message", text)], end_stream=True)
        self._member.pump()

    def reset(self) -> None:
        self._member.h2.reset_stream(self.number)
        self._member.pump()


class _Transport(StringTransport):
    """Ends at once."""

    def __init__(self, member: Member) -> None:
        super().__init__()
        self._member = member

    def loseConnection(self) -> None:
        self._member.end()

    def abortConnection(self) -> None:
        self._member.end()


class Member:
    """:ivar connection: the store's end.
    :ivar lost: why the connection has ended.
    :ivar is_deaf: whether it reads nothing more.
    """

    def __init__(self, time: FakeTime) -> None:
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self.calls: list[Call] = []
        self.lost: list[str] = []
        self.pings = 0
        self.is_deaf = False
        self.is_over = False
        self.reads = True
        self._by_number: dict[int, Call] = {}
        self.connection = Connection("etcd:2379", "http", Clock(time), self._note_lost)
        self.transport = _Transport(self)
        self.connection.makeConnection(self.transport)

    def _note_lost(self, _: Connection, why: str) -> None:
        self.lost.append(why)

    def greet(self) -> None:
        """Begin to speak HTTP/2."""
        self.h2.initiate_connection()
        self.pump()

    def pump(self) -> None:
        """Let both ends have what the other one has sent."""
        moved = True
        while moved and not self.is_over:
            moved = False
            sent = self.transport.value()
            self.transport.clear()
            if sent and not self.is_deaf:
                moved = True
                for event in self.h2.receive_data(sent):
                    self._note(event)
            answer = self.h2.data_to_send()
            if answer:
                moved = True
                self.connection.dataReceived(answer)

    def _note(self, event: Any) -> None:
        if isinstance(event, RequestReceived):
            assert event.stream_id is not None
            call = Call(self, event.stream_id, dict(event.headers or ()))  # type: ignore[arg-type]
            self.calls.append(call)
            self._by_number[call.number] = call
        elif isinstance(event, DataReceived):
            assert event.stream_id is not None
            self._by_number[event.stream_id].body += event.data or b""
            if self.reads:
                self.h2.acknowledge_received_data(event.flow_controlled_length or 0, event.stream_id)
        elif isinstance(event, StreamReset):
            assert event.stream_id is not None
            self._by_number[event.stream_id].is_reset = True
        elif isinstance(event, PingReceived):
            self.pings += 1

    def end(self) -> None:
        """The connection is over."""
        if not self.is_over:
            self.is_over = True
            self.connection.connectionLost(Failure(ConnectionDone()))
