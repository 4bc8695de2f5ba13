"""Work that is done in rounds: once before the server is ready, then again and again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import LoopingCall
from twisted.logger import Logger

from kube_twisted.api.errors import StatusError
from kube_twisted.storage.interfaces import StoreClosed, StoreFailed
from kube_twisted.util.clock import Clock
from kube_twisted.util.starting import StartError

#: Errors that tell all there is to know.
_FORESEEN = (StatusError, StoreFailed, StoreClosed)


class Rounds:
    """A loop of rounds: one that fails is logged, in one line unless nobody foresaw the error, and the next one runs.

    :param what: names the work in the log.
    :param interval: seconds between the beginnings of two rounds; 0 for no round but the first.
    :param essential: whether a failure of the first round ends the start of the server.
    """

    _log = Logger()

    def __init__(self, what: str, clock: Clock, interval: float, work: Callable[[], Awaitable[object]], *,
                 essential: bool = True) -> None:
        self.what = what
        self._clock = clock
        self._interval = interval
        self._work = work
        self._essential = essential
        self._loop: LoopingCall | None = None
        self._under_way: Deferred[None] | None = None
        self._stopped = False

    async def start(self) -> None:
        """Do the first round, then go on by itself.

        :raises StartError: when the first round fails, and is essential.
        """
        try:
            await self._work()
        except _FORESEEN as error:
            if self._essential:
                raise StartError(f"{self.what}: {error}") from error
            self._log.warn("{what}: {error}", what=self.what, error=str(error))
        self.go_on(now=False)

    def go_on(self, now: bool = True) -> None:
        """Do the rounds from the second on, the next one ``now`` or after the interval."""
        if self._interval and not self._stopped:
            self._loop = self._clock.looping_call(self._begin)
            self._loop.start(self._interval, now)

    def _begin(self) -> Deferred[None]:
        self._under_way = Deferred.fromCoroutine(self._round())
        return self._under_way

    async def _round(self) -> None:
        try:
            await self._work()
        except CancelledError:
            pass
        except _FORESEEN as error:
            self._log.warn("{what}: {error}", what=self.what, error=str(error))
        except Exception:
            self._log.failure("{what} failed", what=self.what)
        finally:
            self._under_way = None

    def stop(self) -> None:
        """Break off the round that is under way, and do no more."""
        self._stopped = True
        if self._loop is not None and self._loop.running:
            self._loop.stop()
        if self._under_way is not None:
            self._under_way.cancel()
