"""Watch frames on their way out: one write a stream for all that a burst of changes brings.

A change goes out at the reactor's next turn, when the answer to its writer is on the way already. While changes keep
coming, streams are written to at most every two milliseconds, each time with all frames since: a thousand watchers of
a busy resource cost a system call per batch instead of per event, on both sides.
"""

from __future__ import annotations

from typing import Protocol

from kube_twisted.util.clock import Clock

#: The shortest time between two writes to the streams, in seconds.
INTERVAL = 0.002


class Batched(Protocol):
    """A stream with frames to write."""

    def flush(self) -> None:
        """Write them."""


class FrameBatcher:
    """Flushes streams together."""

    def __init__(self, clock: Clock, interval: float = INTERVAL) -> None:
        self._clock = clock
        self._interval = interval
        self._waiting: list[Batched] = []
        self._flushed = 0.0

    def add(self, stream: Batched) -> None:
        """Flush the stream soon."""
        if not self._waiting:
            since = self._clock.seconds() - self._flushed
            self._clock.call_later(min(max(0.0, self._interval - since), self._interval), self._flush)
        self._waiting.append(stream)

    def _flush(self) -> None:
        self._flushed = self._clock.seconds()
        waiting, self._waiting = self._waiting, []
        for stream in waiting:
            stream.flush()
