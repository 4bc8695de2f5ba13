"""The log of etcd as it goes on: one watch of all keys, taken up again where it broke off.

    Watch --changes--> Feed --events--> Dispatcher --> subscriptions

Every revision of etcd changes some key, so a watch of all keys shows how far it has come: what was read at a
revision is known to be followed once a change of that revision, or of a later one, is here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import count

from twisted.internet.defer import Deferred, succeed
from twisted.logger import Logger

from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.errors import RPCError, too_late
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.messages import Change, ChangeType, WatchResponse
from kube_twisted.storage.etcd.reading import current_revision, live_keys
from kube_twisted.storage.etcd.resync import missed
from kube_twisted.storage.etcd.watching import Compacted, Watch
from kube_twisted.storage.interfaces import Event, EventType
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks

#: Where all servers of a cluster note how far they have compacted; the original's.
COMPACT_KEY = b"compact_rev_key"
#: Seconds in which the feed must come to where a read or a write was.
PATIENCE = 10.0
#: Seconds between attempts to go on.
PAUSE = 0.1


class Feed:
    """:ivar revision: everything up to it has been handed on.
    :ivar compacted: the oldest revision that can be read, as far as it is known.
    :ivar problem: why nothing comes any more, None when all is well.
    :ivar is_astray: whether etcd is not what it was, and nothing of it can be trusted.
    :param dispatch: gets the events of whole revisions, in order.
    """

    _log = Logger()

    def __init__(self, client: EtcdClient, clock: Clock, keys: Keys,
                 dispatch: Callable[[Sequence[Event]], None]) -> None:
        self.revision = 0
        self.compacted = 0
        self.problem: str | None = None
        self.is_astray = False
        self._client = client
        self._clock = clock
        self._keys = keys
        self._dispatch = dispatch
        self._live: dict[str, int] = {}
        self._waiting: list[tuple[int, int, Deferred[None]]] = []
        self._order = count()
        self._tasks = Tasks()
        self._watch: Watch | None = None

    async def start(self) -> None:
        """Read where the log is, and follow it from there.

        :raises RPCError: when etcd does not answer.
        """
        self._live, self.revision = await live_keys(self._client, self._keys)
        self._tasks.start(self._follow(), "following etcd")

    def stop(self) -> Deferred[None]:
        if self._watch is not None:
            self._watch.stop()
        return self._tasks.stop()

    def reached(self, revision: int) -> Deferred[None]:
        """Fires once everything up to the revision has been handed on.

        Fails with RPCError when that takes longer than :data:`PATIENCE`.
        """
        if revision <= self.revision:
            return succeed(None)
        waiting: Deferred[None] = Deferred()
        heappush(self._waiting, (revision, next(self._order), waiting))
        timer = self._clock.call_later(PATIENCE, self._expire, waiting)

        def settle(result: object) -> object:
            if timer.active():
                timer.cancel()
            return result

        return waiting.addBoth(settle)

    def _expire(self, waiting: Deferred[None]) -> None:
        if not waiting.called:
            waiting.errback(too_late())

    # -- following ------------------------------------------------------------------------------------------------

    async def _follow(self) -> None:
        while True:
            watch = self._watch = Watch(self._take)
            try:
                await self._check_revision()
                await watch.start(self._client, self.revision)
                self._settle(None)
                await watch.done
                return
            except Compacted as error:
                self.compacted = max(self.compacted, error.revision)
                await self._catch_up()
            except RPCError as error:
                self._client.avoid(error)
                self._settle(str(error))
            await self._clock.sleep(PAUSE)

    def _settle(self, problem: str | None) -> None:
        if problem == self.problem:
            return
        self.problem = problem
        if problem is not None:
            self._log.warn("etcd cannot be followed: {problem}", problem=problem)
        else:
            self._log.info("etcd is followed again, from revision {revision} on", revision=self.revision)

    async def _check_revision(self) -> None:
        """What was restored from an older backup can't be followed: a revision would mean two things."""
        found = await current_revision(self._client, self._keys)
        if found < self.revision:
            self.is_astray = True
            self._settle(f"etcd is at revision {found}, and was at {self.revision}: restart the server")
            await Deferred()

    async def _catch_up(self) -> None:
        """The history since the last change is gone: find out what has changed by comparing."""
        try:
            found = await missed(self._client, self._keys, self._live)
        except RPCError as error:
            self._settle(str(error))
            return
        self._log.warn("etcd has forgotten what came after revision {revision}; {number} changes were found by "
                       "comparing", revision=self.revision, number=len(found.events))
        self._live = found.live
        self._deliver(found.events, found.revision)

    def _take(self, answer: WatchResponse) -> None:
        """Changes have come."""
        events: list[Event] = []
        newest = self.revision
        for change in answer.events:
            if change.kv is None or change.kv.mod_revision <= self.revision:
                continue
            newest = change.kv.mod_revision
            if change.kv.key == COMPACT_KEY:
                self._note_compaction(change.kv.value)
                continue
            key = self._keys.shown(change.kv.key)
            if key is not None:
                events.append(self._event(key, change))
        self._deliver(events, newest)

    def _event(self, key: str, change: Change) -> Event:
        """A change as the store tells it. The value before is lost when etcd has compacted it meanwhile."""
        made = event(key, change, self._live.get(key, 0))
        if made.type is EventType.DELETED:
            self._live.pop(key, None)
        else:
            self._live[key] = made.revision
        return made

    def _deliver(self, events: Sequence[Event], revision: int) -> None:
        self.revision = revision
        if events:
            self._dispatch(events)
        while self._waiting and self._waiting[0][0] <= revision:
            _, _, waiting = heappop(self._waiting)
            if not waiting.called:
                waiting.callback(None)

    def _note_compaction(self, value: bytes) -> None:
        if value.isdigit():
            self.compacted = max(self.compacted, int(value))


def event(key: str, change: Change, before: int = 0) -> Event:
    """A change as the store tells it.

    :param before: the revision of the value before, where etcd does not tell.
    """
    assert change.kv is not None
    revision, previous = change.kv.mod_revision, change.prev_kv
    old, before = (previous.value, previous.mod_revision) if previous is not None else (b"", before)
    if change.type == ChangeType.DELETE:
        return Event(EventType.DELETED, key, old, revision, old, before)
    if change.kv.create_revision == revision:
        return Event(EventType.CREATED, key, change.kv.value, revision, None, 0)
    return Event(EventType.UPDATED, key, change.kv.value, revision, old, before)
