"""What only the SQLite store does: group commit, full disks, restarts, sweeping in pieces."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import Any

from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase, TestCase

from kube_twisted.storage import sqlite_surplus
from kube_twisted.storage.interfaces import (
    Create,
    Delete,
    Entry,
    Event,
    EventType,
    Operation,
    PreconditionFailed,
    StoreFailed,
    Update,
)
from kube_twisted.storage.sqlite import SqliteStore
from kube_twisted.storage.sqlite_file import StoreFile
from kube_twisted.storage.sqlite_ledger import Ledger
from kube_twisted.storage.sqlite_plan import Transaction
from kube_twisted.storage.sqlite_queries import EVENTS_AT_ONCE
from kube_twisted.storage.sqlite_schema import SCHEMA, row_id
from kube_twisted.storage.sqlite_surplus import KEPT_PAGES, KEPT_SHARE
from kube_twisted.storage.sqlite_surplus import PIECE as PAGES_AT_ONCE
from kube_twisted.storage.sqlite_sweep import PIECE, Sweep
from kube_twisted.util.clock import Clock


class OpenFile:
    """A store's file, with no threads around it."""

    connection: sqlite3.Connection
    path: str
    mktemp: Any
    addCleanup: Any

    def setUp(self) -> None:
        self.path = os.path.join(self.mktemp(), "state.db")
        file = StoreFile(self.path)
        self.connection = file.open()
        self.addCleanup(file.close)
        self.addCleanup(self.connection.close)

    def write(self, ledger: Ledger, *transactions: Operation) -> list[int | Exception]:
        """A batch of transactions of one operation each; their outcomes."""
        batch = [Transaction([operation], 0.0, Deferred()) for operation in transactions]
        return [outcome for _, outcome in ledger.commit(batch).outcomes]

    def rows(self) -> list[tuple[Any, ...]]:
        """All of the log, as its view for people shows it."""
        query = "SELECT revision, key, previous, deleted, value FROM revisions ORDER BY revision"
        return self.connection.execute(query).fetchall()


class LedgerTests(OpenFile, SynchronousTestCase):
    """Batches."""

    def test_one_statement(self) -> None:
        """A batch of new keys costs one statement, and therefore one sync."""
        ledger = Ledger(self.connection)
        statements: list[str] = []
        self.connection.set_trace_callback(statements.append)
        outcomes = self.write(ledger, *[Create(f"/{number}", b"v") for number in range(100)])
        self.connection.set_trace_callback(None)
        self.assertEqual(outcomes, list(range(2, 102)))
        self.assertEqual([statement.split()[0] for statement in statements], ["INSERT"])

    def test_within_a_batch(self) -> None:
        """Each transaction meets what the ones before it left, also in the same batch."""
        ledger = Ledger(self.connection)
        outcomes = self.write(ledger, Create("/a", b"1"), Update("/a", b"2", 2), Create("/a", b"x"),
                              Delete("/a", 3), Create("/a", b"3"))
        self.assertEqual([outcome for outcome in outcomes if isinstance(outcome, int)], [2, 3, 4, 5])
        refused = outcomes[2]
        assert isinstance(refused, PreconditionFailed) and refused.current is not None
        self.assertEqual(refused.current, Entry("/a", b"2", 3, 2))

    def test_values_once(self) -> None:
        """A value is stored once: neither beside the next one, nor in the row that deletes it."""
        ledger = Ledger(self.connection)
        self.write(ledger, Create("/a", b"1"), Update("/a", b"2", 2), Delete("/a", 3))
        self.assertEqual(self.rows(), [(2, "/a", 0, 0, b"1"), (3, "/a", 2, 0, b"2"), (4, "/a", 3, 1, None)])

    def test_failed_batch(self) -> None:
        """A batch that cannot be written leaves nothing: neither rows, nor revisions, nor keys."""
        ledger = Ledger(self.connection)
        self.write(ledger, Create("/a", b"1"))
        self.connection.execute("PRAGMA query_only = ON")
        outcomes = self.write(ledger, Create("/b", b""), Update("/a", b"", 2), Delete("/a", 3),
                              Create("/a", b""))
        self.assertEqual({type(outcome) for outcome in outcomes}, {StoreFailed})
        self.connection.execute("PRAGMA query_only = OFF")
        self.assertEqual(self.write(ledger, Create("/b", b""), Update("/a", b"2", 2)), [3, 4])

    def test_counts_superseded(self) -> None:
        """Opened again, it knows how many rows a compaction could take away."""
        self.write(Ledger(self.connection), Create("/a", b"1"), Update("/a", b"2", 2), Create("/b", b""),
                   Delete("/b", 4))
        self.assertEqual(Ledger(self.connection).superseded, 3)


class SweepTests(OpenFile, SynchronousTestCase):
    """Removing what is compacted."""

    def test_pieces(self) -> None:
        """Each step looks at some rows; a sweep that was interrupted goes on where it was."""
        ledger = Ledger(self.connection)
        updates = [Update("/a", b"%d" % revision, revision) for revision in range(2, 3 * PIECE)]
        self.write(ledger, Create("/a", b""), *updates)
        sweep = Sweep(self.connection)
        sweep.begin(ledger.revision)
        sweep.step()
        self.assertEqual(len(self.rows()), 3 * PIECE - 1 - (PIECE - 1))
        again = Sweep(self.connection)
        self.assertEqual(again.compacted, ledger.revision)
        steps = 0
        while again.pending:
            again.step()
            steps += 1
        self.assertEqual(steps, 2)
        self.assertEqual([row[0] for row in self.rows()], [ledger.revision])

    def test_keeps_what_is_seen(self) -> None:
        """What a reader of the compacted revision, or a watcher after it, needs is kept."""
        ledger = Ledger(self.connection)
        self.write(ledger, Create("/a", b"2"), Update("/a", b"3", 2), Create("/b", b"4"), Delete("/b", 4),
                   Update("/a", b"6", 3), Create("/b", b"7"))
        sweep = Sweep(self.connection)
        sweep.begin(5)
        while sweep.pending:
            sweep.step()
        self.assertEqual(self.rows(), [(3, "/a", 2, 0, b"3"), (6, "/a", 3, 0, b"6"), (7, "/b", 0, 0, b"7")])

    def test_revisions_rise(self) -> None:
        """When compaction took the newest rows, the next opening still knows the revision."""
        ledger = Ledger(self.connection)
        self.write(ledger, Create("/a", b""), Delete("/a", 2))
        sweep = Sweep(self.connection)
        sweep.begin(3)
        sweep.step()
        self.assertEqual(self.rows(), [])
        self.assertEqual(Ledger(self.connection).revision, 3)


class SurplusTests(OpenFile, SynchronousTestCase):
    """Giving room back."""

    def fill_and_empty(self) -> tuple[Ledger, Sweep]:
        """Some megabytes of objects, all but a few deleted again, and a sweep that is about to remove them."""
        ledger = Ledger(self.connection)
        self.write(ledger, *[Create(f"/{number}", b"%4d" % number * 1000) for number in range(2000)])
        self.write(ledger, *[Delete(f"/{number}", number + 2) for number in range(2000) if number % 100])
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        sweep = Sweep(self.connection)
        sweep.begin(ledger.revision)
        return ledger, sweep

    def number(self, pragma: str) -> int:
        return int(self.connection.execute(f"PRAGMA {pragma}").fetchone()[0])

    def test_shrinks(self) -> None:
        """Once the rows are removed, the file itself becomes shorter; some room stays for what comes next."""
        _, sweep = self.fill_and_empty()
        before = os.path.getsize(self.path)
        while sweep.pending:
            sweep.step()
        self.assertLess(os.path.getsize(self.path), before // 2)
        self.assertEqual(self.number("freelist_count"), KEPT_PAGES)
        self.assertEqual(self.connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        self.assertEqual(self.connection.execute("SELECT count(*) FROM log").fetchone(), (20,))

    def test_share_kept(self) -> None:
        """A large file keeps a quarter of itself free."""
        self.patch(sqlite_surplus, "KEPT_PAGES", 1)
        _, sweep = self.fill_and_empty()
        while sweep.pending:
            sweep.step()
        self.assertEqual(self.number("freelist_count"), self.number("page_count") // KEPT_SHARE)

    def test_pieces(self) -> None:
        """Each step gives a few pages back; what was interrupted goes on at the next opening."""
        _, sweep = self.fill_and_empty()
        for _ in range(4000 // PIECE):
            sweep.step()
        while sweep.pending:
            pages = self.number("page_count")
            sweep.step()
            self.assertLessEqual(pages - self.number("page_count"), PAGES_AT_ONCE + 1)
            sweep = Sweep(self.connection)
        self.assertEqual(self.number("freelist_count"), KEPT_PAGES)

    def test_room_used(self) -> None:
        """Writes between the steps lose nothing."""
        ledger, sweep = self.fill_and_empty()
        written = 0
        while sweep.pending:
            sweep.step()
            self.write(ledger, Create(f"/new/{written}", b"%4d" % written * 4000))
            written += 1
        found = self.connection.execute("SELECT value FROM log WHERE key LIKE '/new/%' ORDER BY id").fetchall()
        self.assertEqual(found, [(b"%4d" % number * 4000,) for number in range(written)])
        self.assertEqual(self.connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])

    def test_made_before(self) -> None:
        """A file that cannot be made shorter in pieces is compacted, and stays as long as it is."""
        self.connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        self.connection.execute("PRAGMA auto_vacuum = NONE")
        self.connection.execute("VACUUM")
        self.connection.execute("PRAGMA journal_mode = WAL").fetchall()
        self.assertEqual(self.number("auto_vacuum"), 0)
        ledger, sweep = self.fill_and_empty()
        before = os.path.getsize(self.path)
        while sweep.pending:
            sweep.step()
        self.assertEqual(os.path.getsize(self.path), before)
        self.assertEqual(len(self.rows()), 20)
        self.assertEqual(self.write(ledger, Create("/new", b"v")), [ledger.revision])


class StoreTests(TestCase):
    """The whole store."""

    async def open_store(self, **options: Any) -> SqliteStore:
        store = SqliteStore(os.path.join(self.mktemp(), "state.db"), reactor, Clock(FakeTime()), **options)
        await store.start()
        self.addCleanup(store.stop)
        return store

    async def test_full_disk(self) -> None:
        """Writes for which there is no room fail; the store goes on, and uses the room that comes free."""
        store = await self.open_store(max_bytes=400_000)
        events: list[Event] = []
        await store.watch("", 1, events.extend)
        await store.transact([Create("/a", b"a" * 200_000)])
        error = await self.assertFailure(store.transact([Create("/b", b"b" * 250_000)]), StoreFailed)
        self.assertEqual(str(error), "the store cannot be written: database or disk is full")
        self.assertIsNone(await store.get("/b"))
        self.assertEqual(await store.transact([Create("/c", b"c")]), 3)
        self.assertEqual(await store.transact([Delete("/a", 2)]), 4)
        await store.compact(4)
        self.assertEqual(await store.transact([Create("/b", b"b" * 250_000)]), 5)
        self.assertEqual([(event.key, event.revision) for event in events],
                         [("/a", 2), ("/c", 3), ("/a", 4), ("/b", 5)])

    async def test_file_shrinks(self) -> None:
        """When a compaction is done, the file is as short as it becomes."""
        path = os.path.join(self.mktemp(), "state.db")
        store = SqliteStore(path, reactor, Clock(FakeTime()))
        await store.start()
        self.addCleanup(store.stop)
        for number in range(10):
            await store.transact([Create(f"/{number}", b"v" * 1_000_000)])
        for number in range(1, 10):
            await store.transact([Delete(f"/{number}", number + 2)])
        before = os.path.getsize(path)
        await store.compact(store.current_revision)
        self.assertLess(os.path.getsize(path), before // 2)
        self.assertEqual((await store.list_entries("/")).entries, [Entry("/0", b"v" * 1_000_000, 2, 2)])

    async def test_made_before(self) -> None:
        """A file made without ``auto_vacuum``, closed with rows to compact, is opened and compacted."""
        path = os.path.join(self.mktemp(), "state.db")
        os.makedirs(os.path.dirname(path))
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(SCHEMA)
            connection.executemany("INSERT INTO log VALUES (?, '/a', ?, ?, NULL, ?)", [
                (row_id(2), 2, 0, b"v" * 4_000_000), (row_id(3), 2, row_id(2), b"w"),
            ])
            connection.commit()
        store = SqliteStore(path, reactor, Clock(FakeTime()))
        await store.start()
        self.addCleanup(store.stop)
        await store.compact(3)
        self.assertEqual(await store.get("/a"), Entry("/a", b"w", 3, 2))
        self.assertEqual(await store.transact([Update("/a", b"x", 3)]), 4)

    async def test_long_past(self) -> None:
        """A long past is read in parts, none of which ends within a revision."""
        store = await self.open_store()
        size = EVENTS_AT_ONCE // 3 * 2
        for round_ in range(4):
            await store.transact([Create(f"/{round_}/{number}", b"") for number in range(size)])
        batches: list[list[int]] = []
        await store.watch("/", 1, lambda events: batches.append([event.revision for event in events]))
        self.assertEqual(batches, [[2] * size + [3] * size, [4] * size + [5] * size])

    async def test_stop_while_catching_up(self) -> None:
        """A store that stops while a watch reads the past answers it all the same."""
        store = await self.open_store()
        await store.transact([Create("/a", b"")])
        types: list[EventType] = []
        watch = store.watch("/", 1, lambda events: types.extend(event.type for event in events))
        await store.stop()
        self.successResultOf(watch)
        self.assertEqual(types, [EventType.CREATED])
