"""Consistent reads: all that ask at the same time share one question to the majority of the members."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.feed import Feed
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.reading import current_revision
from kube_twisted.util.deferreds import to_deferred


class ReadRevisions:
    """Asks for the current revision, and waits until the feed has come there.

    Who asks while a question is under way waits for the next one: the answer to the first may be too old for them.
    """

    def __init__(self, client: EtcdClient, keys: Keys, feed: Feed) -> None:
        self._client = client
        self._keys = keys
        self._feed = feed
        self._waiting: list[Deferred[int]] = []
        self._asking = False

    def ask(self) -> Deferred[int]:
        """Fires with a revision that includes every write acknowledged before; fails with RPCError."""
        waiting: Deferred[int] = Deferred()
        self._waiting.append(waiting)
        if not self._asking:
            self._begin()
        return waiting

    def _begin(self) -> None:
        self._asking = True
        waiting, self._waiting = self._waiting, []
        work = to_deferred(current_revision(self._client, self._keys))
        work.addBoth(self._answered, waiting)

    def _answered(self, result: int | Failure, waiting: list[Deferred[int]]) -> None:
        self._asking = False
        if self._waiting:
            self._begin()
        for one in waiting:
            if one.called:
                continue
            if isinstance(result, Failure):
                one.errback(result)
            elif result <= self._feed.revision:
                one.callback(self._feed.revision)
            else:
                self._feed.reached(result).addCallback(lambda _: self._feed.revision).addBoth(one.callback)
