"""The store over etcd: several servers can have the same one."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from twisted.internet.defer import Deferred, DeferredList, fail
from zope.interface import implementer

from kube_twisted.storage.dispatch import Dispatcher, Subscription
from kube_twisted.storage.etcd import transaction
from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.errors import COMPACTED, FUTURE, RPCError
from kube_twisted.storage.etcd.feed import Feed
from kube_twisted.storage.etcd.history import History
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.leases import Leases
from kube_twisted.storage.etcd.messages import COMPACT, RANGE, TXN, CompactionRequest, RangeRequest
from kube_twisted.storage.etcd.probe import Probe
from kube_twisted.storage.etcd.read_revision import ReadRevisions
from kube_twisted.storage.etcd.reading import compacted_revision, read_range, revision_of
from kube_twisted.storage.etcd.watching import Compacted
from kube_twisted.storage.interfaces import (
    CompactedError,
    Create,
    Entry,
    EventConsumer,
    FutureRevisionError,
    IStore,
    ISubscription,
    Operation,
    Page,
    StoreClosed,
    StoreFailed,
    StoreUnusable,
    Update,
)
from kube_twisted.storage.preconditions import require_sound
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred

T = TypeVar("T")
#: What etcd takes by default (``--max-txn-ops``).
MAX_OPERATIONS = 128


@implementer(IStore)
class EtcdStore:
    """The contract of a store over an etcd cluster.

    A write whose answer is lost has failed as far as anybody can tell, and may be done all the same. Transactions
    that are asked for at once are done in any order. Keys with a time to live are deleted by etcd itself.

    :param client: is the store's alone.
    """

    def __init__(self, client: EtcdClient, keys: Keys, clock: Clock) -> None:
        self._client = client
        self._keys = keys
        self._dispatcher = Dispatcher()
        self._feed = Feed(client, clock, keys, self._dispatcher.dispatch)
        self._reads = ReadRevisions(client, keys, self._feed)
        self._probe = Probe(client, clock, keys, self._feed)
        self._history = History(client, keys)
        self._leases = Leases(client, clock)
        self._writes: set[Deferred[int]] = set()
        self._running = False

    @property
    def current_revision(self) -> int:
        return self._feed.revision

    @property
    def compacted_revision(self) -> int:
        return self._feed.compacted

    def problem(self) -> str | None:
        """Why the store is of no use at present."""
        why = self._feed.problem or self._probe.problem
        return f"error getting data from etcd: {why}" if why is not None else None

    def start(self) -> Deferred[None]:
        return to_deferred(self._start())

    async def _start(self) -> None:
        try:
            self._feed.compacted = await compacted_revision(self._client, self._keys)
            await self._feed.start()
        except RPCError as error:
            await self._client.stop()
            raise StoreUnusable(f"etcd cannot be used: {error}") from error
        self._running = True
        self._probe.start()

    def stop(self) -> Deferred[None]:
        return to_deferred(self._stop())

    async def _stop(self) -> None:
        if not self._running:
            return
        self._running = False
        self._probe.stop()
        await DeferredList([_end_of(write) for write in self._writes])
        await self._feed.stop()
        await self._client.stop()
        self._dispatcher.stop()

    # -- reading --------------------------------------------------------------------------------------------------

    def read_revision(self) -> Deferred[int]:
        return self._ask(self._read_revision())

    async def _read_revision(self) -> int:
        return await self._reads.ask()

    def get(self, key: str, revision: int = 0) -> Deferred[Entry | None]:
        return self._ask(self._get(key, revision), revision)

    async def _get(self, key: str, revision: int) -> Entry | None:
        answer = await self._client.call(RANGE, RangeRequest(self._keys.stored(key), revision=revision), again=True)
        await self._feed.reached(revision or revision_of(answer))
        return transaction.entry(key, answer.kvs[0]) if answer.kvs else None

    def list_entries(self, prefix: str, limit: int = 0, start: str = "", revision: int = 0) -> Deferred[Page]:
        return self._ask(self._list(prefix, limit, start, revision), revision)

    async def _list(self, prefix: str, limit: int, start: str, revision: int) -> Page:
        low, high = self._keys.range(prefix, start)
        found, revision, left = await read_range(self._client, low, high, limit, revision)
        await self._feed.reached(revision)
        entries = [transaction.entry(key, one) for one in found if (key := self._keys.shown(one.key)) is not None]
        return Page(entries, revision, left > 0, left)

    # -- writing --------------------------------------------------------------------------------------------------

    def transact(self, operations: Sequence[Operation]) -> Deferred[int]:
        require_sound(operations, MAX_OPERATIONS)
        write = self._ask(self._transact(operations))
        if not write.called:
            self._writes.add(write)
            write.addBoth(self._written, write)
        return write

    def _written(self, result: T, write: Deferred[int]) -> T:
        self._writes.discard(write)
        return result

    async def _transact(self, operations: Sequence[Operation]) -> int:
        ttls = {one.ttl for one in operations if isinstance(one, (Create, Update)) and one.ttl}
        leases = {ttl: await self._leases.obtain(ttl) for ttl in ttls}
        answer = await self._client.call(TXN, transaction.request(self._keys, operations, leases))
        revision = answer.header.revision if answer.header is not None else 0
        await self._feed.reached(revision)
        if not answer.succeeded:
            raise transaction.failure(operations, answer)
        return revision

    def compact(self, revision: int) -> Deferred[None]:
        return self._ask(self._compact(revision), revision)

    async def _compact(self, revision: int) -> None:
        if revision <= self._feed.compacted:
            return
        await self._client.call(COMPACT, CompactionRequest(revision, physical=True))
        self._feed.compacted = max(self._feed.compacted, revision)

    # -- watching -------------------------------------------------------------------------------------------------

    def watch(self, prefix: str, after_revision: int, consumer: EventConsumer) -> Deferred[ISubscription]:
        return self._ask(self._watch(prefix, after_revision, consumer), after_revision)

    async def _watch(self, prefix: str, after: int, consumer: EventConsumer) -> ISubscription:
        current = self.current_revision
        if after < self.compacted_revision:
            raise CompactedError(self.compacted_revision, current)
        subscription = self._dispatcher.subscribe(prefix, max(after, current), consumer)
        if after < current:
            await self._catch_up(subscription, after, current)
        subscription.release()
        return subscription

    async def _catch_up(self, subscription: Subscription, after: int, until: int) -> None:
        try:
            await self._history.replay(subscription.prefix, after, until, subscription.deliver)
        except BaseException:
            subscription.stop()
            raise

    # -- errors ---------------------------------------------------------------------------------------------------

    def _ask(self, work: Coroutine[Any, Any, T], revision: int = 0) -> Deferred[T]:
        """Do something with etcd, and fail as the contract says.

        :param revision: the one that is asked for.
        """
        if not self._running:
            work.close()
            return fail(StoreClosed("the store is not running"))
        return to_deferred(self._told(work, revision))

    async def _told(self, work: Coroutine[Any, Any, T], revision: int) -> T:
        try:
            if self._feed.is_astray:
                work.close()
                raise StoreFailed(str(self._feed.problem))
            return await work
        except Compacted as error:
            self._feed.compacted = max(self._feed.compacted, error.revision)
            raise CompactedError(self.compacted_revision, self.current_revision) from error
        except RPCError as error:
            raise await self._meaning(error, revision) from error

    async def _meaning(self, error: RPCError, revision: int) -> Exception:
        if error.message == FUTURE:
            return FutureRevisionError(revision, self.current_revision)
        if error.message != COMPACTED:
            return StoreFailed(str(error))
        if revision >= self.compacted_revision:
            try:
                self._feed.compacted = await compacted_revision(self._client, self._keys)
            except RPCError as another:
                return StoreFailed(str(another))
        return CompactedError(self.compacted_revision, self.current_revision)


def _end_of(write: Deferred[int]) -> Deferred[None]:
    """Fires when the write has ended, however."""
    end: Deferred[None] = Deferred()

    def tell(result: T) -> T:
        end.callback(None)
        return result

    write.addBoth(tell)
    return end
