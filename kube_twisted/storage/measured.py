"""A store that notes how long its operations take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twisted.internet.defer import Deferred
from zope.interface import implementer

from kube_twisted.storage.compaction import ICompactable, Superseded
from kube_twisted.storage.expiry import IExpiring
from kube_twisted.storage.interfaces import Delete, Entry, EventConsumer, ISubscription, Operation, Page
from kube_twisted.util.clock import Clock
from kube_twisted.util.histogram import Histogram

#: Upper bounds in seconds, as those of ``etcd_request_duration_seconds``.
BOUNDS = (0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0,
          30.0, 45.0, 60.0)


@implementer(ICompactable, IExpiring)
class MeasuredStore:
    """The same store, with a histogram for each kind of operation.

    :ivar durations: by ``get``, ``list`` and ``write``.
    """

    def __init__(self, store: Any, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.durations = {name: Histogram(BOUNDS) for name in ("get", "list", "write")}

    def _timed(self, name: str, work: Deferred[Any]) -> Deferred[Any]:
        begin, seconds = self._clock.seconds(), self._clock.seconds

        def note(result: Any) -> Any:
            self.durations[name].observe(seconds() - begin)
            return result

        return work.addBoth(note)

    @property
    def current_revision(self) -> int:
        revision: int = self._store.current_revision
        return revision

    @property
    def compacted_revision(self) -> int:
        revision: int = self._store.compacted_revision
        return revision

    @property
    def superseded(self) -> Superseded:
        superseded: Superseded = self._store.superseded
        return superseded

    def start(self) -> Deferred[None]:
        started: Deferred[None] = self._store.start()
        return started

    def stop(self) -> Deferred[None]:
        stopped: Deferred[None] = self._store.stop()
        return stopped

    def read_revision(self) -> Deferred[int]:
        revision: Deferred[int] = self._store.read_revision()
        return revision

    def get(self, key: str, revision: int = 0) -> Deferred[Entry | None]:
        return self._timed("get", self._store.get(key, revision))

    def list_entries(self, prefix: str, limit: int = 0, start: str = "", revision: int = 0) -> Deferred[Page]:
        return self._timed("list", self._store.list_entries(prefix, limit, start, revision))

    def transact(self, operations: Sequence[Operation]) -> Deferred[int]:
        return self._timed("write", self._store.transact(operations))

    def watch(self, prefix: str, after_revision: int, consumer: EventConsumer) -> Deferred[ISubscription]:
        subscription: Deferred[ISubscription] = self._store.watch(prefix, after_revision, consumer)
        return subscription

    def compact(self, revision: int) -> Deferred[None]:
        compacted: Deferred[None] = self._store.compact(revision)
        return compacted

    def expired(self, limit: int) -> Deferred[Sequence[Delete]]:
        expired: Deferred[Sequence[Delete]] = self._store.expired(limit)
        return expired
