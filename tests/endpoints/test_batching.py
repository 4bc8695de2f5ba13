"""Watch frames go out together."""

from __future__ import annotations

from itertools import pairwise

from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.batching import FrameBatcher
from kube_twisted.util.clock import Clock


class Stream:
    def __init__(self, time: FakeTime) -> None:
        self._time = time
        self.flushed: list[float] = []

    def flush(self) -> None:
        self.flushed.append(round(self._time.seconds(), 4))


class BatcherTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.time.advance(100)
        self.batcher = FrameBatcher(Clock(self.time), 0.5)
        self.streams = [Stream(self.time), Stream(self.time)]

    def test_next_turn(self) -> None:
        """After a quiet time, frames go out at the reactor's next turn, those of all streams together."""
        for stream in self.streams:
            self.batcher.add(stream)
        self.assertEqual(self.streams[0].flushed, [])
        self.time.advance(0)
        self.assertEqual([one.flushed for one in self.streams], [[100.0], [100.0]])

    def test_interval(self) -> None:
        """While changes keep coming, there is a time between two writes."""
        for _ in range(10):
            self.batcher.add(self.streams[0])
            self.time.advance(0.1)
        self.assertEqual(self.streams[0].flushed[0], 100.1)
        times = sorted(set(self.streams[0].flushed))
        gaps = [after - before for before, after in pairwise(times)]
        self.assertTrue(gaps and all(gap + 0.001 >= 0.5 for gap in gaps), gaps)

    def test_added_while_flushing(self) -> None:
        """A stream that has more to say while it is flushed is flushed again."""
        stream = self.streams[0]
        self.patch(stream, "flush", lambda: (Stream.flush(stream), self.batcher.add(self.streams[1])))
        self.batcher.add(stream)
        self.time.advance(0)
        self.assertEqual(self.streams[1].flushed, [])
        self.time.advance(0.5)
        self.assertEqual(self.streams[1].flushed, [100.5])

    def test_clock_set_back(self) -> None:
        """A clock that is set back does not hold frames up for longer."""
        self.batcher.add(self.streams[0])
        self.time.advance(0)
        self.time.rightNow -= 50
        self.batcher.add(self.streams[0])
        self.time.advance(0.5)
        self.assertEqual(len(self.streams[0].flushed), 2)
