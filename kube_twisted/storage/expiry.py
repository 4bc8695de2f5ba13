"""Delete the keys whose time to live is over, through ordinary transactions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from twisted.internet.defer import Deferred, gatherResults

from kube_twisted.storage.interfaces import Delete, IStore, PreconditionFailed, StoreClosed
from kube_twisted.util.clock import Clock
from kube_twisted.util.repeated import Repeated

#: The most keys that are deleted at a time.
ROUND_SIZE = 500


class IExpiring(IStore):
    """A store that can tell which keys have outlived their ``ttl``."""

    def expired(limit: int) -> Deferred[Sequence[Delete]]:
        """The deletions that are due now, the longest overdue first, at most ``limit``."""


class ExpiryLoop:
    """Looks every ``interval`` seconds for expired keys and deletes them.

    A key that is replaced in between lives on: each deletion names the revision that it is about.
    """

    def __init__(self, store: IExpiring, clock: Clock, interval: float = 1.0) -> None:
        self._store = store
        self._interval = interval
        self._rounds = Repeated("deleting expired keys", clock, self._round)

    def start(self) -> None:
        """Delete what expired while nobody looked, then go on."""
        self._rounds.start(self._interval)

    def stop(self) -> None:
        """No further round begins."""
        self._rounds.stop()

    async def _round(self) -> None:
        """Delete all that is due."""
        with suppress(StoreClosed):
            full = True
            while full and self._rounds.is_running:
                due = await self._store.expired(ROUND_SIZE)
                deletions = [Deferred.fromCoroutine(self._delete(one)) for one in due]
                await gatherResults(deletions, consumeErrors=True)
                full = len(due) == ROUND_SIZE

    async def _delete(self, operation: Delete) -> None:
        """Delete, unless the key was replaced or deleted by somebody else, or the store is stopping."""
        with suppress(PreconditionFailed, StoreClosed):
            await self._store.transact([operation])
