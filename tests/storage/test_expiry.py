"""Keys are deleted when their time to live is over."""

from __future__ import annotations

from collections.abc import Sequence

from twisted.internet.defer import Deferred, fail
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.expiry import ROUND_SIZE, ExpiryLoop
from kube_twisted.storage.interfaces import Create, Delete, Event, EventType, StoreFailed, Update
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.util.clock import Clock


class HookedStore(MemoryStore):
    """A store whose look for expired keys can be followed by something else, or fail."""

    broken = False

    def expired(self, limit: int) -> Deferred[Sequence[Delete]]:
        if self.broken:
            return fail(StoreFailed("the disk is on fire"))
        return super().expired(limit).addCallback(self.found)

    def found(self, due: Sequence[Delete]) -> Sequence[Delete]:
        return due


class ExpiryLoopTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.store = HookedStore(Clock(self.time))
        self.store.start()
        self.events: list[Event] = []
        self.successResultOf(self.store.watch("/", 1, self.events.extend))
        self.loop = ExpiryLoop(self.store, Clock(self.time), interval=1.0)

    def create(self, key: str, ttl: int) -> int:
        return self.successResultOf(self.store.transact([Create(key, b"v", ttl)]))

    def keys(self) -> list[str]:
        return [entry.key for entry in self.successResultOf(self.store.list_entries("/")).entries]

    def test_deletes(self) -> None:
        """Within an interval of its end a key is deleted, as an ordinary deletion that watchers see."""
        self.create("/a", 10)
        self.create("/b", 0)
        self.loop.start()
        self.time.pump([1] * 9)
        self.assertEqual(self.keys(), ["/a", "/b"])
        self.time.advance(1)
        self.assertEqual(self.keys(), ["/b"])
        self.assertEqual(self.events[-1], Event(EventType.DELETED, "/a", b"v", 4, b"v", 2))

    def test_overdue_at_start(self) -> None:
        """What expired while nobody looked is deleted at once."""
        self.create("/a", 10)
        self.time.advance(1000)
        self.loop.start()
        self.assertEqual(self.keys(), [])

    def test_many(self) -> None:
        """More than fit into a round are all deleted, each by a transaction of its own."""
        for number in range(ROUND_SIZE + 20):
            self.create(f"/{number}", 1)
        self.time.advance(2)
        self.loop.start()
        self.assertEqual(self.keys(), [])
        deletions = [event.revision for event in self.events if event.type is EventType.DELETED]
        self.assertEqual(len(set(deletions)), ROUND_SIZE + 20)

    def test_replaced_in_between(self) -> None:
        """A key that is renewed between the look and the deletion lives on; the others go."""
        revision = self.create("/a", 1)
        self.create("/b", 1)

        def renew(due: Sequence[Delete]) -> Sequence[Delete]:
            if due and self.store.current_revision == 3:
                self.successResultOf(self.store.transact([Update("/a", b"w", revision, 100)]))
            return due

        self.store.found = renew
        self.time.advance(2)
        self.loop.start()
        self.assertEqual(self.keys(), ["/a"])

    def test_failing_round(self) -> None:
        """A round that fails is logged, and the next one deletes what is due."""
        self.create("/a", 1)
        self.store.broken = True
        self.loop.start()
        self.time.advance(1)
        self.assertEqual(len(self.flushLoggedErrors(StoreFailed)), 2)
        self.store.broken = False
        self.time.advance(1)
        self.assertEqual(self.keys(), [])

    def test_stop(self) -> None:
        """After stop nothing is deleted, and no timer is left."""
        self.create("/a", 1)
        self.loop.start()
        self.loop.stop()
        self.loop.stop()
        self.time.advance(5)
        self.assertEqual(self.keys(), ["/a"])
        self.assertEqual(self.time.getDelayedCalls(), [])

    def test_closed_store(self) -> None:
        """A store that is closed meanwhile is no error."""
        self.create("/a", 1)
        self.loop.start()
        self.store.stop()
        self.time.advance(5)
        self.assertEqual(self.flushLoggedErrors(), [])
        self.loop.stop()
