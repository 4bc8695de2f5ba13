"""One watch of etcd: changes from a revision on, until it ends."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.defer import Deferred

from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.errors import Code, RPCError
from kube_twisted.storage.etcd.keys import END, FIRST
from kube_twisted.storage.etcd.messages import WATCH, WatchCreateRequest, WatchRequest, WatchResponse
from kube_twisted.storage.etcd.schema import decode, encode
from kube_twisted.storage.etcd.stream import Stream


class Compacted(Exception):
    """etcd's history does not reach back so far.

    :ivar revision: the oldest one that is left.
    """

    def __init__(self, revision: int) -> None:
        super().__init__(revision)
        self.revision = revision


class Watch:
    """Follows all keys, so that every revision has something to show, and it is known how far the watch has come.

    :param consume: is called with each answer that has changes; all of a revision are in the same one.
    :ivar done: fires with None after :meth:`stop`; fails with RPCError, or with :class:`Compacted`.
    """

    def __init__(self, consume: Callable[[WatchResponse], None]) -> None:
        self.done: Deferred[None] = Deferred()
        self._consume = consume
        self._stream: Stream | None = None

    async def start(self, client: EtcdClient, after: int) -> None:
        """Ask for what came after a revision. That one is asked for too, so that etcd tells when it is compacted.

        :raises RPCError: when there is no connection.
        """
        self._stream = await client.stream(WATCH, self)
        create = WatchCreateRequest(FIRST, END, max(after, 1), prev_kv=True)
        self._stream.send(encode(WatchRequest(create)))

    def stop(self) -> None:
        self._end(None)

    def fail(self, error: Compacted) -> None:
        """End it: what has come is not whole."""
        self._end(error)

    def message(self, data: bytes) -> None:
        """An answer has come."""
        answer = decode(WatchResponse, data)
        if answer.canceled:
            if answer.compact_revision:
                self._end(Compacted(answer.compact_revision))
            else:
                self._end(RPCError(Code.UNAVAILABLE, answer.cancel_reason or "the watch was canceled"))
        elif answer.events:
            self._consume(answer)

    def ended(self, error: RPCError | None) -> None:
        """etcd has ended the call."""
        self._end(error or RPCError(Code.UNAVAILABLE, "the watch has ended"))

    def _end(self, error: Exception | None) -> None:
        if self._stream is not None:
            self._stream.cancel()
        if self.done.called:
            return
        if error is None:
            self.done.callback(None)
        else:
            self.done.errback(error)
