"""Compaction of etcd that all servers of a cluster agree on: one of them does it, an interval after the last time.

A key counts the compactions, and holds the revision of the last one. Who has counted as far as the key says may add
one and compact; the others learn that somebody was faster, and wait for another interval. The key and the way are the
original's, so that its servers may take part.
"""

from __future__ import annotations

from twisted.logger import Logger

from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.errors import COMPACTED, RPCError
from kube_twisted.storage.etcd.feed import COMPACT_KEY
from kube_twisted.storage.etcd.messages import (
    COMPACT,
    TXN,
    CompactionRequest,
    Compare,
    CompareTarget,
    PutRequest,
    RangeRequest,
    RequestOp,
    TxnRequest,
)
from kube_twisted.util.clock import Clock
from kube_twisted.util.repeated import Repeated


class EtcdCompactor:
    """Compacts to the revision of an interval ago.

    :param interval: in seconds; 0 for never.
    """

    _log = Logger()

    def __init__(self, client: EtcdClient, clock: Clock, interval: float) -> None:
        self._client = client
        self._interval = interval
        self._rounds = Repeated("compaction of etcd", clock, self._round)
        self._version = 0
        self._revision = 0

    def start(self) -> None:
        if self._interval:
            self._rounds.start(self._interval, now=False)

    def stop(self) -> None:
        self._rounds.stop()

    async def _round(self) -> None:
        try:
            await self.compact()
        except RPCError as error:
            self._log.warn("compaction of etcd failed: {error}", error=error)

    async def compact(self) -> int:
        """Take a turn: the revision compacted to, 0 when it is not this server's turn, or its first one.

        :raises RPCError: when etcd does not answer.
        """
        revision = self._revision
        answer = await self._client.call(TXN, TxnRequest(
            (Compare(CompareTarget.VERSION, COMPACT_KEY, version=self._version),),
            (RequestOp(request_put=PutRequest(COMPACT_KEY, str(revision).encode())),),
            (RequestOp(request_range=RangeRequest(COMPACT_KEY)),)))
        self._revision = answer.header.revision if answer.header is not None else 0
        if not answer.succeeded:
            found = answer.responses[0].response_range
            self._version = found.kvs[0].version if found is not None and found.kvs else 0
            return 0
        self._version += 1
        if not revision:
            return 0
        try:
            await self._client.call(COMPACT, CompactionRequest(revision))
        except RPCError as error:
            if error.message != COMPACTED:
                raise
        return revision
