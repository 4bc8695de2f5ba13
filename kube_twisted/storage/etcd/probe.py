"""Asks every few seconds whether etcd answers, and whether what it has written comes here."""

from __future__ import annotations

from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.errors import Code, RPCError
from kube_twisted.storage.etcd.feed import Feed
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.reading import current_revision
from kube_twisted.util.clock import Clock
from kube_twisted.util.repeated import Repeated

#: Seconds from one question to the next.
INTERVAL = 5.0


class Probe:
    """Ends a connection over which nothing comes any more, so that another member is tried.

    :ivar problem: what was wrong the last time, None when all was well.
    """

    def __init__(self, client: EtcdClient, clock: Clock, keys: Keys, feed: Feed) -> None:
        self.problem: str | None = None
        self._client = client
        self._keys = keys
        self._feed = feed
        self._rounds = Repeated("the probe of etcd", clock, self._round)

    def start(self) -> None:
        self._rounds.start(INTERVAL, now=False)

    def stop(self) -> None:
        self._rounds.stop()

    async def _round(self) -> None:
        try:
            await self._feed.reached(await current_revision(self._client, self._keys))
        except RPCError as error:
            self.problem = str(error)
            if error.code is Code.DEADLINE_EXCEEDED:
                self._client.give_up()
        else:
            self.problem = None
