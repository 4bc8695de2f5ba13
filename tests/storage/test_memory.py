"""What only the memory store does: answer at once, and fork."""

from __future__ import annotations

from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.interfaces import CompactedError, Create, Delete, Event, Update
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.util.clock import Clock


def started(store: MemoryStore) -> MemoryStore:
    store.start()
    return store


class ForkTests(SynchronousTestCase):
    """``MemoryStore.fork``."""

    def setUp(self) -> None:
        self.time = FakeTime()
        self.origin = started(MemoryStore(Clock(self.time)))
        self.successResultOf(self.origin.transact([Create("/a", b"2"), Create("/b", b"2")]))
        self.successResultOf(self.origin.transact([Update("/a", b"3", 2)]))

    def values(self, store: MemoryStore, revision: int = 0) -> dict[str, bytes]:
        page = self.successResultOf(store.list_entries("/", revision=revision))
        return {entry.key: entry.value for entry in page.entries}

    def test_same(self) -> None:
        """A fork holds the state, the revisions and the past of its origin."""
        fork = started(self.origin.fork())
        self.assertEqual(fork.current_revision, 3)
        self.assertEqual(self.values(fork), {"/a": b"3", "/b": b"2"})
        self.assertEqual(self.values(fork, 2), {"/a": b"2", "/b": b"2"})
        events: list[Event] = []
        self.successResultOf(fork.watch("/", 1, events.extend))
        self.assertEqual([(event.key, event.revision) for event in events], [("/a", 2), ("/b", 2), ("/a", 3)])

    def test_independent(self) -> None:
        """What is written to one is seen neither in the origin nor in another fork."""
        forks = [started(self.origin.fork()) for _ in range(3)]
        for number, store in enumerate([self.origin, *forks]):
            self.successResultOf(store.transact([Create(f"/{number}", b""), Delete("/b", 2)]))
        for number, store in enumerate([self.origin, *forks]):
            self.assertEqual(self.values(store), {"/a": b"3", f"/{number}": b""})
            self.assertEqual(self.values(store, 3), {"/a": b"3", "/b": b"2"})

    def test_watches_stay(self) -> None:
        """The watches of the origin are not those of the fork."""
        events: list[Event] = []
        self.successResultOf(self.origin.watch("/", 3, events.extend))
        fork = started(self.origin.fork())
        self.successResultOf(fork.transact([Create("/c", b"")]))
        self.assertEqual(events, [])

    def test_fork_of_forks(self) -> None:
        """Forks can be forked, many times over."""
        store = self.origin
        for number in range(30):
            store = started(store.fork())
            self.successResultOf(store.transact([Create(f"/n{number:02}", b"")]))
        names = [f"/n{number:02}" for number in range(30)]
        self.assertEqual(sorted(self.values(store)), ["/a", "/b", *names])
        self.assertEqual(sorted(self.values(store, 3)), ["/a", "/b"])
        self.assertEqual(sorted(self.values(self.origin)), ["/a", "/b"])

    def test_compaction_stays(self) -> None:
        """Compacting a fork takes nothing from the origin."""
        fork = started(self.origin.fork())
        self.successResultOf(fork.compact(3))
        self.failureResultOf(fork.list_entries("/", revision=2), CompactedError)
        self.assertEqual(self.values(self.origin, 2), {"/a": b"2", "/b": b"2"})
        self.assertEqual(self.values(fork), {"/a": b"3", "/b": b"2"})

    def test_other_time(self) -> None:
        """A fork can have a clock of its own."""
        self.successResultOf(self.origin.transact([Create("/c", b"", ttl=5)]))
        later = FakeTime()
        later.advance(6)
        fork = started(self.origin.fork(Clock(later)))
        self.assertEqual(self.successResultOf(self.origin.expired(5)), [])
        self.assertEqual(self.successResultOf(fork.expired(5)), [Delete("/c", 4)])
