"""Delete the keys whose time to live is over, through ordinary transactions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.task import LoopingCall
from twisted.logger import Logger

from kube_twisted.storage.interfaces import Delete, IStore, PreconditionFailed, StoreClosed
from kube_twisted.util.clock import Clock

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

    _log = Logger()

    def __init__(self, store: IExpiring, clock: Clock, interval: float = 1.0) -> None:
        self._store = store
        self._interval = interval
        self._loop: LoopingCall = clock.looping_call(self._tick)

    def start(self) -> None:
        """Delete what expired while nobody looked, then go on."""
        self._loop.start(self._interval)

    def stop(self) -> None:
        """No further round begins."""
        if self._loop.running:
            self._loop.stop()

    def _tick(self) -> Deferred[None]:
        return Deferred.fromCoroutine(self._round())

    async def _round(self) -> None:
        """Delete all that is due. A failure is logged; the next round runs."""
        try:
            full = True
            while full and self._loop.running:
                due = await self._store.expired(ROUND_SIZE)
                deletions = [Deferred.fromCoroutine(self._delete(one)) for one in due]
                await gatherResults(deletions, consumeErrors=True)
                full = len(due) == ROUND_SIZE
        except StoreClosed:
            return
        except Exception:
            self._log.failure("Deleting expired keys failed")

    async def _delete(self, operation: Delete) -> None:
        """Delete, unless the key was replaced or deleted by somebody else, or the store is stopping."""
        with suppress(PreconditionFailed, StoreClosed):
            await self._store.transact([operation])
