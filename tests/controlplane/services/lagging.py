"""A server's view of a store that other servers write to: it learns of their writes only when it must."""

from __future__ import annotations

from collections.abc import Sequence

from twisted.internet.defer import Deferred
from zope.interface import implementer

from kube_twisted.storage.interfaces import Entry, Event, EventConsumer, IStore, ISubscription, Operation, Page
from kube_twisted.storage.memory import MemoryStore


@implementer(IStore)
class LaggingStore:
    """Events wait until a read that must be consistent, or a write of its own, has to see them.

    :ivar transactions: what was written through it.
    """

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._late: list[tuple[EventConsumer, Sequence[Event]]] = []
        self.current_revision = store.current_revision
        self.transactions: list[Sequence[Operation]] = []

    @property
    def compacted_revision(self) -> int:
        return self._store.compacted_revision

    def _catch_up(self) -> None:
        late, self._late = self._late, []
        for consumer, events in late:
            consumer(events)
        self.current_revision = self._store.current_revision

    def start(self) -> Deferred[None]:
        return self._store.start()

    def stop(self) -> Deferred[None]:
        return self._store.stop()

    def read_revision(self) -> Deferred[int]:
        self._catch_up()
        return self._store.read_revision()

    def get(self, key: str, revision: int = 0) -> Deferred[Entry | None]:
        return self._store.get(key, revision)

    def list_entries(self, prefix: str, limit: int = 0, start: str = "", revision: int = 0) -> Deferred[Page]:
        return self._store.list_entries(prefix, limit, start, revision)

    def transact(self, operations: Sequence[Operation]) -> Deferred[int]:
        self.transactions.append(operations)
        written = self._store.transact(operations)

        def done(revision: int) -> int:
            self._catch_up()
            return revision

        return written.addCallback(done)

    def watch(self, prefix: str, after_revision: int, consumer: EventConsumer) -> Deferred[ISubscription]:
        return self._store.watch(prefix, after_revision, lambda events: self._late.append((consumer, events)))

    def compact(self, revision: int) -> Deferred[None]:
        return self._store.compact(revision)
