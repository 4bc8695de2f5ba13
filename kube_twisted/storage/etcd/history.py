"""Past events of etcd: its log from one revision to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.feed import COMPACT_KEY, event
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.messages import ChangeType, WatchResponse
from kube_twisted.storage.etcd.watching import Compacted, Watch
from kube_twisted.storage.interfaces import Event


async def replay(client: EtcdClient, keys: Keys, prefix: str, span: tuple[int, int],
                 deliver: Callable[[Sequence[Event]], None]) -> None:
    """Deliver the events below a prefix, those of whole revisions together.

    :param span: the revision after which they begin, and the last one.
    :raises RPCError: when etcd does not answer.
    :raises Compacted: when some are gone.
    """
    after, until = span

    def take(answer: WatchResponse) -> None:
        events: list[Event] = []
        for change in answer.events:
            if change.kv is None or not after < change.kv.mod_revision <= until or change.kv.key == COMPACT_KEY:
                continue
            key = keys.shown(change.kv.key)
            if key is not None and key.startswith(prefix):
                if change.prev_kv is None and (change.type == ChangeType.DELETE
                                               or change.kv.create_revision != change.kv.mod_revision):
                    watch.fail(Compacted(change.kv.mod_revision))
                    return
                events.append(event(key, change))
        deliver(events)
        last = answer.events[-1].kv
        if last is not None and last.mod_revision >= until:
            watch.stop()

    watch = Watch(take)
    await watch.start(client, after)
    try:
        await watch.done
    finally:
        watch.stop()
