"""Old revisions are forgotten in time, and sooner when there are too many."""

from __future__ import annotations

from twisted.internet.defer import Deferred, fail
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.compaction import Compactor, Superseded
from kube_twisted.storage.interfaces import Create, Event, EventType, StoreFailed, Update
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.util.clock import Clock


class BreakableStore(MemoryStore):
    """A store whose compaction can fail."""

    broken = False

    def compact(self, revision: int) -> Deferred[None]:
        return fail(StoreFailed("the disk is on fire")) if self.broken else super().compact(revision)


class CompactorTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.store = BreakableStore(Clock(self.time))
        self.store.start()
        self.revision = self.successResultOf(self.store.transact([Create("/a", b"v" * 100)]))

    def compactor(self, **limits: int) -> Compactor:
        compactor = Compactor(self.store, Clock(self.time), interval=300.0, **limits)
        compactor.start()
        return compactor

    def update(self, times: int = 1) -> None:
        for _ in range(times):
            operation = Update("/a", b"v" * 100, self.revision)
            self.revision = self.successResultOf(self.store.transact([operation]))

    def test_by_age(self) -> None:
        """History is kept for the interval: compaction goes to the revision that was current then."""
        self.compactor()
        self.update()
        self.time.pump([30] * 9)
        self.assertEqual(self.store.compacted_revision, 0)
        self.update()
        self.time.advance(30)
        self.assertEqual(self.store.compacted_revision, 2)
        self.time.advance(30)
        self.assertEqual(self.store.compacted_revision, 3)
        self.time.pump([30] * 10)
        self.assertEqual(self.store.compacted_revision, 4)

    def test_by_rows(self) -> None:
        """Too many superseded rows are not kept for so long, but at least for a tick."""
        self.compactor(max_rows=10)
        self.update(11)
        self.time.advance(30)
        self.assertEqual(self.store.compacted_revision, 2)
        self.time.advance(30)
        self.assertEqual(self.store.compacted_revision, 13)
        self.assertEqual(self.store.superseded.rows, 0)

    def test_by_bytes(self) -> None:
        """Too many superseded bytes are not kept for so long either."""
        self.compactor(max_bytes=1000)
        self.update(10)
        self.time.pump([30, 30])
        self.assertEqual(self.store.compacted_revision, 0)
        self.update()
        self.time.advance(30)
        self.assertEqual(self.store.compacted_revision, 12)

    def test_never(self) -> None:
        """An interval of 0 switches compaction off, as in kube-apiserver."""
        compactor = Compactor(self.store, Clock(self.time), interval=0, max_rows=1)
        compactor.start()
        self.update(5)
        self.time.pump([300] * 3)
        self.assertEqual(self.store.compacted_revision, 0)
        compactor.stop()

    def test_idle(self) -> None:
        """A store in which nothing changes is compacted once."""
        self.compactor()
        self.time.pump([30] * 10)
        self.assertEqual(self.store.compacted_revision, 2)
        self.store.broken = True
        self.time.pump([30] * 20)
        self.assertEqual(self.flushLoggedErrors(), [])

    def test_failing_round(self) -> None:
        """A compaction that fails is logged, and a later one does its work."""
        self.compactor()
        self.store.broken = True
        self.time.pump([30] * 10)
        self.assertEqual(len(self.flushLoggedErrors(StoreFailed)), 1)
        self.store.broken = False
        self.time.advance(30)
        self.assertEqual(self.store.compacted_revision, 2)

    def test_stop(self) -> None:
        """After stop nothing is compacted, and no timer is left; stopping again does nothing."""
        compactor = self.compactor()
        compactor.stop()
        compactor.stop()
        self.time.pump([30] * 20)
        self.assertEqual(self.store.compacted_revision, 0)
        self.assertEqual(self.time.getDelayedCalls(), [])


class SupersededTests(SynchronousTestCase):
    def test_counts(self) -> None:
        """An update leaves a row behind, a deletion that row and its own; a creation none."""
        superseded = Superseded()
        superseded.note([Event(EventType.CREATED, "/a", b"123", 2, None, 0)])
        superseded.note([Event(EventType.UPDATED, "/a", b"1", 3, b"123", 2)])
        superseded.note([Event(EventType.DELETED, "/a", b"1", 4, b"1", 3)])
        self.assertEqual((superseded.rows, superseded.bytes), (3, 4))
        superseded.compacted(3)
        self.assertEqual((superseded.rows, superseded.bytes), (2, 1))
        superseded.compacted(4)
        self.assertEqual((superseded.rows, superseded.bytes), (0, 0))
