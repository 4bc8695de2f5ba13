"""What every store does: one suite over the memory and the SQLite backend; ``test_etcd`` runs it over etcd."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from twisted.internet import reactor
from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import TestCase
from zope.interface.verify import verifyObject

from kube_twisted.storage.compaction import ICompactable
from kube_twisted.storage.expiry import IExpiring
from kube_twisted.storage.interfaces import (
    Check,
    CompactedError,
    Create,
    Delete,
    Entry,
    Event,
    EventType,
    FutureRevisionError,
    IStore,
    Page,
    PreconditionFailed,
    StoreClosed,
    Update,
)
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.storage.preconditions import MAX_OPERATIONS
from kube_twisted.storage.sqlite import SqliteStore
from kube_twisted.util.clock import Clock

POD = "/registry/pods/default/"


class StoreContract:
    """The tests; a concrete case says how to make a store."""

    store: Any
    time: FakeTime
    most_operations = MAX_OPERATIONS

    def make_store(self) -> Any:
        """A fresh store over ``self.time``, not started."""
        raise NotImplementedError

    def reopen(self) -> Any:
        """The stopped store, again."""
        raise NotImplementedError

    async def setUp(self) -> None:
        self.time = FakeTime()
        self.store = self.make_store()
        await self.store.start()
        self.addCleanup(lambda: self.store.stop())

    async def create(self, name: str, value: bytes = b"v", ttl: int = 0) -> int:
        return await self.store.transact([Create(POD + name, value, ttl)])

    async def update(self, name: str, value: bytes, revision: int, ttl: int = 0) -> int:
        return await self.store.transact([Update(POD + name, value, revision, ttl)])

    async def delete(self, name: str, revision: int) -> int:
        return await self.store.transact([Delete(POD + name, revision)])

    async def names(self, prefix: str = POD, **options: Any) -> list[str]:
        page = await self.store.list_entries(prefix, **options)
        return [entry.key.removeprefix(POD) for entry in page.entries]

    async def mismatch(self, *operations: Any) -> PreconditionFailed:
        return await self.assertFailure(self.store.transact(operations), PreconditionFailed)

    # Revisions and single keys.

    async def test_fresh_store(self) -> None:
        """A new store is at revision 1, as etcd is, and holds nothing."""
        self.assertEqual(self.store.current_revision, 1)
        self.assertEqual(self.store.compacted_revision, 0)
        self.assertEqual(await self.store.read_revision(), 1)
        self.assertIsNone(await self.store.get(POD + "a"))
        self.assertEqual(await self.store.list_entries("/"), Page([], 1))

    async def test_create(self) -> None:
        """The first write is revision 2; the entry tells when it was created and changed."""
        self.assertEqual(await self.create("a", b"one"), 2)
        self.assertEqual(await self.store.get(POD + "a"), Entry(POD + "a", b"one", 2, 2))
        self.assertEqual(await self.store.read_revision(), 2)

    async def test_create_existing(self) -> None:
        """A key that exists is not created again; the error shows what is there."""
        await self.create("a", b"one")
        error = await self.mismatch(Create(POD + "a", b"two"))
        self.assertEqual(error.index, 0)
        self.assertEqual(error.current, Entry(POD + "a", b"one", 2, 2))
        self.assertEqual(self.store.current_revision, 2)

    async def test_update(self) -> None:
        """An update keeps the revision of the creation."""
        await self.create("a", b"one")
        self.assertEqual(await self.update("a", b"two", 2), 3)
        self.assertEqual(await self.store.get(POD + "a"), Entry(POD + "a", b"two", 3, 2))

    async def test_update_conflict(self) -> None:
        """An update of another revision than the last is refused with what is there."""
        await self.create("a", b"one")
        await self.update("a", b"two", 2)
        error = await self.mismatch(Update(POD + "a", b"three", 2))
        self.assertEqual(error.current, Entry(POD + "a", b"two", 3, 2))

    async def test_update_missing(self) -> None:
        """A key that does not exist is not updated, whatever revision is named."""
        for revision in (0, 1, 7):
            error = await self.mismatch(Update(POD + "a", b"v", revision))
            self.assertIsNone(error.current)

    async def test_delete(self) -> None:
        """A deletion takes a revision of its own; the key can be created again, anew."""
        await self.create("a")
        self.assertEqual(await self.delete("a", 2), 3)
        self.assertIsNone(await self.store.get(POD + "a"))
        self.assertEqual(await self.create("a"), 4)
        self.assertEqual(await self.store.get(POD + "a"), Entry(POD + "a", b"v", 4, 4))

    async def test_delete_conflict(self) -> None:
        """Neither another revision nor a missing key is deleted."""
        await self.create("a")
        self.assertEqual((await self.mismatch(Delete(POD + "a", 1))).current, Entry(POD + "a", b"v", 2, 2))
        self.assertIsNone((await self.mismatch(Delete(POD + "b", 0))).current)
        self.assertEqual(await self.names(), ["a"])

    async def test_empty_value(self) -> None:
        """A value may be empty, which is not the same as no value."""
        await self.create("a", b"")
        self.assertEqual(await self.store.get(POD + "a"), Entry(POD + "a", b"", 2, 2))
        await self.delete("a", 2)
        events: list[Event] = []
        await self.store.watch(POD, 1, events.extend)
        self.assertEqual([event.type for event in events], [EventType.CREATED, EventType.DELETED])

    # Transactions of several operations.

    async def test_all_of_a_transaction(self) -> None:
        """The writes of a transaction share one revision."""
        await self.create("a")
        await self.create("b")
        revision = await self.store.transact(
            [Create(POD + "c", b"c"), Update(POD + "a", b"aa", 2), Delete(POD + "b", 3), Check(POD + "d", 0)])
        self.assertEqual(revision, 4)
        page = await self.store.list_entries(POD)
        self.assertEqual(page.entries, [Entry(POD + "a", b"aa", 4, 2), Entry(POD + "c", b"c", 4, 4)])

    async def test_nothing_of_a_transaction(self) -> None:
        """When one operation does not apply, none is done, and the error names it."""
        await self.create("a")
        error = await self.mismatch(Create(POD + "b", b"b"), Update(POD + "a", b"aa", 9))
        self.assertEqual(error.index, 1)
        self.assertEqual(await self.names(), ["a"])
        self.assertEqual(self.store.current_revision, 2)

    async def test_check(self) -> None:
        """A check guards the writes beside it."""
        await self.create("a")
        self.assertEqual((await self.mismatch(Create(POD + "b", b""), Check(POD + "a", 0))).index, 1)
        self.assertEqual((await self.mismatch(Check(POD + "a", 7))).index, 0)
        self.assertEqual(await self.store.transact([Check(POD + "a", 2), Create(POD + "b", b"")]), 3)

    async def test_checks_alone(self) -> None:
        """A transaction of checks alone writes nothing and answers the current revision."""
        await self.create("a")
        self.assertEqual(await self.store.transact([Check(POD + "a", 2), Check(POD + "b", 0)]), 2)
        self.assertEqual(self.store.current_revision, 2)

    def test_unsound(self) -> None:
        """No operations, too many, two writes of one key, or no text as a key are a mistake of the caller."""
        many = [Create(f"/{number}", b"") for number in range(self.most_operations + 1)]
        for operations in ([], many, [Create("/a", b""), Delete("/a", 1)], [Create("/\udc80", b"")]):
            self.assertRaises(ValueError, self.store.transact, operations)

    async def test_large_transaction(self) -> None:
        """A transaction of the largest size is one revision, and one batch of events."""
        batches: list[Sequence[Event]] = []
        await self.store.watch(POD, 1, batches.append)
        operations = [Create(f"{POD}{number:05}", b"") for number in range(self.most_operations)]
        self.assertEqual(await self.store.transact(operations), 2)
        self.assertEqual([len(batch) for batch in batches], [self.most_operations])
        past: list[Event] = []
        await self.store.watch(POD, 1, past.extend)
        self.assertEqual(past, batches[0])

    # Lists.

    async def test_list_order(self) -> None:
        """Entries come in the order of their keys, not of their writing."""
        for name in ("b", "c", "a"):
            await self.create(name)
        self.assertEqual(await self.names(), ["a", "b", "c"])

    async def test_list_prefix(self) -> None:
        """Only keys below the prefix are listed, with letters of any alphabet."""
        for rest in ("", "/a", "/\u00e9", "/\U0001f600", "0", "a/b"):
            await self.store.transact([Create("/registry/pods" + rest, b"")])
        page = await self.store.list_entries("/registry/pods/")
        self.assertEqual([entry.key[15:] for entry in page.entries], ["a", "\u00e9", "\U0001f600"])
        self.assertEqual(len((await self.store.list_entries("")).entries), 6)

    async def test_pages(self) -> None:
        """A page says whether and how many entries are left; the next begins at a key."""
        for name in "abcde":
            await self.create(name)
        page = await self.store.list_entries(POD, limit=2)
        self.assertEqual((await self.names(limit=2), page.more, page.remaining), (["a", "b"], True, 3))
        page = await self.store.list_entries(POD, limit=2, start=POD + "d")
        self.assertEqual([entry.key[-1] for entry in page.entries], ["d", "e"])
        self.assertEqual((page.more, page.remaining, page.revision), (False, 0, 6))
        self.assertEqual(await self.names(start=POD + "bb"), ["c", "d", "e"])

    async def test_remaining_counts_living(self) -> None:
        """What was deleted or overwritten is not counted among the remaining."""
        for name in "abcd":
            await self.create(name)
        await self.delete("c", 4)
        await self.update("d", b"w", 5)
        page = await self.store.list_entries(POD, limit=1)
        self.assertEqual((page.more, page.remaining), (True, 2))

    async def test_start_outside(self) -> None:
        """A start before the prefix changes nothing; one behind it leaves nothing."""
        await self.create("a")
        self.assertEqual(await self.names(start="/registry/"), ["a"])
        self.assertEqual(await self.names(start="/registry/services/"), [])

    # The past.

    async def test_get_past(self) -> None:
        """A key can be read as of each revision that is kept."""
        await self.create("a", b"one")
        await self.update("a", b"two", 2)
        await self.delete("a", 3)
        found = [await self.store.get(POD + "a", revision) for revision in (1, 2, 3, 4)]
        self.assertEqual(found, [None, Entry(POD + "a", b"one", 2, 2), Entry(POD + "a", b"two", 3, 2), None])

    async def test_list_past(self) -> None:
        """A list shows one revision, also a past one, with what was deleted since."""
        for name in "abc":
            await self.create(name)
        await self.delete("a", 2)
        await self.update("b", b"w", 3)
        page = await self.store.list_entries(POD, limit=1, revision=4)
        self.assertEqual(page, Page([Entry(POD + "a", b"v", 2, 2)], 4, True, 2))
        page = await self.store.list_entries(POD, start=POD + "b", revision=4)
        self.assertEqual([entry.value for entry in page.entries], [b"v", b"v"])
        self.assertEqual(await self.names(revision=3), ["a", "b"])

    async def test_future(self) -> None:
        """A revision that is not written yet can't be read or compacted."""
        await self.create("a")
        for asked in (self.store.get(POD + "a", 3), self.store.list_entries(POD, revision=3),
                      self.store.compact(3)):
            error = await self.assertFailure(asked, FutureRevisionError)
            self.assertEqual((error.asked, error.current), (3, 2))

    # Watching.

    async def test_live_events(self) -> None:
        """Changes arrive as they are committed, with the value before."""
        events: list[Event] = []
        await self.store.watch(POD, 1, events.extend)
        await self.create("a", b"one")
        await self.update("a", b"two", 2)
        await self.delete("a", 3)
        key = POD + "a"
        self.assertEqual(events, [
            Event(EventType.CREATED, key, b"one", 2, None, 0),
            Event(EventType.UPDATED, key, b"two", 3, b"one", 2),
            Event(EventType.DELETED, key, b"two", 4, b"two", 3)])

    async def test_past_events(self) -> None:
        """A watch from the past sees the very events that a live one saw."""
        live: list[Event] = []
        await self.store.watch(POD, 1, live.extend)
        await self.create("a", b"one")
        await self.store.transact([Create(POD + "b", b"b"), Update(POD + "a", b"two", 2)])
        await self.delete("a", 3)
        await self.create("a", b"three")
        for after in range(1, 6):
            past: list[Event] = []
            await self.store.watch(POD, after, past.extend)
            self.assertEqual(past, [event for event in live if event.revision > after])

    async def test_events_before_answer(self) -> None:
        """When a write is acknowledged, its event was delivered and the current revision is it."""
        order: list[tuple[str, int]] = []
        await self.store.watch(POD, 1, lambda _: order.append(("event", self.store.current_revision)))
        order.append(("answer", await self.create("a")))
        self.assertEqual(order, [("event", 2), ("answer", 2)])

    async def test_whole_revisions(self) -> None:
        """A consumer gets all events of a revision in one call, in the order of the operations."""
        batches: list[list[str]] = []

        def consume(events: Sequence[Event]) -> None:
            batches.append([event.key[-1] for event in events])

        await self.store.watch(POD, 1, consume)
        await self.store.transact([Create(POD + name, b"") for name in "cab"])
        await self.store.watch(POD, 1, consume)
        self.assertEqual(batches, [["c", "a", "b"], ["c", "a", "b"]])

    async def test_prefixes(self) -> None:
        """Each watch gets what is below its prefix, whether that ends with a slash or not."""
        seen: dict[str, list[str]] = {}

        def consume(prefix: str, events: Sequence[Event]) -> None:
            seen.setdefault(prefix, []).extend(event.key for event in events)

        for prefix in ("", "/registry/pods/", "/registry/po", "/registry/pods/a/x", "/registry/pods/a/"):
            await self.store.watch(prefix, 1, partial(consume, prefix))
        for key in ("/registry/pods/a/x", "/registry/pods/b/x", "/registry/pots/", "/r"):
            await self.store.transact([Create(key, b"")])
        self.assertEqual(seen, {
            "": ["/registry/pods/a/x", "/registry/pods/b/x", "/registry/pots/", "/r"],
            "/registry/pods/": ["/registry/pods/a/x", "/registry/pods/b/x"],
            "/registry/po": ["/registry/pods/a/x", "/registry/pods/b/x", "/registry/pots/"],
            "/registry/pods/a/x": ["/registry/pods/a/x"],
            "/registry/pods/a/": ["/registry/pods/a/x"]})

    async def test_no_gap_no_duplicate(self) -> None:
        """Watches that begin while writes are under way see each event once, in order."""
        seen: list[list[int]] = []
        pending: list[Deferred[Any]] = []
        for number in range(60):
            pending.append(self.store.transact([Create(f"{POD}{number}", b"v")]))
            if number % 10 == 5:
                revisions: list[int] = []
                seen.append(revisions)
                pending.append(self.store.watch(
                    POD, 1, lambda events, revisions=revisions: revisions.extend(e.revision for e in events)))
                await pending[number // 2]
        await gatherResults(pending)
        self.assertEqual(seen, [list(range(2, 62))] * 6)

    async def test_watch_from_future(self) -> None:
        """A watch after a revision that is not reached yet begins behind it."""
        events: list[Event] = []
        await self.store.watch(POD, 3, events.extend)
        for name in "abc":
            await self.create(name)
        self.assertEqual([event.revision for event in events], [4])

    async def test_stop_watching(self) -> None:
        """After stop nothing is delivered, also when it is called while events are."""
        first: list[Event] = []
        second: list[Event] = []
        subscription = await self.store.watch(POD, 1, first.extend)
        other = await self.store.watch(POD, 1, lambda events: (second.extend(events), other.stop()))
        await self.create("a")
        subscription.stop()
        subscription.stop()
        await self.create("b")
        self.assertEqual([[event.revision for event in seen] for seen in (first, second)], [[2], [2]])

    async def test_failing_consumer(self) -> None:
        """A consumer that raises is logged, and keeps neither the others nor the writer from their own."""
        events: list[Event] = []
        await self.store.watch(POD, 1, lambda events: 1 / 0)
        await self.store.watch(POD, 1, events.extend)
        self.assertEqual(await self.create("a"), 2)
        self.assertEqual(len(events), 1)
        self.assertEqual(len(self.flushLoggedErrors(ZeroDivisionError)), 1)

    async def test_write_from_consumer(self) -> None:
        """What a consumer writes comes after the events under way, for everybody."""
        seen: list[list[int]] = [[], []]
        answers: list[Deferred[int]] = []

        def first(events: Sequence[Event]) -> None:
            seen[0].extend(event.revision for event in events)
            if seen[0][-1] < 4:
                answers.append(self.store.transact([Create(f"{POD}{seen[0][-1]}", b"")]))

        await self.store.watch(POD, 1, first)
        await self.store.watch(POD, 1, lambda events: seen[1].extend(event.revision for event in events))
        await self.create("a")
        self.assertEqual([await answers[0], await answers[1]], [3, 4])
        self.assertEqual(seen, [[2, 3, 4], [2, 3, 4]])

    # Compaction.

    async def compacted(self) -> None:
        """Revisions 2 to 7, compacted to 5: a updated, b deleted, c untouched, then a and d changed."""
        await self.create("a", b"a2")
        await self.create("b", b"b3")
        await self.update("a", b"a4", 2)
        await self.delete("b", 3)
        await self.create("c", b"c6")
        await self.update("a", b"a7", 4)
        await self.store.compact(5)

    async def test_compact(self) -> None:
        """What was overwritten before the revision is gone; what it showed, and later, is kept."""
        await self.compacted()
        self.assertEqual(self.store.compacted_revision, 5)
        self.assertEqual(self.store.current_revision, 7)
        values = [(await self.store.get(POD + "a", revision)).value for revision in (5, 6, 7, 0)]
        self.assertEqual(values, [b"a4", b"a4", b"a7", b"a7"])
        self.assertEqual([await self.names(revision=revision) for revision in (5, 6)], [["a"], ["a", "c"]])

    async def test_compacted_reads(self) -> None:
        """Reads and watches from before the compacted revision fail and say what is still there."""
        await self.compacted()
        nobody: list[Event] = []
        for asked in (self.store.get(POD + "a", 4), self.store.list_entries(POD, revision=4),
                      self.store.watch(POD, 4, nobody.extend)):
            error = await self.assertFailure(asked, CompactedError)
            self.assertEqual((error.compacted, error.current), (5, 7))
        await self.create("e")
        self.assertEqual(nobody, [])

    async def test_watch_from_compacted(self) -> None:
        """A watch after the compacted revision itself sees all, with the values before."""
        await self.compacted()
        events: list[Event] = []
        await self.store.watch(POD, 5, events.extend)
        self.assertEqual(events, [Event(EventType.CREATED, POD + "c", b"c6", 6, None, 0),
                                  Event(EventType.UPDATED, POD + "a", b"a7", 7, b"a4", 4)])

    async def test_compact_again(self) -> None:
        """Compacting to where it was done, or less far, changes nothing."""
        await self.compacted()
        await self.store.compact(3)
        await self.store.compact(5)
        self.assertEqual(self.store.compacted_revision, 5)
        await self.store.compact(7)
        self.assertEqual(await self.names(revision=7), ["a", "c"])

    async def test_write_after_compaction(self) -> None:
        """Keys are created, updated and deleted as before."""
        await self.compacted()
        await self.store.compact(7)
        self.assertEqual(await self.create("b"), 8)
        self.assertEqual(await self.update("a", b"a9", 7), 9)
        self.assertEqual(await self.delete("c", 6), 10)
        self.assertEqual(await self.names(), ["a", "b"])

    # The end.

    async def test_closed(self) -> None:
        """After stop, and before start, every call fails."""
        await self.store.stop()
        for store in (self.store, self.make_store()):
            for asked in (store.get("/a"), store.list_entries("/"), store.transact([Create("/a", b"")]),
                          store.watch("/", 1, print), store.compact(1), store.read_revision()):
                await self.assertFailure(asked, StoreClosed)

    async def test_stop_twice(self) -> None:
        """A second stop does nothing."""
        await self.store.stop()
        await self.store.stop()
        self.assertEqual(self.store.current_revision, 1)

    async def test_stop_finishes_writes(self) -> None:
        """Writes that were asked for before the stop are done, and their events delivered."""
        events: list[Event] = []
        await self.store.watch(POD, 1, events.extend)
        pending = [self.store.transact([Create(f"{POD}{number}", b"")]) for number in range(20)]
        await self.store.stop()
        self.assertEqual(sorted(self.successResultOf(one) for one in pending), list(range(2, 22)))
        self.assertEqual(len(events), 20)

    async def test_history_survives(self) -> None:
        """Opened again, the store goes on: entries, history, compaction and revisions."""
        await self.compacted()
        await self.create("d")
        await self.store.stop()
        self.store = self.reopen()
        await self.store.start()
        self.assertEqual((self.store.current_revision, self.store.compacted_revision), (8, 5))
        self.assertEqual(await self.names(), ["a", "c", "d"])
        self.assertEqual((await self.store.get(POD + "a", 6)).value, b"a4")
        await self.assertFailure(self.store.get(POD + "a", 4), CompactedError)
        self.assertEqual(await self.update("a", b"a9", 7), 9)


class LocalStoreContract(StoreContract):
    """What stores do that have a process for themselves, besides: they keep an order, count, and tell what is due."""

    def test_interfaces(self) -> None:
        """It provides what it promises."""
        for interface in (IStore, ICompactable, IExpiring):
            self.assertTrue(verifyObject(interface, self.store))

    async def test_waiting_together(self) -> None:
        """Transactions asked for at once are done in that order, each against what the one before left."""
        first, second, third, fourth = [
            self.store.transact([Create(POD + "a", b"1")]), self.store.transact([Create(POD + "a", b"2")]),
            self.store.transact([Update(POD + "a", b"3", 2)]), self.store.transact([Delete(POD + "a", 3)])]
        self.assertEqual(await first, 2)
        error = await self.assertFailure(second, PreconditionFailed)
        self.assertEqual(error.current, Entry(POD + "a", b"1", 2, 2))
        self.assertEqual([await third, await fourth], [3, 4])

    async def test_superseded(self) -> None:
        """The store counts what a compaction could free."""
        await self.create("a", b"12345")
        await self.update("a", b"123", 2)
        self.assertEqual((self.store.superseded.rows, self.store.superseded.bytes), (1, 5))
        await self.delete("a", 3)
        self.assertEqual((self.store.superseded.rows, self.store.superseded.bytes), (3, 8))
        await self.store.compact(self.store.current_revision)
        self.assertEqual((self.store.superseded.rows, self.store.superseded.bytes), (0, 0))

    async def test_counted_closed(self) -> None:
        """After stop it does not tell what is due."""
        await self.store.stop()
        await self.assertFailure(self.store.expired(1), StoreClosed)

    async def test_expired(self) -> None:
        """Keys are due when their time is over, the longest overdue first; nothing is deleted by itself."""
        await self.create("a", ttl=20)
        await self.create("b", ttl=10)
        await self.create("c")
        self.time.advance(9.5)
        self.assertEqual(list(await self.store.expired(10)), [])
        self.time.advance(10.5)
        self.assertEqual(list(await self.store.expired(10)), [Delete(POD + "b", 3), Delete(POD + "a", 2)])
        self.assertEqual(list(await self.store.expired(1)), [Delete(POD + "b", 3)])
        self.assertEqual(await self.names(), ["a", "b", "c"])

    async def test_update_renews(self) -> None:
        """An update sets the time to live anew, or takes it away."""
        await self.create("a", ttl=10)
        await self.create("b", ttl=10)
        await self.create("c", ttl=10)
        await self.update("a", b"w", 2, ttl=100)
        await self.update("b", b"w", 3)
        await self.delete("c", 4)
        self.time.advance(50)
        self.assertEqual(list(await self.store.expired(10)), [])
        self.time.advance(50)
        self.assertEqual(list(await self.store.expired(10)), [Delete(POD + "a", 5)])

    async def test_leases_survive(self) -> None:
        """Opened again, the store knows when keys are due."""
        await self.create("d", ttl=5)
        await self.store.stop()
        self.store = self.reopen()
        await self.store.start()
        self.time.advance(6)
        self.assertEqual(list(await self.store.expired(9)), [Delete(POD + "d", 2)])


class MemoryStoreTests(LocalStoreContract, TestCase):
    """The memory backend."""

    def make_store(self) -> MemoryStore:
        return MemoryStore(Clock(self.time))

    def reopen(self) -> MemoryStore:
        return self.store.fork()


class SqliteStoreTests(LocalStoreContract, TestCase):
    """The SQLite backend, on real files and the real reactor's threads."""

    path = ""

    def make_store(self) -> SqliteStore:
        self.path = os.path.join(self.mktemp(), "state.db")
        return self.reopen()

    def reopen(self) -> SqliteStore:
        return SqliteStore(self.path, reactor, Clock(self.time))
