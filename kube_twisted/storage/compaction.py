"""Forget old revisions in time: the count of what is superseded, and the loop that compacts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from attrs import define
from zope.interface import Attribute

from kube_twisted.storage.interfaces import Event, EventType, IStore, StoreClosed
from kube_twisted.util.clock import Clock
from kube_twisted.util.repeated import Repeated

#: How often the present revision is noted and the log's size looked at, as a share of the interval.
TICKS_PER_INTERVAL = 10


class Superseded:
    """How much of a log only serves those who look back: overwritten rows, deleted ones, and deletions.

    :ivar rows: their number.
    :ivar bytes: the size of their values.
    """

    def __init__(self) -> None:
        self.rows = 0
        self.bytes = 0
        self._parts: deque[tuple[int, int, int]] = deque()

    def add(self, revision: int, rows: int, size: int = 0) -> None:
        """Count ``rows`` that a compaction to ``revision`` or later takes away."""
        if rows:
            self._parts.append((revision, rows, size))
            self.rows += rows
            self.bytes += size

    def note(self, events: Iterable[Event]) -> None:
        """Count what committed events, in order of revision, have replaced."""
        rows = size = revision = 0
        for event in events:
            if event.previous is not None:
                rows += 2 if event.type is EventType.DELETED else 1
                size += len(event.previous)
            revision = event.revision
        self.add(revision, rows, size)

    def compacted(self, revision: int) -> None:
        """A compaction to ``revision`` is done."""
        while self._parts and self._parts[0][0] <= revision:
            _, rows, size = self._parts.popleft()
            self.rows -= rows
            self.bytes -= size

    def copy(self) -> Superseded:
        twin = Superseded()
        twin.rows, twin.bytes, twin._parts = self.rows, self.bytes, self._parts.copy()
        return twin


class ICompactable(IStore):
    """A store that knows how much a compaction could free."""

    superseded = Attribute("What only serves those who look back.")


@define
class _Mark:
    """The revision that was current at a moment."""

    seconds: float
    revision: int


class Compactor:
    """Compacts a store to the revision of ``interval`` seconds ago.

    This is kube-apiserver's ``--etcd-compaction-interval``. When more than ``max_rows`` or ``max_bytes`` are
    superseded, everything before the tick before goes, so that watchers have at least that long to resume.

    :param interval: how long history is kept, in seconds; 0 for ever, whatever its size.
    """

    def __init__(self, store: ICompactable, clock: Clock, interval: float = 300.0, max_rows: int = 200_000,
                 max_bytes: int = 512 * 1024 * 1024) -> None:
        self._store = store
        self._clock = clock
        self._interval = interval
        self._max_rows = max_rows
        self._max_bytes = max_bytes
        self._marks: deque[_Mark] = deque()
        self._rounds = Repeated("compaction", clock, self._round)

    def start(self) -> None:
        """Begin to note revisions; the first compaction comes an interval later."""
        if self._interval:
            self._rounds.start(self._interval / TICKS_PER_INTERVAL)

    def stop(self) -> None:
        """No further compaction begins."""
        self._rounds.stop()

    async def _round(self) -> None:
        """Compact as far as age or size ask for."""
        revision = self._due()
        self._marks.append(_Mark(self._clock.seconds(), self._store.current_revision))
        if revision <= self._store.compacted_revision:
            return
        with suppress(StoreClosed):
            await self._store.compact(revision)

    def _due(self) -> int:
        """The revision to compact to, 0 for none; the marks before it are dropped."""
        if not self._marks:
            return 0
        superseded = self._store.superseded
        if superseded.rows > self._max_rows or superseded.bytes > self._max_bytes:
            last = self._marks[-1]
            self._marks.clear()
            return last.revision
        horizon = self._clock.seconds() - self._interval
        revision = 0
        while self._marks and self._marks[0].seconds <= horizon:
            revision = self._marks.popleft().revision
        return revision
