"""The watch cache of one resource, over a store in memory."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeVar

from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import (
    CompactedError,
    Create,
    Delete,
    FutureRevisionError,
    Operation,
    StoreUnusable,
    Update,
)
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watch_cache import WatchCache
from kube_twisted.storage.watcher import Watcher, WatchEvent
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from tests.storage.objects import ENCODING, stored

T = TypeVar("T")
PREFIX = "/configmaps/"


def key(name: str, namespace: str = "ns") -> str:
    return f"{PREFIX}{namespace}/{name}"


class CacheTestCase(SynchronousTestCase):
    """Has a store and a started cache with a small window."""

    window = 3

    def setUp(self) -> None:
        self.store = MemoryStore(Clock(FakeTime()))
        self.store.start()
        self.cache = self.new_cache()

    def new_cache(self, namespaced: bool = True) -> WatchCache:
        cache = WatchCache(self.store, PREFIX, namespaced, ENCODING, self.window)
        self.wait(cache.start())
        self.addCleanup(cache.stop)
        return cache

    def wait(self, work: Awaitable[T]) -> T:
        return self.successResultOf(to_deferred(work))

    def write(self, *operations: Operation) -> int:
        return self.wait(self.store.transact(operations))

    def create(self, name: str, namespace: str = "ns", **content: Any) -> int:
        return self.write(Create(key(name, namespace), stored(name, **content)))

    def update(self, name: str, revision: int, **content: Any) -> int:
        return self.write(Update(key(name), stored(name, **content), revision))

    def names(self, selection: Selection | None = None, start: str = "", limit: int = 0) -> list[str]:
        return [item.name for item in self.cache.select(selection or Selection(), start, limit)[0]]


class FollowingTests(CacheTestCase):
    """The cache is filled once and then follows the store."""

    def test_filled(self) -> None:
        """A new cache holds what was stored before, with its revisions, and knows the newest revision."""
        self.create("b")
        revision = self.create("a")
        cache = self.new_cache()
        self.assertEqual([(item.key, item.revision) for item in cache.select(Selection())[0]],
                         [(key("a"), revision), (key("b"), revision - 1)])
        self.assertEqual((len(cache), cache.changed), (2, revision))

    def test_damaged(self) -> None:
        """A cache is not filled from a store that holds something else; the error names the key."""
        self.cache.stop()
        self.create("a")
        self.write(Create(key("b"), b""))
        cache = WatchCache(self.store, PREFIX, True, ENCODING)
        error = self.failureResultOf(to_deferred(cache.start()), StoreUnusable).value
        self.assertRegex(str(error), "^the store is damaged: /configmaps/ns/b is no ConfigMap: [^\n]*$")

    def test_order(self) -> None:
        """Objects are in key order, in whatever order they come and go."""
        for name in ("m", "z", "a", "q"):
            self.create(name)
        self.write(Delete(key("m"), self.cache.get(key("m")).revision))
        self.create("n")
        self.assertEqual(self.names(), ["a", "n", "q", "z"])
        self.assertIsNone(self.cache.get(key("m")))

    def test_update(self) -> None:
        """A changed object takes the place of the one before."""
        first = self.create("a", data=1)
        second = self.update("a", first, data=2)
        item = self.cache.get(key("a"))
        self.assertEqual((item.revision, item.parse()["data"]), (second, 2))
        self.assertEqual(len(self.cache), 1)

    def test_other_resources(self) -> None:
        """The revision goes on with the whole store; what has changed here does not."""
        here = self.create("a")
        elsewhere = self.write(Create("/secrets/ns/x", b"{}"))
        self.assertEqual((self.cache.changed, self.cache.revision), (here, elsewhere))
        self.assertEqual(self.wait(self.cache.read_revision()), elsewhere)


class _Log:
    """Frames as text."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def frame(self, type_: str, item: CachedObject) -> bytes:
        return f"{type_} {item.namespace}/{item.name} {item.revision}".encode()

    def write(self, frame: bytes) -> None:
        self.lines.append(frame.decode())

    def ended(self) -> None:
        self.lines.append("ended")


class WatcherTests(CacheTestCase):
    """Who hears of a change."""

    def watcher(self, selection: Selection) -> tuple[Watcher, list[str]]:
        log = _Log()
        watcher = Watcher(selection, log, log, self.cache.remove)
        self.cache.add(watcher)
        return watcher, log.lines

    def test_scopes(self) -> None:
        """Watchers of all namespaces see every change, those of one namespace its own."""
        _, everywhere = self.watcher(Selection())
        _, here = self.watcher(Selection("ns"))
        self.create("a")
        self.create("a", "other")
        self.write(Delete(key("a"), 2))
        self.assertEqual(everywhere, ["ADDED ns/a 2", "ADDED other/a 3", "DELETED ns/a 4"])
        self.assertEqual(here, ["ADDED ns/a 2", "DELETED ns/a 4"])

    def test_stopped(self) -> None:
        """A stopped cache ends its watchers, and follows no more."""
        _, log = self.watcher(Selection())
        self.cache.stop()
        self.create("a")
        self.assertEqual((log, self.names()), (["ended"], []))

    def test_removed(self) -> None:
        """A watcher that has ended is forgotten, and hears nothing."""
        watcher, log = self.watcher(Selection("ns"))
        watcher.end()
        self.create("a")
        self.assertEqual(log, ["ended"])
        self.cache.remove(watcher)  # again is without effect

    def test_end_during_delivery(self) -> None:
        """A watcher may end while changes are delivered; the others still get them."""
        logs = [self.watcher(Selection()) for _ in range(3)]
        for watcher, lines in logs:
            def write(frame: bytes, watcher: Watcher = watcher, lines: list[str] = lines) -> None:
                lines.append(frame.decode())
                watcher.end()

            watcher._sink.write = write  # type: ignore[method-assign]
        self.create("a")
        self.create("b")
        self.assertEqual([lines for _, lines in logs], [["ADDED ns/a 2", "ended"]] * 3)


class SelectTests(CacheTestCase):
    """Reading the current objects."""

    def setUp(self) -> None:
        super().setUp()
        for namespace in ("m", "ns", "nt"):
            for name in ("a", "b", "c"):
                labels = {"odd": "yes"} if name != "b" else None
                self.create(name, namespace, labels=labels)
        self.odd = Selection(labels=lambda labels: "odd" in labels)

    def test_namespace(self) -> None:
        """A namespace is a range of keys; one whose name begins alike is not in it."""
        self.create("x", "ns-2")
        items, more, left = self.cache.select(Selection("ns"))
        self.assertEqual([item.key for item in items], [key("a"), key("b"), key("c")])
        self.assertEqual((more, left), (False, 0))

    def test_name(self) -> None:
        """One object by its name, in one namespace or in all."""
        self.assertEqual(self.names(Selection("ns", "b")), ["b"])
        self.assertEqual(self.names(Selection("ns", "d")), [])
        self.assertEqual(self.names(Selection(name="b")), ["b"] * 3)

    def test_cluster_scoped(self) -> None:
        """Objects without a namespace are found by name alone."""
        store = MemoryStore(Clock(FakeTime()))
        store.start()
        cache = WatchCache(store, PREFIX, False, ENCODING)
        self.wait(cache.start())
        self.wait(store.transact([Create(PREFIX + "a", stored("a"))]))
        self.assertEqual([item.name for item in cache.select(Selection(name="a"))[0]], ["a"])
        self.assertEqual((cache.key("", "a"), cache.split(PREFIX + "a")), (PREFIX + "a", ("", "a")))

    def test_chunks(self) -> None:
        """A chunk tells whether entries follow, and how many; the next goes on after it."""
        items, more, left = self.cache.select(Selection(), "", 4)
        self.assertEqual(([item.key for item in items][-1], more, left), (key("a"), True, 5))
        items, more, left = self.cache.select(Selection(), items[-1].key + "\0", 5)
        self.assertEqual((len(items), more, left), (5, False, 0))

    def test_chunks_of_a_selection(self) -> None:
        """With a selector, a chunk is full of matching objects; what follows need not match."""
        items, more, _ = self.cache.select(self.odd, "", 5)
        self.assertEqual(([item.name for item in items], more), (["a", "c", "a", "c", "a"], True))
        items, more, _ = self.cache.select(self.odd, items[-1].key + "\0", 5)
        self.assertEqual(([item.name for item in items], more), (["c"], False))
        even = Selection("ns", labels=lambda labels: "odd" not in labels)
        items, more, left = self.cache.select(even, "", 1)
        self.assertEqual(([item.name for item in items], more, left), (["b"], True, 1))
        self.assertEqual(self.cache.select(even, items[-1].key + "\0", 1), ([], False, 0))

    def test_start_in_a_namespace(self) -> None:
        """A start before the namespace is its beginning, one inside goes on from there."""
        self.assertEqual(self.names(Selection("ns"), key("b", "m")), ["a", "b", "c"])
        self.assertEqual(self.names(Selection("ns"), key("b")), ["b", "c"])
        self.assertEqual(self.names(Selection("ns"), key("a", "nt")), [])
        self.assertEqual(self.names(Selection("ns", "a"), key("b")), [])


class PastTests(CacheTestCase):
    """Changes and states of the past, from the window or from the store's log."""

    def setUp(self) -> None:
        super().setUp()
        self.first = self.create("a", data=0)
        for data in range(1, 6):
            self.update("a", self.cache.changed, data=data)

    def after(self, revision: int) -> list[tuple[int, Any]]:
        return [(event.revision, event.item.parse()["data"]) for event in self.wait(self.cache.events_after(revision))]

    def test_from_the_window(self) -> None:
        """The newest changes are in the window; after the newest there is nothing."""
        newest = self.cache.changed
        self.compact(newest - 2)
        self.assertEqual(self.after(newest - 2), [(newest - 1, 4), (newest, 5)])
        self.assertEqual(self.after(newest), [])
        self.assertEqual(self.after(newest + 5), [])

    def test_edge_of_the_window(self) -> None:
        """All of the window can be had without the log."""
        newest = self.cache.changed
        self.compact(newest)
        self.assertEqual([revision for revision, _ in self.after(newest - 3)], [newest - 2, newest - 1, newest])

    def test_from_the_log(self) -> None:
        """Older changes come from the log, each once, with what was there before."""
        events: list[WatchEvent] = self.wait(self.cache.events_after(self.first - 1))
        self.assertEqual([event.item.parse()["data"] for event in events], [0, 1, 2, 3, 4, 5])
        self.assertEqual([event.old.parse()["data"] if event.old else None for event in events],
                         [None, 0, 1, 2, 3, 4])
        self.assertEqual([event.old.revision for event in events[1:]], [event.revision for event in events[:-1]])

    def test_deletion_from_the_log(self) -> None:
        """A past deletion shows the last state at the deletion's revision."""
        revision = self.write(Delete(key("a"), self.cache.changed))
        for name in ("x", "y", "z"):
            self.create(name)
        event = self.wait(self.cache.events_after(revision - 1))[0]
        self.assertEqual((event.deleted, event.item.parse()["data"], event.item.revision), (True, 5, revision))

    def test_compacted(self) -> None:
        """What is neither in the window nor in the log is gone."""
        self.compact(self.cache.changed)
        failure = self.failureResultOf(to_deferred(self.cache.events_after(self.first)), CompactedError)
        self.assertEqual(failure.value.compacted, self.cache.changed)

    def compact(self, revision: int) -> None:
        self.wait(self.store.compact(revision))

    # -- states ---------------------------------------------------------------------------------------------------

    def test_state_at(self) -> None:
        """The objects as of a past revision, as of now, and as of a revision since when nothing has changed here."""
        for revision, data in ((self.first, 0), (self.first + 2, 2), (self.cache.changed, 5)):
            items, _, _ = self.wait(self.cache.list_at(revision, Selection()))
            self.assertEqual([item.parse()["data"] for item in items], [data])
        later = self.write(Create("/secrets/ns/x", b"{}"))
        self.compact(later)
        self.assertEqual(len(self.wait(self.cache.list_at(later, Selection()))[0]), 1)

    def test_chunk_at(self) -> None:
        """A chunk of a past state tells whether more match, and how many entries follow."""
        for name in ("b", "c", "d"):
            self.create(name, labels={"x": "y"})
        revision = self.cache.changed
        self.create("e")
        items, more, left = self.wait(self.cache.list_at(revision, Selection("ns"), key("b"), 2))
        self.assertEqual(([item.name for item in items], more, left), (["b", "c"], True, 1))
        selection = Selection(labels=lambda labels: "x" in labels)
        items, more, _ = self.wait(self.cache.list_at(revision, selection, "", 3))
        self.assertEqual(([item.name for item in items], more), (["b", "c", "d"], False))

    def test_state_in_the_future(self) -> None:
        """A revision that is not there yet can't be shown."""
        self.failureResultOf(to_deferred(self.cache.list_at(self.cache.revision + 1, Selection())),
                             FutureRevisionError)

    def test_state_that_is_gone(self) -> None:
        """Nor can one that has been compacted."""
        self.compact(self.cache.changed)
        self.failureResultOf(to_deferred(self.cache.list_at(self.first, Selection())), CompactedError)
