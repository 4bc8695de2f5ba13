"""Calls to an etcd cluster: over one connection at a time, to another member when that is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from twisted.internet.defer import Deferred, succeed
from twisted.logger import Logger
from twisted.python.failure import Failure

from kube_twisted.config.etcd import Endpoint
from kube_twisted.storage.etcd.connection import Connection
from kube_twisted.storage.etcd.endpoints import Dialer
from kube_twisted.storage.etcd.errors import NO_LEADER, Code, RPCError, too_late
from kube_twisted.storage.etcd.messages import Method
from kube_twisted.storage.etcd.schema import decode, encode
from kube_twisted.storage.etcd.stream import Receiver, Stream
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred

Q = TypeVar("Q")
A = TypeVar("A")

#: Seconds for a call, and for all attempts of one that may be made again. A member that has no leader gives up after 7.
TIMEOUT = 12.0
#: Seconds before another attempt.
PAUSE = 0.05
#: Seconds in which nobody tries again to connect, at first and at last.
_SHORTEST, _LONGEST = 0.1, 2.0
#: Has a member that has no leader say so instead of waiting for one.
_NEED_LEADER = (b"hasleader", b"true")


class EtcdClient:
    """All connections of a store; at most one at a time.

    A caller waits for the attempt to connect that is under way. After one that failed everybody is told at once,
    until it is time for the next.
    """

    _log = Logger()

    def __init__(self, dialer: Dialer, endpoints: Sequence[Endpoint], clock: Clock) -> None:
        self._dialer = dialer
        self._endpoints = list(endpoints)
        self._clock = clock
        self._connection: Connection | None = None
        self._connecting: Deferred[Any] | None = None
        self._waiting: list[Deferred[Connection]] = []
        self._failed: RPCError | None = None
        self._not_before = 0.0
        self._pause = _SHORTEST
        self._stopped = False
        self._ended: Deferred[None] | None = None

    # -- calls ----------------------------------------------------------------------------------------------------

    async def call(self, method: Method[Q, A], request: Q, *, again: bool = False) -> A:
        """Call a procedure that answers once.

        :param again: whether it may be done twice: then another member is asked when the first one fails.
        :raises RPCError: when there is no answer, or it is an error.
        """
        end = self._clock.seconds() + TIMEOUT if again else 0.0
        while True:
            try:
                connection = await self.connection()
                return decode(method.answer, await self._once(connection, method.path, encode(request)))
            except RPCError as error:
                if error.code is not Code.UNAVAILABLE:
                    raise
                self.avoid(error)
                if error is self._failed or self._clock.seconds() >= end:
                    raise
            await self._clock.sleep(PAUSE)

    def _once(self, connection: Connection, path: str, request: bytes) -> Deferred[bytes]:
        call = _Unary()
        stream = connection.open(path, call)
        timer = self._clock.call_later(TIMEOUT, call.ended, too_late())

        def settle(result: object) -> object:
            if timer.active():
                timer.cancel()
            stream.cancel()
            return result

        call.answer.addBoth(settle)
        stream.send(request, last=True)
        return call.answer

    async def stream(self, method: Method[Q, A], receiver: Receiver) -> Stream:
        """Begin a call that goes on, at a member that has a leader.

        :raises RPCError: when there is no connection.
        """
        connection = await self.connection()
        return connection.open(method.path, receiver, _NEED_LEADER)

    # -- the connection -------------------------------------------------------------------------------------------

    async def connection(self) -> Connection:
        """:raises RPCError: when there is none."""
        if self._connection is not None:
            return self._connection
        if self._stopped:
            raise RPCError(Code.CANCELED, "grpc: the client connection is closing")
        if self._connecting is None and self._failed is not None and self._clock.seconds() < self._not_before:
            raise self._failed
        waiting: Deferred[Connection] = Deferred()
        self._waiting.append(waiting)
        if self._connecting is None:
            self._connecting = to_deferred(self._connect())
            self._connecting.addBoth(self._tell)
        return await waiting

    def _tell(self, result: Connection | Failure) -> None:
        """Let all who wait know how the attempt to connect has ended."""
        self._connecting = None
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.called:
                one.callback(result)

    async def _connect(self) -> Connection:
        """Ask one member after the other."""
        failed: RPCError | None = None
        for endpoint in list(self._endpoints):
            try:
                self._connection = await self._dialer.connect(endpoint, self._lost)
            except RPCError as error:
                failed = failed or error
                self._put_last()
            else:
                self._failed, self._pause = None, _SHORTEST
                self._log.info("connected to etcd at {endpoint}", endpoint=str(endpoint))
                return self._connection
        assert failed is not None, "there is an endpoint"
        self._failed = failed
        self._not_before = self._clock.seconds() + self._pause
        self._pause = min(2 * self._pause, _LONGEST)
        raise failed

    def _lost(self, connection: Connection, why: str) -> None:
        if connection is self._connection:
            self._connection = None
            self._put_last()
            if self._ended is not None:
                self._ended.callback(None)
            else:
                self._log.warn("the connection to etcd is lost: {why}", why=why)

    def _put_last(self) -> None:
        """Ask the other members first, the next time."""
        self._endpoints.append(self._endpoints.pop(0))

    def avoid(self, error: RPCError) -> None:
        """A member without a leader may be alone; another one may not."""
        if error.message == NO_LEADER and self._connection is not None and len(self._endpoints) > 1:
            self._connection.abort()

    def give_up(self) -> None:
        """End a connection over which nothing comes; the next call takes another member."""
        if self._connection is not None:
            self._connection.abort()

    def stop(self) -> Deferred[None]:
        """End the connection; fires when it has ended."""
        self._stopped = True
        if self._connecting is not None:
            self._connecting.cancel()
        if self._connection is None:
            return succeed(None)
        ended: Deferred[None] = Deferred()
        self._ended = ended
        self._connection.abort()
        return ended


class _Unary:
    """:ivar answer: the one message of the answer."""

    def __init__(self) -> None:
        self.answer: Deferred[bytes] = Deferred()
        self._message: bytes | None = None

    def message(self, data: bytes) -> None:
        self._message = data

    def ended(self, error: RPCError | None) -> None:
        if self.answer.called:
            return
        if error is None and self._message is None:
            error = RPCError(Code.INTERNAL, "server closed the stream without sending a message")
        if error is not None:
            self.answer.errback(error)
        elif self._message is not None:
            self.answer.callback(self._message)

