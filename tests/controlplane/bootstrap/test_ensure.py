"""Much of the work at once, but not all of it."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.bootstrap.ensure import all_at_once


class AllAtOnceTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.waiting: list[Deferred[None]] = []
        self.begun = 0

    async def one(self) -> None:
        self.begun += 1
        turn: Deferred[None] = Deferred()
        self.waiting.append(turn)
        await turn

    def finish(self, count: int) -> None:
        """So many of those that wait come to their end."""
        ending, self.waiting = self.waiting[:count], self.waiting[count:]
        for one in ending:
            one.callback(None)

    def test_in_parts(self) -> None:
        """The next part begins when the one before is done; it ends with the last."""
        all_done = Deferred.fromCoroutine(all_at_once(self.one() for _ in range(100)))
        for begun in (40, 80, 100):
            self.assertEqual(self.begun, begun)
            self.assertNoResult(all_done)
            self.finish(39)
            self.assertEqual(self.begun, begun)
            self.finish(1)
        self.successResultOf(all_done)

    def test_nothing(self) -> None:
        """Nothing to do is done at once."""
        self.successResultOf(Deferred.fromCoroutine(all_at_once([])))

    def test_error(self) -> None:
        """The first error is raised, without waiting for the others."""
        failing: Deferred[None] = Deferred()
        all_done = Deferred.fromCoroutine(all_at_once([self.one(), failing, self.one()]))
        failing.errback(ValueError("no"))
        self.assertEqual(str(self.failureResultOf(all_done, ValueError).value), "no")
        self.finish(2)
