"""A priority level at work: seats, and queues for those who wait for one (KEP-1040)."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, inf
from typing import Any

from twisted.internet.defer import Deferred

from kube_twisted.flowcontrol.counts import FlowCounts
from kube_twisted.flowcontrol.dropped import RetryAfter
from kube_twisted.flowcontrol.limits import Demand, Limits
from kube_twisted.flowcontrol.matching import Digest
from kube_twisted.flowcontrol.queues import QueueSet, Waiting
from kube_twisted.flowcontrol.shuffle import deal, flow_hash
from kube_twisted.util.clock import Clock

#: How much of the past counts in a level's smoothed demand.
_SMOOTHING = 0.977
#: The share of a level's seats that one request may have.
_LARGEST_SHARE = 0.15


class Rejected(Exception):
    """There is no room for the request.

    :ivar reason: as metrics name it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PriorityLevel:
    """Seats of one level. Who finds enough of them free takes them at once, and is not seen by the queues.

    :ivar limit: how many seats there are at the moment; infinite for an exempt level.
    :ivar in_use: how many are taken.
    :ivar peak: how many could have been used at once since the last look.
    :ivar last_peak: the same between the two last looks.
    :ivar most_seats: how many one request can have at most; 0 for no limit.
    :ivar is_quiescing: it is gone, and still has requests.
    """

    def __init__(self, name: str, clock: Clock) -> None:
        self.name = name
        self.uid = ""
        self.is_exempt = False
        self.is_quiescing = False
        self.limit: float = inf
        self.limits = Limits(0, 0, 0)
        self.in_use = 0
        self.peak = 0
        self.last_peak = 0
        self.smoothed = 0.0
        self.most_seats = 0
        self.queues = QueueSet(clock.seconds)
        self.retry_after = RetryAfter()
        self._clock = clock
        self._queues_wanted = 0
        self._hand = 0
        self._hands: dict[tuple[str, str], tuple[int, ...]] = {}
        self._waiting_seats = 0
        self._is_serving = False

    def configure(self, uid: str, spec: Mapping[str, Any], limits: Limits) -> None:
        """Take over a PriorityLevelConfiguration's spec."""
        self.uid, self.limits, self.is_quiescing = uid, limits, False
        self.is_exempt = spec["type"] == "Exempt"
        if self.is_exempt:
            self.limit = inf
        response = (spec.get("limited") or {}).get("limitResponse") or {}
        queuing = response.get("queuing") or {}
        queues, hand = queuing.get("queues", 0), queuing.get("handSize", 0)
        if (queues, hand) != (self._queues_wanted, self._hand):
            self._queues_wanted, self._hand = queues, hand
            self._hands.clear()
        self.queues.configure(queues, queuing.get("queueLengthLimit", 0))
        self.most_seats = 0
        if queues and hand:
            self.most_seats = max(1, min(ceil(limits.nominal * _LARGEST_SHARE), limits.nominal // hand))

    @property
    def is_idle(self) -> bool:
        return not self.in_use and not self.queues.count

    # -- seats ----------------------------------------------------------------------------------------------------

    def has_room(self, seats: int) -> bool:
        """Whether a request can begin at once; one that wants more than there are gets them when it is alone."""
        if self.queues.count:
            return False
        return self.in_use + seats <= self.limit or not self.in_use

    def take(self, seats: int) -> None:
        """Take seats for which there is room."""
        self.in_use += seats
        if self.in_use > self.peak:
            self.peak = self.in_use

    async def wait(self, seats: int, counts: FlowCounts, digest: Digest, flow: str, patience: float) -> Waiting:
        """Wait for seats, which are taken then; to be given back by :meth:`leave`.

        :param patience: how many seconds at most.
        :raises Rejected: when there is no place to wait, or the wait takes too long.
        """
        if not self._queues_wanted:
            raise Rejected("concurrency-limit")
        waiting = Waiting(seats, counts, digest, flow, self._clock.seconds())
        if not self.queues.enqueue(waiting, self._hand_of(counts.schema, flow), self._current_limit):
            raise Rejected("queue-full")
        counts.lengths.observe(float(len(waiting.queue.waiting)))
        self._note(waiting, 1)
        self.peak = max(self.peak, self.in_use + self._waiting_seats)
        waiting.turn = Deferred(lambda _: self._withdraw(waiting, "cancelled"))
        timer = self._clock.call_later(max(patience, 0), self._give_up, waiting)
        self._serve()
        try:
            if not await waiting.turn:
                raise Rejected("time-out")
        finally:
            if timer.active():
                timer.cancel()
        return waiting

    def leave(self, waiting: Waiting) -> None:
        """A request that had to wait has ended."""
        self.queues.end(waiting, self._current_limit)
        self.release(waiting.seats)

    def release(self, seats: int) -> None:
        """Give seats back."""
        self.in_use -= seats
        if self.queues.count:
            self._serve()

    @property
    def _current_limit(self) -> int:
        return int(self.limit)

    def _hand_of(self, schema: str, flow: str) -> tuple[int, ...]:
        hand = self._hands.get((schema, flow))
        if hand is None:
            if len(self._hands) > 10_000:
                self._hands.clear()
            hand = self._hands[schema, flow] = deal(flow_hash(schema, flow), self._queues_wanted, self._hand)
        return hand

    def _note(self, waiting: Waiting, one: int) -> None:
        waiting.counts.queued += one
        waiting.counts.queued_seats += one * waiting.seats
        self._waiting_seats += one * waiting.seats

    def _serve(self) -> None:
        """Let requests begin as long as there are seats. One that ends meanwhile leaves the next to this loop."""
        if self._is_serving:
            return
        self._is_serving = True
        try:
            while (waiting := self.queues.first()) is not None:
                if self.in_use and self.in_use + waiting.seats > self.limit:
                    break
                self.queues.begin(waiting, self._current_limit)
                self._note(waiting, -1)
                self.in_use += waiting.seats
                waiting.counts.waits[True].observe(waiting.started - waiting.arrived)
                waiting.turn.callback(True)
        finally:
            self._is_serving = False

    def _give_up(self, waiting: Waiting) -> None:
        self._withdraw(waiting, "time-out")
        waiting.turn.callback(False)

    def _withdraw(self, waiting: Waiting, reason: str) -> None:
        self.queues.discard(waiting)
        self._note(waiting, -1)
        waiting.counts.waits[False].observe(self._clock.seconds() - waiting.arrived)
        if reason == "cancelled":
            waiting.counts.rejected[reason] += 1

    # -- lending --------------------------------------------------------------------------------------------------

    def take_demand(self) -> Demand:
        """What it wanted since the last look; begins anew."""
        peak = self.last_peak = self.peak
        self.peak = self.in_use + self._waiting_seats
        self.smoothed = max(float(peak), _SMOOTHING * self.smoothed + (1 - _SMOOTHING) * peak)
        return Demand(self.limits, peak, self.smoothed)

    def set_limit(self, seats: int) -> None:
        """Have so many seats from now on."""
        self.limit = seats
        if self.queues.count:
            self._serve()
