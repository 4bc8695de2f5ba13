"""Past events of etcd: its log from one revision to another, read once for all who ask at the same time."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from kube_twisted.storage.dispatch import Dispatcher
from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.feed import COMPACT_KEY, event
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.messages import ChangeType, KeyValue, WatchResponse
from kube_twisted.storage.etcd.watching import Compacted, Watch
from kube_twisted.storage.interfaces import Event, EventConsumer
from kube_twisted.util.deferreds import to_deferred


@define(eq=False)
class _Wish:
    """The events below a prefix, after one revision, which moves on, and up to another one."""

    prefix: str
    after: int
    until: int
    deliver: EventConsumer
    done: Deferred[None] = field(factory=Deferred)

    def take(self, events: Sequence[Event]) -> None:
        """What is past the end is left out: it comes to the subscription as it happens."""
        self.after = events[-1].revision
        self.deliver([one for one in events if one.revision <= self.until])


class History:
    """Reads the log for watches that begin in the past.

    After the start of a server many clients want to go on where they were. Since all of the log must be read for
    each prefix, it is read once for all who have asked meanwhile.
    """

    def __init__(self, client: EtcdClient, keys: Keys) -> None:
        self._client = client
        self._keys = keys
        self._waiting: list[_Wish] = []
        self._reading = False

    def replay(self, prefix: str, after: int, until: int, deliver: EventConsumer) -> Deferred[None]:
        """Deliver past events, those of whole revisions together; fires when all are delivered.

        Fails with RPCError when etcd does not answer, and with :class:`Compacted` when some are gone.
        """
        wish = _Wish(prefix, after, until, deliver)
        self._waiting.append(wish)
        if not self._reading:
            self._begin()
        return wish.done

    def _begin(self) -> None:
        self._reading = True
        wishes, self._waiting = self._waiting, []
        to_deferred(self._read(wishes)).addBoth(self._told, wishes)

    def _told(self, result: object, wishes: list[_Wish]) -> None:
        self._reading = False
        for wish in wishes:
            if wish.done.called:
                continue
            if not isinstance(result, Failure):
                wish.done.callback(None)
            elif isinstance(result.value, Compacted) and wish.after >= result.value.revision:
                self._waiting.append(wish)  # what is gone was asked for by others
            else:
                wish.done.errback(result)
        if self._waiting and not self._reading:
            self._begin()

    async def _read(self, wishes: Sequence[_Wish]) -> None:
        dispatcher = Dispatcher()
        for wish in wishes:
            dispatcher.subscribe(wish.prefix, wish.after, wish.take).release()
        after, until = min(wish.after for wish in wishes), max(wish.until for wish in wishes)

        def take(answer: WatchResponse) -> None:
            events = []
            for change in answer.events:
                kv = change.kv
                key = self._keys.shown(kv.key) if kv is not None else None
                if kv is None or key is None or kv.mod_revision <= after or kv.key == COMPACT_KEY:
                    continue
                if change.prev_kv is None and (change.type == ChangeType.DELETE or not _is_new(kv)):
                    watch.fail(Compacted(kv.mod_revision))
                    return
                events.append(event(key, change))
            if events:
                dispatcher.dispatch(events)
            last = answer.events[-1].kv
            if last is not None and last.mod_revision >= until:
                watch.stop()

        watch = Watch(take)
        await watch.start(self._client, after)
        try:
            await watch.done
        finally:
            watch.stop()


def _is_new(kv: KeyValue) -> bool:
    """Whether the key was created by this change."""
    return kv.create_revision == kv.mod_revision
