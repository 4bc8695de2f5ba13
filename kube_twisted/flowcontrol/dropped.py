"""When a client that was turned away should come again: later, the longer requests are turned away.

Source of the rules: apiserver's ``util/flowcontrol/dropped_requests_tracker.go``.
"""

from __future__ import annotations

from collections import Counter

_LONGEST = 32


class RetryAfter:
    """The ``Retry-After`` of one priority level.

    :ivar seconds: from 1 to 32.
    """

    def __init__(self) -> None:
        self.seconds = 1
        self._dropped: Counter[int] = Counter()
        self._second = 0
        self._raised_at = 0

    def record(self, now: float) -> None:
        """A request is turned away."""
        second = int(now)
        if second != self._second:
            self._second = second
            self._adapt(second)
        self._dropped[second] += 1

    def _adapt(self, now: int) -> None:
        """Double it when many were turned away within it, and come down slowly when few were."""
        for second in [one for one in self._dropped if now - one > min(2 * self.seconds, _LONGEST)]:
            del self._dropped[second]
        lately = sum(count for second, count in self._dropped.items() if 0 < now - second <= self.seconds)
        if now - self._raised_at >= self.seconds and lately >= 3 * self.seconds:
            self.seconds = min(2 * self.seconds, _LONGEST)
            self._raised_at = now
        elif lately < self.seconds and self.seconds > 1:
            self.seconds -= 1
