"""Coroutines and Deferreds."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks, finished_within, run_eagerly, sleep


async def returning(value: Any) -> Any:
    return value


async def raising(error: Exception) -> None:
    raise error


async def waiting(*deferreds: Deferred[Any]) -> list[Any]:
    return [await one for one in deferreds]


class RunEagerlyTests(SynchronousTestCase):
    def test_value_without_waiting(self) -> None:
        """A coroutine that need not wait gives its value, not a Deferred, also over fired Deferreds."""
        fired: Deferred[str] = Deferred()
        fired.callback("b")
        self.assertEqual(run_eagerly(returning("a")), "a")
        self.assertEqual(run_eagerly(waiting(fired)), ["b"])

    def test_error_without_waiting(self) -> None:
        """Its exception is raised at once."""
        self.assertRaises(KeyError, run_eagerly, raising(KeyError("x")))

    def test_waits_more_than_once(self) -> None:
        """A coroutine that waits gives a Deferred that fires with its value in the end."""
        first: Deferred[int] = Deferred()
        second: Deferred[int] = Deferred()
        result = run_eagerly(waiting(first, second))
        assert isinstance(result, Deferred)
        first.callback(1)
        self.assertNoResult(result)
        second.callback(2)
        self.assertEqual(self.successResultOf(result), [1, 2])

    def test_error_while_waiting_reaches_the_coroutine(self) -> None:
        """What it waits for fails inside the coroutine, which may handle that and go on."""
        bad: Deferred[None] = Deferred()
        good: Deferred[str] = Deferred()

        async def careful() -> str:
            try:
                await bad
            except KeyError:
                return await good
            return "unreachable"

        result = run_eagerly(careful())
        assert isinstance(result, Deferred)
        bad.errback(KeyError("x"))
        good.callback("handled")
        self.assertEqual(self.successResultOf(result), "handled")

    def test_error_after_waiting(self) -> None:
        """An exception after a wait is the Deferred's failure."""
        pending: Deferred[None] = Deferred()
        result = run_eagerly(waiting(pending))
        assert isinstance(result, Deferred)
        pending.errback(KeyError("x"))
        self.failureResultOf(result, KeyError)

    def test_cancelling(self) -> None:
        """Cancelling the Deferred cancels what the coroutine waits for."""
        cancelled: list[Deferred[None]] = []
        pending: Deferred[None] = Deferred(cancelled.append)
        result = run_eagerly(waiting(pending))
        assert isinstance(result, Deferred)
        result.cancel()
        self.failureResultOf(result, CancelledError)
        self.assertEqual(cancelled, [pending])


class TasksTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.tasks = Tasks()

    def test_tracked_until_ended(self) -> None:
        """A task counts while it runs."""
        pending: Deferred[None] = Deferred()
        self.tasks.start(waiting(pending), "waiting")
        self.tasks.start(returning(1), "done at once")
        self.assertEqual(len(self.tasks), 1)
        pending.callback(None)
        self.assertEqual(len(self.tasks), 0)

    def test_failures_are_logged(self) -> None:
        """A failing task is logged, whether it fails at once or later."""
        pending: Deferred[None] = Deferred()
        self.tasks.start(raising(KeyError("x")), "failing at once")
        self.tasks.start(waiting(pending), "failing later")
        pending.errback(ValueError("y"))
        self.assertEqual(len(self.flushLoggedErrors(KeyError, ValueError)), 2)

    def test_stop_cancels_and_waits(self) -> None:
        """Stopping cancels every task, and is over when those that clean up have done so."""
        cleaning: Deferred[None] = Deferred()

        async def tidy() -> None:
            try:
                await Deferred()
            finally:
                await cleaning

        self.tasks.start(tidy(), "tidy")
        self.tasks.start(waiting(Deferred()), "plain")
        stopped = self.tasks.stop()
        self.assertNoResult(stopped)
        cleaning.callback(None)
        self.successResultOf(stopped)
        self.assertEqual(len(self.tasks), 0)
        self.assertEqual(self.flushLoggedErrors(), [])

    def test_nothing_starts_after_stop(self) -> None:
        """A task offered after the end is not begun."""
        self.successResultOf(self.tasks.stop())
        begun: list[str] = []

        async def late() -> None:
            begun.append("late")

        self.tasks.start(late(), "late")
        self.assertEqual(begun, [])


class TimeTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.clock = Clock(self.time)

    def test_in_time(self) -> None:
        """Work that ends in time is reported so, and leaves no timer behind."""
        work: Deferred[int] = Deferred()
        result = Deferred.fromCoroutine(finished_within(self.clock, 5, work))
        self.time.advance(4)
        work.callback(1)
        self.assertTrue(self.successResultOf(result))
        self.assertEqual(self.time.getDelayedCalls(), [])

    def test_too_late(self) -> None:
        """Work that takes too long is cancelled and reported as unfinished; coroutines as well."""
        pending: Deferred[int] = Deferred()
        result = Deferred.fromCoroutine(finished_within(self.clock, 5, waiting(pending)))
        self.time.advance(5)
        self.assertFalse(self.successResultOf(result))
        self.assertTrue(pending.called)

    def test_failure_is_raised(self) -> None:
        """An error of the work is not taken for lateness, nor is a cancellation by somebody else."""
        broken = Deferred.fromCoroutine(finished_within(self.clock, 5, raising(KeyError("x"))))
        self.failureResultOf(broken, KeyError)
        work: Deferred[int] = Deferred()
        result = Deferred.fromCoroutine(finished_within(self.clock, 5, work))
        work.cancel()
        self.failureResultOf(result, CancelledError)

    def test_sleep(self) -> None:
        """Sleeping ends after its time, or when cancelled, without a timer left."""
        first, second = sleep(self.clock, 3), sleep(self.clock, 9)
        self.time.advance(3)
        self.successResultOf(first)
        second.cancel()
        self.failureResultOf(second, CancelledError)
        self.assertEqual(self.time.getDelayedCalls(), [])
