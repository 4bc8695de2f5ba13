"""The log of events, written in a thread: all events that come while it writes are written together, the next time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.interfaces import IReactorFromThreads
from twisted.internet.threads import deferToThreadPool
from twisted.python.failure import Failure
from twisted.python.threadpool import ThreadPool

from kube_twisted.audit.event import Event
from kube_twisted.audit.sinks import BATCH, BLOCKING_STRICT, AuditCounts

FORMATS = JSON, LEGACY = "json", "legacy"
#: Events that wait at most where nobody waits for them.
_MOST_WAITING = 10_000


class LineFile(Protocol):
    """Where lines are written."""

    def write(self, lines: bytes) -> None: ...

    def close(self) -> None: ...


class Thread:
    """Runs one function after the other in a thread of its own; at once, where the reactor knows no threads."""

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor
        self._pool: ThreadPool | None = None

    def run(self, function: Callable[..., None], *args: Any) -> Deferred[None]:
        if not IReactorFromThreads.providedBy(self._reactor):
            return maybeDeferred(function, *args)
        if self._pool is None:
            self._pool = ThreadPool(1, 1, "audit")
            self._pool.start()
        return deferToThreadPool(self._reactor, self._pool, function, *args)

    def stop(self) -> None:
        if self._pool is not None:
            self._pool.stop()
            self._pool = None


class LogSink:
    """Writes events as lines.

    :param mode: whether answers wait, and whether they fail for what can't be written.
    """

    def __init__(self, file: LineFile, thread: Thread, format_: str, mode: str, counts: AuditCounts) -> None:
        self._file = file
        self._thread = thread
        self._format = format_
        self._mode = mode
        self._counts = counts
        self._waiting: list[tuple[Event, Deferred[bool]]] = []
        self._writing: Deferred[None] | None = None

    def process(self, event: Event) -> Deferred[bool] | None:
        if self._mode == BATCH and len(self._waiting) >= _MOST_WAITING:
            self._counts.lost("buffered", [event], "audit buffer queue blocked")
            return None
        done: Deferred[bool] = Deferred()
        self._waiting.append((event, done))
        if self._writing is None:
            self._begin()
        return None if self._mode == BATCH else done

    def _begin(self) -> None:
        batch, self._waiting = self._waiting, []
        self._writing = Deferred()
        written = self._thread.run(self._write, [event for event, _ in batch])
        written.addBoth(self._ended, batch)

    def _write(self, events: Sequence[Event]) -> None:
        lines = [event.json if self._format == JSON else event.legacy for event in events]
        self._file.write(b"\n".join(lines) + b"\n")

    def _ended(self, result: Failure | None, batch: Sequence[tuple[Event, Deferred[bool]]]) -> None:
        is_good = not isinstance(result, Failure)
        if isinstance(result, Failure):
            self._counts.lost("log", [event for event, _ in batch], result.getErrorMessage())
        ended, self._writing = self._writing, None
        if self._waiting:
            self._begin()
        for _, done in batch:
            done.callback(is_good or self._mode != BLOCKING_STRICT)
        if ended is not None:
            ended.callback(None)

    async def close(self) -> None:
        """Write what waits, and close the file."""
        while self._writing is not None:
            await self._writing
        await self._thread.run(self._file.close)
        self._thread.stop()
