"""Reading keys from etcd, and finding out how far it is."""

from __future__ import annotations

from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.errors import COMPACTED, RPCError
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.messages import RANGE, KeyValue, RangeRequest, RangeResponse
from kube_twisted.storage.etcd.watching import Compacted, Watch

#: How many keys are read at a time.
CHUNK = 500
#: How many when only they are read, without values.
_KEYS_CHUNK = 20_000


def revision_of(answer: RangeResponse) -> int:
    """The revision at which a member has answered."""
    return answer.header.revision if answer.header is not None else 0


async def current_revision(client: EtcdClient, keys: Keys) -> int:
    """A revision that has all that was written before, as the majority of the members agrees.

    :raises RPCError: when they don't answer.
    """
    request = RangeRequest(keys.stored("/registry/health"), count_only=True)
    return revision_of(await client.call(RANGE, request, again=True))


async def read_range(client: EtcdClient, low: bytes, high: bytes, limit: int = 0, revision: int = 0, *,
                     keys_only: bool = False) -> tuple[list[KeyValue], int, int]:
    """The keys of a range at one revision, read in pieces: (keys, that revision, how many are left).

    :param limit: the most keys, 0 for all.
    :raises RPCError: when they can't be had.
    """
    found: list[KeyValue] = []
    chunk = _KEYS_CHUNK if keys_only else CHUNK
    while True:
        room = min(chunk, limit - len(found)) if limit else chunk
        request = RangeRequest(low, high, room, revision, keys_only=keys_only)
        answer = await client.call(RANGE, request, again=True)
        found += answer.kvs
        revision = revision or revision_of(answer)
        left = answer.count - len(answer.kvs)
        if left <= 0 or not answer.kvs or (limit and len(found) >= limit):
            return found, revision, left
        low = answer.kvs[-1].key + b"\0"


async def live_keys(client: EtcdClient, keys: Keys) -> tuple[dict[str, int], int]:
    """All keys of the store with their last revisions, and the revision at which they are all.

    :raises RPCError: when they can't be had.
    """
    found, revision, _ = await read_range(client, *keys.everything(), keys_only=True)
    return {key: one.mod_revision for one in found if (key := keys.shown(one.key)) is not None}, revision


async def compacted_revision(client: EtcdClient, keys: Keys) -> int:
    """The oldest revision that can be read, 0 when all can.

    :raises RPCError: when etcd does not answer.
    """
    try:
        await client.call(RANGE, RangeRequest(keys.stored("/registry/health"), revision=1, count_only=True), again=True)
    except RPCError as error:
        if error.message != COMPACTED:
            raise
        return await _ask_compacted(client)
    return 0


async def _ask_compacted(client: EtcdClient) -> int:
    """Only a watch from too early on is told the number."""
    watch = Watch(lambda _: None)
    await watch.start(client, 1)
    try:
        await watch.done
    except Compacted as error:
        return error.revision
    return 0
