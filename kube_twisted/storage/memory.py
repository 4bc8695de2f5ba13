"""A store in memory, for tests: it answers at once, and can be forked in O(1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from twisted.internet.defer import Deferred, execute, succeed
from zope.interface import implementer

from kube_twisted.storage.compaction import ICompactable, Superseded
from kube_twisted.storage.dispatch import Dispatcher
from kube_twisted.storage.expiry import IExpiring
from kube_twisted.storage.interfaces import (
    Delete,
    Entry,
    EventConsumer,
    ISubscription,
    Operation,
    Page,
    PreconditionFailed,
    StoreClosed,
)
from kube_twisted.storage.memory_history import History
from kube_twisted.storage.preconditions import first_mismatch, require_sound
from kube_twisted.util.clock import Clock


@implementer(ICompactable, IExpiring)
class MemoryStore:
    """The contract of a store over a :class:`History`.

    :param clock: tells when a ``ttl`` ends.
    """

    def __init__(self, clock: Clock) -> None:
        self.superseded = Superseded()
        self._clock = clock
        self._history = History()
        self._running = False
        self._dispatcher = Dispatcher()
        self._waiting: deque[tuple[Sequence[Operation], Deferred[int]]] = deque()
        self._draining = False

    @property
    def current_revision(self) -> int:
        return self._history.current

    @property
    def compacted_revision(self) -> int:
        return self._history.compacted

    def fork(self, clock: Clock | None = None) -> MemoryStore:
        """A store, not started, that goes on from this one's state and history, independently of it."""
        twin = MemoryStore(clock or self._clock)
        twin._history = self._history.fork()
        twin.superseded = self.superseded.copy()
        return twin

    def start(self) -> Deferred[None]:
        self._running = True
        return succeed(None)

    def stop(self) -> Deferred[None]:
        self._running = False
        self._dispatcher.stop()
        return succeed(None)

    def read_revision(self) -> Deferred[int]:
        return execute(self._read_revision)

    def get(self, key: str, revision: int = 0) -> Deferred[Entry | None]:
        return execute(self._get, key, revision)

    def list_entries(self, prefix: str, limit: int = 0, start: str = "", revision: int = 0) -> Deferred[Page]:
        return execute(self._list, prefix, limit, start, revision)

    def watch(self, prefix: str, after_revision: int, consumer: EventConsumer) -> Deferred[ISubscription]:
        return execute(self._watch, prefix, after_revision, consumer)

    def compact(self, revision: int) -> Deferred[None]:
        return execute(self._compact, revision)

    def expired(self, limit: int) -> Deferred[Sequence[Delete]]:
        return execute(self._expired, limit)

    def transact(self, operations: Sequence[Operation]) -> Deferred[int]:
        """As the contract says. Called by a consumer of events, it waits until all of them are delivered."""
        require_sound(operations)
        deferred: Deferred[int] = Deferred()
        self._waiting.append((operations, deferred))
        if not self._draining:
            self._drain()
        return deferred

    def _drain(self) -> None:
        self._draining = True
        try:
            while self._waiting:
                operations, deferred = self._waiting.popleft()
                try:
                    revision = self._commit(operations)
                except (PreconditionFailed, StoreClosed) as error:
                    deferred.errback(error)
                else:
                    deferred.callback(revision)
        finally:
            self._draining = False

    def _commit(self, operations: Sequence[Operation]) -> int:
        self._require_running()
        failed = first_mismatch(operations, self._revision_of)
        if failed is not None:
            raise PreconditionFailed(failed, self._history.live(operations[failed].key))
        events = self._history.write(operations, self._clock.seconds())
        self.superseded.note(events)
        self._dispatcher.dispatch(events)
        return self._history.current

    def _revision_of(self, key: str) -> int:
        entry = self._history.live(key)
        return entry.revision if entry is not None else 0

    def _require_running(self) -> None:
        if not self._running:
            raise StoreClosed("the store is not running")

    def _read_revision(self) -> int:
        self._require_running()
        return self._history.current

    def _get(self, key: str, revision: int) -> Entry | None:
        self._require_running()
        return self._history.get(key, revision)

    def _list(self, prefix: str, limit: int, start: str, revision: int) -> Page:
        self._require_running()
        return self._history.list_entries(prefix, limit, start, revision)

    def _watch(self, prefix: str, after_revision: int, consumer: EventConsumer) -> ISubscription:
        self._require_running()
        past = self._history.events_after(after_revision, prefix)
        live_after = max(after_revision, self._history.current)
        subscription = self._dispatcher.subscribe(prefix, live_after, consumer)
        subscription.deliver(past)
        subscription.release()
        return subscription

    def _compact(self, revision: int) -> None:
        self._require_running()
        self._history.compact(revision)
        self.superseded.compacted(revision)

    def _expired(self, limit: int) -> Sequence[Delete]:
        self._require_running()
        return self._history.expired(self._clock.seconds(), limit)
