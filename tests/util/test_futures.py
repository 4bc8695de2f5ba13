"""Deferreds and asyncio futures as each other."""

from __future__ import annotations

import asyncio
from typing import Any

from twisted.internet.defer import CancelledError, Deferred
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.util.futures import from_future, to_future


class FuturesTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.addCleanup(self.loop.close)

    def turn(self) -> None:
        """One round of the loop, in which asyncio calls its callbacks."""
        self.loop.call_soon(self.loop.stop)
        self.loop.run_forever()

    def test_deferred_to_future(self) -> None:
        """A future takes over the Deferred's value or error."""
        good: Deferred[str] = Deferred()
        bad: Deferred[str] = Deferred()
        value, error = to_future(good, self.loop), to_future(bad, self.loop)
        good.callback("value")
        bad.errback(KeyError("x"))
        self.assertEqual(value.result(), "value")
        self.assertIsInstance(error.exception(), KeyError)

    def test_future_from_future(self) -> None:
        """A Deferred takes over the future's value or error."""
        good: asyncio.Future[str] = self.loop.create_future()
        bad: asyncio.Future[str] = self.loop.create_future()
        value, error = from_future(good, self.loop), from_future(bad, self.loop)
        good.set_result("value")
        bad.set_exception(KeyError("x"))
        self.turn()
        self.assertEqual(self.successResultOf(value), "value")
        self.failureResultOf(error, KeyError)

    def test_cancelling_reaches_the_other(self) -> None:
        """Cancelling either side cancels the one behind it."""
        deferred: Deferred[Any] = Deferred()
        to_future(deferred, self.loop).cancel()
        self.turn()
        self.assertTrue(deferred.called)
        future: asyncio.Future[Any] = self.loop.create_future()
        adapted = from_future(future, self.loop)
        adapted.cancel()
        self.turn()
        self.assertTrue(future.cancelled())
        self.failureResultOf(adapted, CancelledError)

    def test_cancellation_of_the_source(self) -> None:
        """A source that is cancelled cancels its adapter."""
        deferred: Deferred[Any] = Deferred()
        future = to_future(deferred, self.loop)
        deferred.cancel()
        self.assertTrue(future.cancelled())
        source: asyncio.Future[Any] = self.loop.create_future()
        adapted = from_future(source, self.loop)
        source.cancel()
        self.turn()
        self.failureResultOf(adapted, CancelledError)
