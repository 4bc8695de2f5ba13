"""The queues of one priority level, and which of them is served next: fair queueing by start times.

A queue's virtual start time is when its first request would begin if every queue got the same share of the level's
seats. It moves on by the work that the queue gets. Source of the rules: KEP-1040, "Fair Queuing for Server Requests".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from twisted.internet.defer import Deferred

from kube_twisted.flowcontrol.counts import FlowCounts
from kube_twisted.flowcontrol.matching import Digest

#: Seconds that a request is expected to take until it has ended.
_EXPECTED = 0.003


class Waiting:
    """A request that waits for seats.

    :ivar turn: fires with True when it may begin, with False when it may not any more.
    :ivar arrived: in seconds since the epoch.
    """

    __slots__ = ("arrived", "counts", "digest", "flow", "queue", "seats", "started", "turn")

    def __init__(self, seats: int, counts: FlowCounts, digest: Digest, flow: str, arrived: float) -> None:
        self.seats = seats
        self.counts = counts
        self.digest = digest
        self.flow = flow
        self.arrived = arrived
        self.started = 0.0
        self.queue: Queue
        self.turn: Deferred[bool]


class Queue:
    """First come, first served.

    There are some hundred of them and nearly all are always empty, so they are small then: requests are in dicts, in
    the order in which they came.

    :ivar start: the virtual start time.
    :ivar executing: requests of this queue that are being worked on.
    """

    __slots__ = ("executing", "index", "seats", "start", "waiting")

    def __init__(self, index: int) -> None:
        self.index = index
        self.waiting: dict[Waiting, None] = {}
        self.executing: dict[Waiting, None] = {}
        self.seats = 0
        self.start = 0.0

    @property
    def is_active(self) -> bool:
        return bool(self.waiting or self.executing)

    @property
    def wanted(self) -> int:
        """Seats of all that waits or is being worked on."""
        return self.seats + sum(one.seats for one in self.waiting)


class QueueSet:
    """All queues of a level.

    :param seconds: tells the time.
    :ivar count: how many requests wait.
    """

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._queues: list[Queue] = []
        self._longest = 0
        self._now = 0.0
        self._updated = 0.0
        self._last = 0
        self.count = 0

    def configure(self, queues: int, longest: int) -> None:
        """Have so many queues, each of at most so many requests; those that are too many are emptied first."""
        self._longest = longest
        self._queues += [Queue(index) for index in range(len(self._queues), queues)]
        while len(self._queues) > queues and not self._queues[-1].is_active:
            self._queues.pop()

    def __iter__(self) -> Iterator[Queue]:
        return iter(self._queues)

    # -- coming and going -----------------------------------------------------------------------------------------

    def enqueue(self, waiting: Waiting, hand: Sequence[int], limit: int) -> bool:
        """Put a request into the queue of its hand that has the least to do; False when even that is full."""
        self._move_on(limit)
        queue = min((self._queues[index] for index in hand), key=lambda one: one.wanted)
        if len(queue.waiting) >= self._longest:
            return False
        if not queue.is_active:
            queue.start = self._now
        waiting.queue = queue
        queue.waiting[waiting] = None
        self.count += 1
        return True

    def discard(self, waiting: Waiting) -> None:
        """A request waits no longer."""
        del waiting.queue.waiting[waiting]
        self.count -= 1

    def first(self) -> Waiting | None:
        """Whose turn it is."""
        size = len(self._queues)
        best: Queue | None = None
        for offset in range(1, size + 1):
            queue = self._queues[(self._last + offset) % size]
            if queue.waiting and (best is None or queue.start < best.start):
                best = queue
        return next(iter(best.waiting)) if best is not None else None

    def begin(self, waiting: Waiting, limit: int) -> None:
        """The first request of its queue gets its seats."""
        self._move_on(limit)
        queue = waiting.queue
        del queue.waiting[waiting]
        self.count -= 1
        queue.executing[waiting] = None
        queue.seats += waiting.seats
        queue.start += _EXPECTED * waiting.seats
        waiting.started = self._seconds()
        self._last = queue.index

    def end(self, waiting: Waiting, limit: int) -> None:
        """A request that waited gives its seats back; its queue is charged for what it really took."""
        self._move_on(limit)
        queue = waiting.queue
        queue.executing.pop(waiting, None)
        queue.seats -= waiting.seats
        queue.start += (self._seconds() - waiting.started - _EXPECTED) * waiting.seats

    def _move_on(self, limit: int) -> None:
        """Virtual time runs as fast as a queue gets seats."""
        now = self._seconds()
        active = [queue for queue in self._queues if queue.is_active]
        if active:
            wanted = sum(queue.wanted for queue in active)
            self._now += (now - self._updated) * min(wanted, limit) / len(active)
        self._updated = now
