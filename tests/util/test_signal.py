"""Named one-shot signals."""

from __future__ import annotations

from twisted.internet.defer import CancelledError
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.util.signal import Signal


class SignalTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.signal = Signal("Ready")
        self.calls: list[str] = []

    def test_everybody_who_waits_is_told_in_order(self) -> None:
        """Functions and Deferreds are called in the order in which they were asked for."""
        self.signal.call(lambda: self.calls.append("first"))
        self.signal.wait().addCallback(lambda _: self.calls.append("second"))
        self.signal.call(lambda: self.calls.append("third"))
        self.assertEqual(self.calls, [])
        self.signal.fire()
        self.assertEqual(self.calls, ["first", "second", "third"])
        self.assertTrue(self.signal.fired)

    def test_late_comers_are_told_at_once(self) -> None:
        """After it has happened nobody waits."""
        self.signal.fire()
        self.signal.call(lambda: self.calls.append("called"))
        self.successResultOf(self.signal.wait())
        self.assertEqual(self.calls, ["called"])

    def test_fires_once(self) -> None:
        """A second fire calls nobody again."""
        self.signal.call(lambda: self.calls.append("called"))
        self.signal.fire()
        self.signal.fire()
        self.assertEqual(self.calls, ["called"])

    def test_one_failure_disturbs_nobody(self) -> None:
        """A function that fails is logged, and the next one is called."""
        self.signal.call(lambda: self.calls.remove("missing"))
        self.signal.call(lambda: self.calls.append("next"))
        self.signal.fire()
        self.assertEqual(self.calls, ["next"])
        self.assertEqual(len(self.flushLoggedErrors(ValueError)), 1)

    def test_cancelling_one_wait(self) -> None:
        """A cancelled wait ends alone, even while the signal is firing."""
        before, kept = self.signal.wait(), self.signal.wait()
        before.cancel()
        self.failureResultOf(before, CancelledError)
        self.signal.call(lambda: during.cancel())
        during = self.signal.wait()
        self.signal.fire()
        self.successResultOf(kept)
        self.failureResultOf(during, CancelledError)

    def test_says_its_name(self) -> None:
        """Its repr tells the name and whether it has happened."""
        self.assertEqual(repr(self.signal), "<Signal Ready>")
        self.signal.fire()
        self.assertEqual(repr(self.signal), "<Signal Ready fired>")
