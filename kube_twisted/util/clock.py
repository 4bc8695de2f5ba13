"""One clock for all timers, loops and timestamps, so that tests can advance it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.internet.task import LoopingCall

_SECOND = "%Y-%m-%dT%H:%M:%SZ"


class Clock:
    """Time as the server sees it.

    :param reactor: anything that keeps time: the reactor, or a ``twisted.internet.task.Clock`` in tests.
    """

    def __init__(self, reactor: IReactorTime) -> None:
        self._reactor = reactor
        self._rfc3339 = ""
        self._rfc3339_second = -1

    def seconds(self) -> float:
        """Seconds since the epoch."""
        return float(self._reactor.seconds())

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.seconds(), UTC)

    def rfc3339(self) -> str:
        """Now, in whole seconds, as Kubernetes writes ``metav1.Time``."""
        second = int(self._reactor.seconds())
        if second != self._rfc3339_second:
            self._rfc3339 = datetime.fromtimestamp(second, UTC).strftime(_SECOND)
            self._rfc3339_second = second
        return self._rfc3339

    def rfc3339_micro(self) -> str:
        """Now, in microseconds, as Kubernetes writes ``metav1.MicroTime``."""
        return self.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def call_later(self, delay: float, function: Callable[..., Any], *args: Any) -> IDelayedCall:
        """Call once after ``delay`` seconds."""
        return self._reactor.callLater(delay, function, *args)

    def looping_call(self, function: Callable[..., Any], *args: Any) -> LoopingCall:
        """A LoopingCall on this clock; start and stop are the caller's."""
        loop = LoopingCall(function, *args)
        loop.clock = self._reactor
        return loop

    def sleep(self, seconds: float) -> Deferred[None]:
        """Fires after ``seconds``; cancelling it forgets the timer."""
        waiting: Deferred[None] = Deferred(lambda _: timer.cancel())
        timer = self.call_later(seconds, waiting.callback, None)
        return waiting
