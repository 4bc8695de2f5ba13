"""The order in which a server stops."""

from __future__ import annotations

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server.lifecycle import LifecycleSignals, ShutdownSequence
from kube_twisted.util.clock import Clock
from kube_twisted.util.signal import Signal

STEPS = ("stop_hooks", "stop_listening", "end_watches", "drain", "close_storage")


class SignalsTests(SynchronousTestCase):
    def test_names(self) -> None:
        """Each signal has kube-apiserver's name, and each server signals of its own."""
        names = [getattr(LifecycleSignals(), one.name).name for one in attrs.fields(LifecycleSignals)]
        self.assertEqual(sorted(names), [
            "AfterShutdownDelayDuration", "HTTPServerStoppedListening", "HasBeenReady",
            "InFlightRequestsDrained", "MuxAndDiscoveryComplete", "NotAcceptingNewRequest",
            "PreShutdownHooksStopped", "ShutdownInitiated"])
        self.assertIsNot(LifecycleSignals().has_been_ready, LifecycleSignals().has_been_ready)


class ShutdownTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.signals = LifecycleSignals()
        self.events: list[str] = []
        self.pending: dict[str, Deferred[None]] = {}
        for one in attrs.fields(LifecycleSignals):
            self.note(getattr(self.signals, one.name))

    def note(self, signal: Signal) -> None:
        signal.call(lambda: self.events.append(signal.name))

    def step(self, name: str) -> Deferred[None]:
        self.events.append(name)
        self.pending[name] = Deferred()
        return self.pending[name]

    def run_sequence(self, delay: float = 0, grace: float = 60) -> Deferred[None]:
        steps = {name: (lambda name=name: self.step(name)) for name in STEPS}
        sequence = ShutdownSequence(signals=self.signals, clock=Clock(self.time), delay=delay, grace=grace,
                                    **steps)
        return Deferred.fromCoroutine(sequence.run())

    def test_order(self) -> None:
        """Each step waits for the one before, and its signal tells that it is done."""
        done = self.run_sequence()
        for name in STEPS:
            self.assertEqual(self.events[-1], name)
            self.pending[name].callback(None)
        self.successResultOf(done)
        self.assertEqual(self.events, [
            "ShutdownInitiated", "AfterShutdownDelayDuration", "stop_hooks", "PreShutdownHooksStopped",
            "NotAcceptingNewRequest", "stop_listening", "HTTPServerStoppedListening", "end_watches", "drain",
            "InFlightRequestsDrained", "close_storage"])
        self.assertEqual(self.time.getDelayedCalls(), [])

    def test_delay_and_hooks_run_side_by_side(self) -> None:
        """Requests are refused only after both the delay and the hooks."""
        self.run_sequence(delay=10)
        self.pending["stop_hooks"].callback(None)
        self.assertTrue(self.signals.pre_shutdown_hooks_stopped.fired)
        self.time.advance(9)
        self.assertFalse(self.signals.not_accepting_new_request.fired)
        self.time.advance(1)
        self.assertTrue(self.signals.not_accepting_new_request.fired)

    def test_grace_ends(self) -> None:
        """Requests that don't end within the grace are no longer waited for."""
        done = self.run_sequence(grace=5)
        for name in STEPS[:3]:
            self.pending[name].callback(None)
        self.time.advance(5)
        self.assertTrue(self.signals.in_flight_requests_drained.fired)
        self.pending["close_storage"].callback(None)
        self.successResultOf(done)

    def test_failing_steps(self) -> None:
        """A step that fails is logged, and the rest happens all the same."""
        done = self.run_sequence()
        for name in STEPS:
            self.pending[name].errback(OSError(name))
        self.successResultOf(done)
        self.assertEqual(self.events[-2:], ["InFlightRequestsDrained", "close_storage"])
        self.assertEqual(len(self.flushLoggedErrors(OSError)), len(STEPS))
