"""The embedded store: one SQLite file, a thread that writes, and one that reads."""

from __future__ import annotations

from collections.abc import Sequence

from twisted.internet.defer import Deferred, fail, succeed
from zope.interface import implementer

from kube_twisted.storage import sqlite_queries as queries
from kube_twisted.storage.compaction import ICompactable, Superseded
from kube_twisted.storage.dispatch import Dispatcher, Subscription
from kube_twisted.storage.expiry import IExpiring
from kube_twisted.storage.interfaces import (
    Delete,
    Entry,
    EventConsumer,
    FutureRevisionError,
    ISubscription,
    Operation,
    Page,
    StoreClosed,
)
from kube_twisted.storage.preconditions import require_sound
from kube_twisted.storage.sqlite_file import StoreFile
from kube_twisted.storage.sqlite_ledger import Commit
from kube_twisted.storage.sqlite_plan import Transaction
from kube_twisted.storage.sqlite_queries import Moment
from kube_twisted.storage.sqlite_reader import Reader
from kube_twisted.storage.sqlite_writer import IStoreReactor, Writer
from kube_twisted.util.clock import Clock


@implementer(ICompactable, IExpiring)
class SqliteStore:
    """The contract of a store over a file.

    What is read is never newer than ``current_revision``: nobody sees a change before its event. Starting it
    lowers the interpreter's switch interval (see ``sqlite_writer``) for good.

    :param path: of the file, by custom ``state.db``.
    :param clock: tells when a ``ttl`` ends.
    :param max_bytes: writes fail rather than let the file grow over this; 0 for no limit.
    """

    def __init__(self, path: str, reactor: IStoreReactor, clock: Clock, max_bytes: int = 0) -> None:
        self.current_revision = 0
        self.compacted_revision = 0
        self.superseded = Superseded()
        self._reactor = reactor
        self._clock = clock
        self._dispatcher = Dispatcher()
        self._writer = Writer(StoreFile(path, max_bytes), reactor, self._committed)
        self._reader: Reader | None = None

    def start(self) -> Deferred[None]:
        return Deferred.fromCoroutine(self._start())

    def stop(self) -> Deferred[None]:
        return Deferred.fromCoroutine(self._stop())

    def read_revision(self) -> Deferred[int]:
        if self._reader is None:
            return fail(_closed())
        return succeed(self.current_revision)

    def get(self, key: str, revision: int = 0) -> Deferred[Entry | None]:
        if self._reader is None:
            return fail(_closed())
        if revision > self.current_revision:
            return fail(FutureRevisionError(revision, self.current_revision))
        return self._reader.ask(queries.get, key, Moment(revision, self.current_revision))

    def list_entries(self, prefix: str, limit: int = 0, start: str = "", revision: int = 0) -> Deferred[Page]:
        if self._reader is None:
            return fail(_closed())
        if revision > self.current_revision:
            return fail(FutureRevisionError(revision, self.current_revision))
        moment = Moment(revision, self.current_revision)
        return self._reader.ask(queries.list_entries, prefix, limit, start, moment)

    def transact(self, operations: Sequence[Operation]) -> Deferred[int]:
        require_sound(operations)
        if self._reader is None:
            return fail(_closed())
        done: Deferred[int] = Deferred()
        self._writer.submit(Transaction(operations, self._clock.seconds(), done))
        return done

    def watch(self, prefix: str, after_revision: int, consumer: EventConsumer) -> Deferred[ISubscription]:
        if self._reader is None:
            return fail(_closed())
        current = self.current_revision
        subscription = self._dispatcher.subscribe(prefix, max(after_revision, current), consumer)
        return Deferred.fromCoroutine(self._catch_up(subscription, self._reader, after_revision, current))

    def compact(self, revision: int) -> Deferred[None]:
        return Deferred.fromCoroutine(self._compact(revision))

    def expired(self, limit: int) -> Deferred[Sequence[Delete]]:
        if self._reader is None:
            return fail(_closed())
        return self._reader.ask(queries.expired, self._clock.seconds(), limit)

    async def _start(self) -> None:
        opened = await self._writer.start()
        self.current_revision = opened.revision
        self.compacted_revision = opened.compacted
        self.superseded.add(opened.revision, opened.superseded)
        self._reader = Reader(opened.reader, self._reactor)

    async def _stop(self) -> None:
        if self._reader is None:
            return
        reader, self._reader = self._reader, None
        await reader.stop()
        await self._writer.stop()
        self._dispatcher.stop()

    async def _catch_up(self, subscription: Subscription, reader: Reader, after: int,
                        until: int) -> ISubscription:
        """Deliver the past, then let the live events through."""
        try:
            while after < until and not subscription.stopped:
                events, after = await reader.ask(queries.events, subscription.prefix, after, until)
                subscription.deliver(events)
        except BaseException:
            subscription.stop()
            raise
        subscription.release()
        return subscription

    async def _compact(self, revision: int) -> None:
        if self._reader is None:
            raise _closed()
        if revision > self.current_revision:
            raise FutureRevisionError(revision, self.current_revision)
        if revision <= self.compacted_revision:
            return
        await self._writer.compact(revision)
        self.compacted_revision = max(revision, self.compacted_revision)
        self.superseded.compacted(revision)

    def _committed(self, commit: Commit) -> None:
        """A batch is durable: first its events, then its answers."""
        self.current_revision = commit.revision
        if commit.events:
            self.superseded.note(commit.events)
            self._dispatcher.dispatch(commit.events)
        for done, outcome in commit.outcomes:
            if isinstance(outcome, int):
                done.callback(outcome)
            else:
                done.errback(outcome)


def _closed() -> StoreClosed:
    return StoreClosed("the store is not running")
