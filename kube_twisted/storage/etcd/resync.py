"""What has changed while nobody followed, when etcd has forgotten the changes: the keys then and now, compared."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.reading import read_range
from kube_twisted.storage.interfaces import Event, EventType


@frozen
class Missed:
    """Events that lead from what was known to what is there now.

    The values before are lost: they are empty in these events.

    :ivar revision: of what is there now; keys that have gone are deleted at it.
    :ivar live: the last revision of each key.
    """

    events: list[Event]
    revision: int
    live: dict[str, int]


async def missed(client: EtcdClient, keys: Keys, known: Mapping[str, int]) -> Missed:
    """Compare.

    :param known: the keys and revisions that were there when the feed broke off.
    :raises RPCError: when etcd does not answer.
    """
    found, revision, _ = await read_range(client, *keys.everything())
    events: list[Event] = []
    live: dict[str, int] = {}
    for one in found:
        key = keys.shown(one.key)
        if key is None:
            continue
        live[key] = one.mod_revision
        before = known.get(key, 0)
        if before and before < one.create_revision:
            events.append(_gone(key, one.create_revision - 1, before))
            before = 0
        if not before:
            events.append(Event(EventType.CREATED, key, one.value, one.mod_revision, None, 0))
        elif before != one.mod_revision:
            events.append(Event(EventType.UPDATED, key, one.value, one.mod_revision, b"", before))
    events += [_gone(key, revision, before) for key, before in known.items() if key not in live]
    events.sort(key=lambda event: event.revision)
    return Missed(events, revision, live)


def _gone(key: str, revision: int, before: int) -> Event:
    return Event(EventType.DELETED, key, b"", revision, b"", before)
