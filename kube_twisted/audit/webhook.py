"""Events are sent to a webhook as EventLists: many together, or each at once."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.interfaces import IDelayedCall

from kube_twisted.audit.event import Event
from kube_twisted.audit.sinks import BATCH, BLOCKING_STRICT, AuditCounts
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks
from kube_twisted.util.https import BodyError, HTTPSClient, HTTPSError
from kube_twisted.util.tls import BadAuthorities
from kube_twisted.webhooks.kubeconfig import Remote

_HEADERS = {"User-Agent": "kube-apiserver", "Accept": "application/json, */*", "Content-Type": "application/json"}
_LIST = {"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "metadata": {}}
#: How often it is tried in all, and by how much longer each wait is than the one before.
_ATTEMPTS, _FACTOR = 5, 1.5
#: Seconds for one try.
_TIMEOUT = 30.0
#: Requests a second, and how many of them at once, where events are sent together.
_RATE, _BURST = 10.0, 15


class WebhookSink:
    """Sends events.

    :param remote: where to.
    :param mode: whether answers wait, and whether they fail for what can't be sent.
    :param batch_size: events that are sent together at most.
    :param batch_wait: seconds that events wait for others.
    :param buffer_size: events that may wait; more are lost.
    :param initial_backoff: seconds before the second try.
    """

    def __init__(self, remote: Remote, https: HTTPSClient, clock: Clock, mode: str, counts: AuditCounts, *,
                 batch_size: int, batch_wait: float, buffer_size: int, initial_backoff: float) -> None:
        self._remote = remote
        self._https = https
        self._clock = clock
        self._mode = mode
        self._counts = counts
        self._batch_size = batch_size
        self._batch_wait = batch_wait
        self._buffer_size = buffer_size
        self._initial_backoff = initial_backoff
        self._waiting: list[Event] = []
        self._timer: IDelayedCall | None = None
        self._tasks = Tasks()
        self._running: set[Deferred[bool]] = set()
        self._pauses: set[Deferred[None]] = set()
        self._allowance, self._allowed_at = float(_BURST), clock.seconds()
        self._closed = False

    def process(self, event: Event) -> Deferred[bool] | None:
        if self._mode != BATCH:
            return self._begin([event])
        if len(self._waiting) >= self._buffer_size or self._closed:
            self._counts.lost("buffered", [event], "audit buffer queue blocked")
            return None
        self._waiting.append(event)
        if self._timer is None:
            wait = self._batch_wait if len(self._waiting) < self._batch_size else 0.0
            self._timer = self._clock.call_later(max(wait, self._pause()), self._flush)
        elif len(self._waiting) == self._batch_size:
            self._timer.reset(self._pause())
        return None

    def _pause(self) -> float:
        """Seconds until the next request may be sent."""
        now = self._clock.seconds()
        self._allowance = min(self._allowance + (now - self._allowed_at) * _RATE, _BURST)
        self._allowed_at = now
        return max(0.0, (1 - self._allowance) / _RATE)

    def _flush(self) -> None:
        """Send what waits; what is more than one batch has to wait again."""
        self._timer = None
        batch, self._waiting = self._waiting[:self._batch_size], self._waiting[self._batch_size:]
        self._allowance -= 1
        self._begin(batch)
        if self._waiting:
            wait = self._batch_wait if len(self._waiting) < self._batch_size else 0.0
            self._timer = self._clock.call_later(max(wait, self._pause()), self._flush)

    def _begin(self, events: Sequence[Event]) -> Deferred[bool]:
        done: Deferred[bool] = Deferred()
        self._running.add(done)
        self._tasks.start(self._deliver(events, done), "sending audit events")
        return done

    async def _deliver(self, events: Sequence[Event], done: Deferred[bool]) -> None:
        body = orjson.dumps({**_LIST, "items": [event.fields for event in events]})
        wait, problem = self._initial_backoff, ""
        for attempt in range(_ATTEMPTS):
            if attempt:
                if not await self._paused(wait):
                    break
                wait *= _FACTOR
            problem = await self._post(body)
            if not problem:
                break
        if problem:
            self._counts.lost("webhook", events, problem)
        self._running.discard(done)
        done.callback(not problem or self._mode != BLOCKING_STRICT)

    async def _paused(self, seconds: float) -> bool:
        """Wait; False when the end comes first."""
        if self._closed:
            return False
        pause = self._clock.sleep(seconds)
        self._pauses.add(pause)
        try:
            await pause
        except CancelledError:
            return False
        finally:
            self._pauses.discard(pause)
        return True

    async def _post(self, body: bytes) -> str:
        """What went wrong."""
        remote = self._remote
        try:
            answer = await self._https.request(remote.server, "POST", remote.url, {**_HEADERS, **remote.headers}, body,
                                               timeout=_TIMEOUT)
        except (HTTPSError, BodyError, BadAuthorities) as error:
            return str(error)
        return "" if 200 <= answer.code < 300 else f"the webhook answered {answer.code}"

    async def close(self) -> None:
        """Send what waits, once; wait for what is being sent, but not for further tries."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for start in range(0, len(self._waiting), self._batch_size):
            self._begin(self._waiting[start:start + self._batch_size])
        self._waiting = []
        for pause in list(self._pauses):
            pause.cancel()
        for done in list(self._running):
            await done
        await self._tasks.stop()
