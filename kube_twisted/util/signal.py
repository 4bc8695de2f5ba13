"""Named one-shot signals: something happens once, and stays happened."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.defer import Deferred
from twisted.logger import Logger

_log = Logger()


class Signal:
    """An event with a name that happens at most once.

    :ivar name: for the log.
    :ivar fired: whether it has happened.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.fired = False
        self._waiting: list[Callable[[], None]] = []

    def __repr__(self) -> str:
        return f"<Signal {self.name}{' fired' if self.fired else ''}>"

    def fire(self) -> None:
        """Let it happen, and call everybody who waits, in the order of asking. Again is without effect."""
        if self.fired:
            return
        self.fired = True
        _log.info("{name}", name=self.name)
        waiting, self._waiting = self._waiting, []
        for function in waiting:
            self._call(function)

    def call(self, function: Callable[[], None]) -> None:
        """Call when it happens; at once if it has. A function that fails is logged and disturbs nobody."""
        if self.fired:
            self._call(function)
        else:
            self._waiting.append(function)

    def _call(self, function: Callable[[], None]) -> None:
        try:
            function()
        except Exception:
            _log.failure("after {name}", name=self.name)

    def wait(self) -> Deferred[None]:
        """A Deferred of the caller's own that fires when it happens; cancelling it ends only this wait."""

        def forget(_: Deferred[None]) -> None:
            if fire in self._waiting:
                self._waiting.remove(fire)

        def fire() -> None:
            if not waiter.called:
                waiter.callback(None)

        waiter: Deferred[None] = Deferred(forget)
        if self.fired:
            fire()
        else:
            self._waiting.append(fire)
        return waiter
