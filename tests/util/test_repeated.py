"""Work that is done again and again."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.util.clock import Clock
from kube_twisted.util.repeated import Repeated


class RepeatedTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.begun: list[float] = []
        self.outcome: Deferred[None] | Exception | None = None
        self.rounds = Repeated("the work", Clock(self.time), self.work)
        self.addCleanup(self.rounds.stop)

    async def work(self) -> None:
        self.begun.append(self.time.seconds())
        if isinstance(self.outcome, Exception):
            raise self.outcome
        if self.outcome is not None:
            await self.outcome

    def test_at_once(self) -> None:
        """The first round is at once, and then one comes each interval."""
        self.rounds.start(5)
        self.time.pump([5] * 2)
        self.assertEqual(self.begun, [0, 5, 10])

    def test_later(self) -> None:
        """Or an interval later."""
        self.rounds.start(5, now=False)
        self.time.pump([5] * 2)
        self.assertEqual(self.begun, [5, 10])

    def test_slow(self) -> None:
        """A round that takes longer is waited for."""
        self.outcome = Deferred()
        self.rounds.start(5)
        self.time.pump([3] * 4)
        self.assertEqual(self.begun, [0])
        self.outcome.callback(None)
        self.time.advance(3)
        self.assertEqual(self.begun, [0, 15])

    def test_failure(self) -> None:
        """One that fails is logged; the next one comes all the same."""
        self.outcome = ValueError("no")
        self.rounds.start(5)
        self.time.advance(5)
        self.assertEqual(self.begun, [0, 5])
        self.assertEqual(len(self.flushLoggedErrors(ValueError)), 2)

    def test_stop(self) -> None:
        """No round begins any more. It may be stopped twice, and without having been started."""
        self.rounds.stop()
        self.rounds.start(5)
        self.assertTrue(self.rounds.is_running)
        for _ in range(2):
            self.rounds.stop()
        self.time.advance(20)
        self.assertEqual((self.begun, self.rounds.is_running, self.time.getDelayedCalls()), ([0], False, []))
