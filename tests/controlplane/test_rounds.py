"""Work in rounds, on a clock that is moved by hand."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeReactor
from twisted.logger import LogEvent, formatEvent, globalLogPublisher
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import service_unavailable
from kube_twisted.controlplane.rounds import Rounds
from kube_twisted.storage.interfaces import StoreClosed, StoreFailed
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.starting import StartError


class RoundsTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.clock = FakeReactor()
        self.begun = 0
        self.errors: list[Exception] = []
        self.wait: Deferred[None] | None = None

    async def work(self) -> None:
        self.begun += 1
        if self.errors:
            raise self.errors.pop()
        if self.wait is not None:
            await self.wait

    def rounds(self, interval: float = 10, essential: bool = True) -> Rounds:
        return Rounds("looking", Clock(self.clock), interval, self.work, essential=essential)

    def started(self, rounds: Rounds) -> Rounds:
        self.successResultOf(to_deferred(rounds.start()))
        return rounds

    def test_interval(self) -> None:
        """One round at the start, then one every interval, until it is stopped."""
        rounds = self.started(self.rounds())
        self.clock.pump([5, 5, 10, 10])
        self.assertEqual(self.begun, 4)
        rounds.stop()
        self.clock.advance(100)
        self.assertEqual(self.begun, 4)

    def test_first_round(self) -> None:
        """A first round that fails is what the start fails of."""
        self.errors = [service_unavailable("no")]
        failure = self.failureResultOf(to_deferred(self.rounds().start()), StartError)
        self.assertEqual(str(failure.value), "looking: no")
        self.clock.advance(100)
        self.assertEqual(self.begun, 1)

    def test_unessential_first_round(self) -> None:
        """What is not essential is tried again later."""
        self.errors = [service_unavailable("no")]
        self.started(self.rounds(essential=False))
        self.clock.advance(10)
        self.assertEqual(self.begun, 2)

    def test_later_round(self) -> None:
        """A later round that fails is logged, and the next one runs."""
        self.started(self.rounds())
        self.errors = [RuntimeError("no")]
        self.clock.pump([10, 10])
        self.assertEqual((self.begun, len(self.flushLoggedErrors(RuntimeError))), (3, 1))

    def test_store_failure(self) -> None:
        """A round that fails of the store, or is refused, is one line in the log, without a traceback."""
        logged: list[LogEvent] = []
        globalLogPublisher.addObserver(logged.append)
        self.addCleanup(globalLogPublisher.removeObserver, logged.append)
        self.started(self.rounds())
        self.errors = [service_unavailable("no"), StoreClosed("the store is not running"),
                       StoreFailed("the store cannot be written: disk I/O error")]
        self.clock.pump([10, 10, 10, 10])
        lines = [formatEvent(one) for one in logged if one["log_namespace"].endswith(".Rounds")]
        self.assertEqual(lines, ["looking: the store cannot be written: disk I/O error",
                                 "looking: the store is not running", "looking: no"])
        self.assertEqual((self.begun, self.flushLoggedErrors()), (5, []))

    def test_long_round(self) -> None:
        """A round waits for the end of the one before; stopping breaks it off."""
        rounds = self.started(self.rounds())
        self.wait = Deferred()
        self.clock.pump([10] * 5)
        self.assertEqual(self.begun, 2)
        rounds.stop()
        self.assertTrue(self.wait.called)

    def test_only_once(self) -> None:
        """Without an interval there is one round; one that is stopped never goes on."""
        self.started(self.rounds(0))
        stopped = self.rounds()
        stopped.stop()
        stopped.go_on()
        self.clock.advance(1000)
        self.assertEqual(self.begun, 1)
