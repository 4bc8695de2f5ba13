"""Work that is done again and again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from twisted.internet.defer import Deferred
from twisted.internet.task import LoopingCall
from twisted.logger import Logger

from kube_twisted.util.clock import Clock


class Repeated:
    """A LoopingCall whose rounds may wait: the next one begins when the last has ended, and the interval is over.

    :param what: for the log.
    :param work: a round. What it raises is logged, and does not keep the next one from coming.
    """

    _log = Logger()

    def __init__(self, what: str, clock: Clock, work: Callable[[], Awaitable[object]]) -> None:
        self._what = what
        self._work = work
        self._loop: LoopingCall = clock.looping_call(lambda: Deferred.fromCoroutine(self._round()))

    @property
    def is_running(self) -> bool:
        """Whether it was started, and not stopped."""
        return self._loop.running

    def start(self, interval: float, *, now: bool = True) -> None:
        """Begin, ``now`` or after the first interval.

        :param interval: in seconds.
        """
        self._loop.start(interval, now)

    def stop(self) -> None:
        """No further round begins; one that is under way goes on to its end."""
        if self._loop.running:
            self._loop.stop()

    async def _round(self) -> None:
        try:
            await self._work()
        except Exception:
            self._log.failure("{what} failed", what=self._what)
