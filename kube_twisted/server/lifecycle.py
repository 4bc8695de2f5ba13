"""The life of a server: its named signals, and the order in which it stops.

Starting::

    routes and discovery installed  ->  MuxAndDiscoveryComplete
    /readyz succeeds at first       ->  HasBeenReady

Stopping::

    ShutdownInitiated                     SIGTERM; /readyz fails from here on
          |
          +---------------------------+
          |                           |
    the shutdown delay passes   pre-shutdown hooks run
          |                           |
    AfterShutdownDelayDuration  PreShutdownHooksStopped
          |                           |
          +-------------+-------------+
                        |
              NotAcceptingNewRequest      requests on open connections are refused
                        |
              the sockets are closed
                        |
              HTTPServerStoppedListening
                        |
              watches are ended; requests in flight may finish within the grace
                        |
              InFlightRequestsDrained     the last audit events are written
                        |
              the store is closed

After kube-apiserver's lifecycle signals (k8s.io/apiserver/pkg/server), without ShutdownSendRetryAfter.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import field, frozen
from twisted.internet.defer import gatherResults
from twisted.logger import Logger

from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import finished_within, sleep, to_deferred
from kube_twisted.util.signal import Signal

_log = Logger()

#: One step of stopping.
Step = Callable[[], Awaitable[object]]


def _signal(name: str) -> Signal:
    return field(factory=lambda: Signal(name), init=False)


@frozen
class LifecycleSignals:
    """What happens once in the life of a server."""

    mux_and_discovery_complete: Signal = _signal("MuxAndDiscoveryComplete")
    """All paths are installed: from now on a 404 is the truth."""

    has_been_ready: Signal = _signal("HasBeenReady")
    """/readyz has succeeded for the first time."""

    shutdown_initiated: Signal = _signal("ShutdownInitiated")
    """The server was told to stop; it is no longer ready, but serves."""

    after_shutdown_delay_duration: Signal = _signal("AfterShutdownDelayDuration")
    """The shutdown delay has passed, in which load balancers notice."""

    pre_shutdown_hooks_stopped: Signal = _signal("PreShutdownHooksStopped")
    """The hooks that still need the API at the end are done."""

    not_accepting_new_request: Signal = _signal("NotAcceptingNewRequest")
    """New requests are refused."""

    http_server_stopped_listening: Signal = _signal("HTTPServerStoppedListening")
    """The sockets are closed."""

    in_flight_requests_drained: Signal = _signal("InFlightRequestsDrained")
    """The requests that were under way have ended, or their grace has."""


@frozen(kw_only=True)
class ShutdownSequence:
    """Stops a server in the order drawn above.

    A step that fails is logged, and the next one runs: an end half-way would leave more behind.

    :ivar delay: seconds to serve on after the start of the end.
    :ivar grace: seconds that requests in flight have at most.
    :ivar stop_hooks: runs the pre-shutdown hooks.
    :ivar stop_listening: closes the sockets for new connections.
    :ivar end_watches: ends watches and other long-running requests.
    :ivar drain: fires when no other request is in flight; cancelled when the grace is over.
    :ivar close_storage: stops everything behind the requests, the store last.
    """

    signals: LifecycleSignals
    clock: Clock
    delay: float
    grace: float
    stop_hooks: Step
    stop_listening: Step
    end_watches: Step
    drain: Step
    close_storage: Step

    async def run(self) -> None:
        """Stop. Never fails."""
        signals = self.signals
        signals.shutdown_initiated.fire()
        await gatherResults([to_deferred(self._pass_delay()), to_deferred(self._run_hooks())])
        signals.not_accepting_new_request.fire()
        await _attempt("closing the sockets", self.stop_listening)
        signals.http_server_stopped_listening.fire()
        await _attempt("ending the watches", self.end_watches)
        await _attempt("waiting for requests in flight", self._drain)
        signals.in_flight_requests_drained.fire()
        await _attempt("closing the store", self.close_storage)

    async def _pass_delay(self) -> None:
        if self.delay > 0:
            await sleep(self.clock, self.delay)
        self.signals.after_shutdown_delay_duration.fire()

    async def _run_hooks(self) -> None:
        await _attempt("running the pre-shutdown hooks", self.stop_hooks)
        self.signals.pre_shutdown_hooks_stopped.fire()

    async def _drain(self) -> None:
        if not await finished_within(self.clock, self.grace, self.drain()):
            _log.warn("requests are still in flight after {grace} s; not waiting longer", grace=self.grace)


async def _attempt(what: str, step: Step) -> None:
    try:
        await step()
    except Exception:
        _log.failure("{what} failed", what=what)
