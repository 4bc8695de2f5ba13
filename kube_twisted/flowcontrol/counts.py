"""What is counted about the requests of one FlowSchema at one priority level."""

from __future__ import annotations

from collections import Counter

from kube_twisted.util.histogram import Histogram

#: Upper bounds in seconds, as the original's.
_DURATIONS = (0.0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0)
_LENGTHS = (0.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0)


class FlowCounts:
    """Counts of one schema and level.

    :ivar dispatched: requests that were worked on.
    :ivar executing: those that are at the moment.
    :ivar seats: the seats that these have.
    :ivar rejected: by reason: ``queue-full``, ``concurrency-limit``, ``time-out``, ``cancelled``.
    :ivar waits: how long requests waited, by whether they were worked on then.
    :ivar lengths: of queues, as requests found them.
    """

    __slots__ = ("dispatched", "executing", "lengths", "level", "queued", "queued_seats", "rejected", "schema", "seats",
                 "waits")

    def __init__(self, level: str, schema: str) -> None:
        self.level = level
        self.schema = schema
        self.dispatched = 0
        self.executing = 0
        self.seats = 0
        self.queued = 0
        self.queued_seats = 0
        self.rejected: Counter[str] = Counter()
        self.waits = {True: Histogram(_DURATIONS), False: Histogram(_DURATIONS)}
        self.lengths = Histogram(_LENGTHS)

    def began(self, seats: int) -> None:
        """A request is being worked on."""
        self.dispatched += 1
        self.executing += 1
        self.seats += seats

    def ended(self, seats: int) -> None:
        self.executing -= 1
        self.seats -= seats
