"""A priority level at work."""

from __future__ import annotations

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.flowcontrol.counts import FlowCounts
from kube_twisted.flowcontrol.level import PriorityLevel, Rejected
from kube_twisted.flowcontrol.limits import Limits
from kube_twisted.flowcontrol.queues import Waiting
from kube_twisted.util.clock import Clock
from tests.flowcontrol.objects import asks, level


class LevelTestCase(SynchronousTestCase):
    def setUp(self) -> None:
        self.reactor = FakeReactor()
        self.counts = FlowCounts("busy", "schema")

    def level(self, seats: int, queues: int = 0, hand: int = 1, length: int = 50) -> PriorityLevel:
        made = PriorityLevel("busy", Clock(self.reactor))
        spec = level("busy", queues=queues, hand=hand, length=length)["spec"]
        made.configure("uid", spec, Limits(seats, seats, seats))
        made.set_limit(seats)
        return made

    def wait(self, level: PriorityLevel, flow: str = "ann", seats: int = 1, patience: float = 15) -> Deferred[Waiting]:
        return Deferred.fromCoroutine(level.wait(seats, self.counts, asks(flow), flow, patience))


class RoomTests(LevelTestCase):
    def test_room(self) -> None:
        """There is room up to the limit."""
        level = self.level(2)
        for _ in range(2):
            self.assertTrue(level.has_room(1))
            level.in_use += 1
        self.assertFalse(level.has_room(1))
        level.release(1)
        self.assertTrue(level.has_room(1))

    def test_large_request_alone(self) -> None:
        """A request that wants more seats than there are gets them when no other has any."""
        level = self.level(2)
        self.assertTrue(level.has_room(5))
        level.in_use = 1
        self.assertFalse(level.has_room(5))

    def test_rejecting(self) -> None:
        """A level without queues turns requests away."""
        level = self.level(1)
        level.in_use = 1
        self.assertEqual(self.failureResultOf(self.wait(level), Rejected).value.reason, "concurrency-limit")

    def test_nobody_overtakes(self) -> None:
        """As long as somebody waits, others have to wait too, even if they want less."""
        level = self.level(3, queues=1)
        level.in_use = 2
        self.wait(level, seats=2)
        self.assertFalse(level.has_room(1))

    def test_largest_request(self) -> None:
        """One request can have 15 % of the seats, and no more than a hand's share of them."""
        self.assertEqual(self.level(100, queues=8, hand=2).most_seats, 15)
        self.assertEqual(self.level(100, queues=64, hand=20).most_seats, 5)
        self.assertEqual(self.level(100).most_seats, 0)


class WaitingTests(LevelTestCase):
    def test_turn(self) -> None:
        """Who waits begins when a seat is given back, first come, first served."""
        level = self.level(1, queues=1)
        level.in_use = 1
        first, second = self.wait(level), self.wait(level)
        self.assertNoResult(first)
        self.assertEqual((self.counts.queued, self.counts.queued_seats), (2, 2))
        self.reactor.advance(3)
        level.release(1)
        waiting = self.successResultOf(first)
        self.assertNoResult(second)
        level.leave(waiting)
        level.leave(self.successResultOf(second))
        self.assertEqual((level.in_use, self.counts.queued), (0, 0))
        self.assertTrue(level.is_idle)
        self.assertEqual(self.counts.waits[True].total, 6.0)

    def test_full_queue(self) -> None:
        """A queue that is full takes no more."""
        level = self.level(1, queues=1, length=2)
        level.in_use = 1
        self.wait(level)
        self.wait(level)
        self.assertEqual(self.failureResultOf(self.wait(level), Rejected).value.reason, "queue-full")

    def test_patience(self) -> None:
        """Who waits too long is turned away, and keeps no place."""
        level = self.level(1, queues=1)
        level.in_use = 1
        waiting = self.wait(level, patience=15)
        self.reactor.advance(14)
        self.assertNoResult(waiting)
        self.reactor.advance(1)
        self.assertEqual(self.failureResultOf(waiting, Rejected).value.reason, "time-out")
        level.release(1)
        self.assertTrue(level.is_idle)
        self.assertEqual(self.counts.waits[False].total, 15.0)

    def test_client_leaves(self) -> None:
        """Whose client leaves keeps no place, and no timer."""
        level = self.level(1, queues=1)
        level.in_use = 1
        waiting = self.wait(level)
        waiting.cancel()
        self.failureResultOf(waiting, CancelledError)
        self.assertEqual(self.counts.rejected, {"cancelled": 1})
        self.assertEqual(self.reactor.getDelayedCalls(), [])
        level.release(1)
        self.assertTrue(level.is_idle)

    def test_many_end_in_the_same_turn(self) -> None:
        """A thousand requests that wait for one another, and end at once, do not pile up on the stack."""
        level = self.level(1, queues=1, length=2000)
        level.in_use = 1
        for _ in range(1000):
            self.wait(level).addCallback(level.leave)
        level.release(1)
        self.assertTrue(level.is_idle)

    def test_more_seats(self) -> None:
        """Seats that others lend are used at once."""
        level = self.level(1, queues=1)
        level.in_use = 1
        waiting = self.wait(level)
        level.set_limit(2)
        self.successResultOf(waiting)

    def test_fewer_queues(self) -> None:
        """Requests go on waiting when a level gets fewer queues, or none."""
        level = self.level(1, queues=8, hand=8)
        level.in_use = 1
        waits = [self.wait(level).addCallback(level.leave) for _ in range(8)]
        level.configure("uid", {"type": "Limited", "limited": {"limitResponse": {"type": "Reject"}}}, Limits(1, 1, 1))
        self.failureResultOf(self.wait(level), Rejected)
        level.release(1)
        for wait in waits:
            self.successResultOf(wait)
        self.assertTrue(level.is_idle)


class FairnessTests(LevelTestCase):
    def _served(self, level: PriorityLevel, waits: list[tuple[str, Deferred[Waiting]]], seconds: float = 0.1) -> str:
        """Give seats back one after the other; the first letters of the flows in the order in which they begin."""
        order = ""
        level.release(1)
        while waits:
            for entry in [one for one in waits if one[1].called]:
                waits.remove(entry)
                order += entry[0][0]
                self.reactor.advance(seconds)
                level.leave(self.successResultOf(entry[1]))
        return order

    def test_flood(self) -> None:
        """A flow that sends many requests does not keep one of few requests waiting for all of them."""
        level = self.level(1, queues=64, hand=1)
        level.in_use = 1
        waits = [("flood", self.wait(level, "flood")) for _ in range(10)]
        waits += [("small", self.wait(level, "small")) for _ in range(2)]
        self.assertIn(self._served(level, waits), ("fsfsffffffff", "sfsfffffffff"))

    def test_expensive_requests(self) -> None:
        """A flow of requests with many seats gets fewer turns."""
        level = self.level(4, queues=64, hand=1)
        level.in_use = 4
        waits = [("large", self.wait(level, "large", seats=4)) for _ in range(3)]
        waits += [("small", self.wait(level, "small")) for _ in range(8)]
        level.release(3)
        order = self._served(level, waits)
        self.assertEqual(sorted(order), sorted("lllssssssss"))
        self.assertGreater(order.index("l", 1), 4)


class DemandTests(LevelTestCase):
    def test_peak(self) -> None:
        """The peak counts who works and who waits; it begins anew with every look, its average goes down slowly."""
        level = self.level(1, queues=1)
        level.in_use = level.peak = 1
        for _ in range(3):
            self.wait(level)
        demand = level.take_demand()
        self.assertEqual((demand.peak, demand.smoothed), (4, 4.0))
        level.release(1)
        self.assertEqual(level.take_demand().peak, 4)
        self.assertAlmostEqual(level.take_demand().smoothed, 4 * 0.977 + 3 * 0.023, 6)
