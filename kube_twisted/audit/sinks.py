"""Where events go: to several places at once, and cut down to a size before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from twisted.internet.defer import Deferred, DeferredList
from twisted.logger import Logger

from kube_twisted.audit.event import Event
from kube_twisted.audit.levels import Level

#: ``batch``: nobody waits; ``blocking``: answers wait for their events; ``blocking-strict``: and fail without them.
MODES = BATCH, BLOCKING, BLOCKING_STRICT = "batch", "blocking", "blocking-strict"
_log = Logger()


class Sink(Protocol):
    """Takes events."""

    def process(self, event: Event) -> Deferred[bool] | None:
        """Take an event. Who has to wait gets a Deferred, which fires with False for an event that is lost, where
        that matters; it never fails.
        """

    async def close(self) -> None:
        """Pass on what waits, and take no more."""


class AuditCounts:
    """What is counted.

    :ivar errors: events that were lost, by where.
    :ivar rejected: requests that failed for it.
    """

    def __init__(self) -> None:
        self.events = 0
        self.levels: Counter[Level] = Counter()
        self.errors: Counter[str] = Counter()
        self.rejected = 0

    def lost(self, plugin: str, events: Sequence[Event], why: str) -> None:
        """Events did not get where they should; they are in the server's log instead, without their objects."""
        self.errors[plugin] += len(events)
        _log.error("audit: {plugin}: {why}; lost: {events}", plugin=plugin, why=why,
                   events=b"\n".join(event.legacy for event in events).decode())


class Union:
    """All of several sinks."""

    def __init__(self, sinks: Sequence[Sink]) -> None:
        self._sinks = tuple(sinks)

    def process(self, event: Event) -> Deferred[bool] | None:
        waits = [wait for sink in self._sinks if (wait := sink.process(event)) is not None]
        if len(waits) < 2:
            return waits[0] if waits else None
        return DeferredList(waits).addCallback(lambda results: all(result for _, result in results))

    async def close(self) -> None:
        for sink in self._sinks:
            await sink.close()


class Truncating:
    """Leaves out the objects of events that are too large; drops what is too large without them.

    :param most: bytes.
    """

    def __init__(self, sink: Sink, most: int, counts: AuditCounts) -> None:
        self._sink = sink
        self._most = most
        self._counts = counts

    def process(self, event: Event) -> Deferred[bool] | None:
        if len(event.json) > self._most:
            event = event.truncated()
            if len(event.json) > self._most:
                self._counts.lost("truncate", [event], "event is too large even after truncating")
                return None
        return self._sink.process(event)

    async def close(self) -> None:
        await self._sink.close()
