"""The thread that writes: it takes all transactions that wait and commits them as one batch.

    reactor                                writer's thread
    transact() --> all of a turn, a queue --> Ledger.commit(): one INSERT, one fsync
    committed() <----- callFromThread ------- revision, events, outcomes

What comes during one turn of the reactor is handed over together, at its end: the writer is woken once, and does not
compete for the interpreter with the requests that would be part of its batch.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from attrs import frozen
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IReactorFromThreads, IReactorTime

from kube_twisted.storage.interfaces import StoreClosed, StoreFailed, StoreUnusable
from kube_twisted.storage.sqlite_file import StoreFile
from kube_twisted.storage.sqlite_ledger import Commit, Ledger
from kube_twisted.storage.sqlite_plan import Transaction
from kube_twisted.storage.sqlite_sweep import Sweep

#: A batch is full when its transactions have so many operations.
BATCH_ROWS = 128
#: Seconds after which a waiting thread gets the interpreter. By default it is 5 ms, counted anew whenever a
#: busy reactor makes a system call: the writer would then wait for a second and more.
SWITCH_INTERVAL = 50e-6


class IStoreReactor(IReactorFromThreads, IReactorTime):
    """What the store needs of the reactor: calls from its threads, and the end of a turn, which is no time."""


@frozen
class Opened:
    """What the file holds at the start.

    :ivar superseded: rows that only serve those who look back.
    :ivar reader: a further connection, for reading.
    """

    revision: int
    compacted: int
    superseded: int
    reader: sqlite3.Connection


@frozen
class _Compaction:
    revision: int
    done: Deferred[None]


@frozen
class _Stop:
    done: Deferred[None]


class Writer:
    """Owns the file, from its opening to its closing.

    :param committed: called in the reactor's thread with each batch, in order.
    """

    def __init__(self, file: StoreFile, reactor: IStoreReactor,
                 committed: Callable[[Commit], None]) -> None:
        self._file = file
        self._reactor = reactor
        self._committed = committed
        self._turn: list[Transaction] = []
        self._end_of_turn: IDelayedCall | None = None
        self._queue: SimpleQueue[list[Transaction] | _Compaction | _Stop] = SimpleQueue()
        self._compactions: list[_Compaction] = []
        self._stop: _Stop | None = None

    # In the reactor's thread.

    def start(self) -> Deferred[Opened]:
        """Open the file, and let the interpreter switch threads sooner.

        Fails with :class:`StoreUnusable`.
        """
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_INTERVAL))
        opened: Deferred[Opened] = Deferred()
        Thread(target=self._run, args=(opened,), name="store-writer", daemon=True).start()
        return opened

    def submit(self, transaction: Transaction) -> None:
        if not self._turn:
            self._end_of_turn = self._reactor.callLater(0, self._hand_over)
        self._turn.append(transaction)

    def _hand_over(self) -> None:
        """Give the writer what has come since the last time."""
        if self._end_of_turn is not None and self._end_of_turn.active():
            self._end_of_turn.cancel()
        if self._turn:
            turn, self._turn = self._turn, []
            self._queue.put(turn)

    def compact(self, revision: int) -> Deferred[None]:
        """Fires when all that the compaction removes is removed, and its room given back."""
        done: Deferred[None] = Deferred()
        self._hand_over()
        self._queue.put(_Compaction(revision, done))
        return done

    def stop(self) -> Deferred[None]:
        """Write what waits, then close the file."""
        done: Deferred[None] = Deferred()
        self._hand_over()
        self._queue.put(_Stop(done))
        return done

    # In the writer's thread.

    def _run(self, opened: Deferred[Opened]) -> None:
        try:
            connection = self._file.open()
            ledger, sweep, state = self._load(connection)
        except StoreUnusable as error:
            self._reactor.callFromThread(opened.errback, error)
            return
        self._reactor.callFromThread(opened.callback, state)
        stop = self._work(ledger, sweep)
        self._close(connection)
        self._reactor.callFromThread(stop.done.callback, None)

    def _load(self, connection: sqlite3.Connection) -> tuple[Ledger, Sweep, Opened]:
        try:
            ledger, sweep = Ledger(connection), Sweep(connection)
            reader = self._file.open_reader()
        except sqlite3.Error as error:
            self._close(connection)
            raise StoreUnusable(f"{self._file.path} is damaged: {error}") from error
        return ledger, sweep, Opened(ledger.revision, sweep.compacted, ledger.superseded, reader)

    def _close(self, connection: sqlite3.Connection) -> None:
        """Give the file up. What SQLite could not tidy, it tidies at the next opening."""
        with suppress(sqlite3.Error):
            connection.close()
        self._file.close()

    def _work(self, ledger: Ledger, sweep: Sweep) -> _Stop:
        """Until the store stops."""
        sweeping = sweep.pending
        while self._stop is None:
            transactions = self._take(wait=not sweeping)
            if transactions:
                self._reactor.callFromThread(self._committed, ledger.commit(transactions))
            if sweeping or self._compactions:
                sweeping = self._sweep(sweep)
        self._settle(StoreClosed("the store is stopping"))
        return self._stop

    def _take(self, wait: bool) -> list[Transaction]:
        """The transactions of the next batch; other requests are noted on the way.

        :param wait: for the first one.
        """
        batch: list[Transaction] = []
        room = BATCH_ROWS
        while room > 0 and self._stop is None:
            try:
                request = self._queue.get(wait and room == BATCH_ROWS and not self._compactions)
            except Empty:
                break
            if isinstance(request, list):
                batch += request
                room -= sum(len(one.operations) for one in request)
            elif isinstance(request, _Compaction):
                self._compactions.append(request)
            else:
                self._stop = request
        return batch

    def _sweep(self, sweep: Sweep) -> bool:
        """Do a piece of compaction; whether there is more."""
        try:
            for compaction in self._compactions:
                sweep.begin(compaction.revision)
            if sweep.pending:
                sweep.step()
        except sqlite3.Error as error:
            self._settle(StoreFailed(f"the store cannot be compacted: {error}"))
            return False
        if not sweep.pending:
            self._settle(None)
        return sweep.pending

    def _settle(self, error: Exception | None) -> None:
        """Tell those who wait for a compaction how it ended."""
        for compaction in self._compactions:
            if error is None:
                self._reactor.callFromThread(compaction.done.callback, None)
            else:
                self._reactor.callFromThread(compaction.done.errback, error)
        self._compactions = []
