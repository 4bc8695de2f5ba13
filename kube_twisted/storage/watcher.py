"""One watch: which changes it sees, as which type of event, and what happens when its reader is slow."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.selection import Selection

#: How many events may wait for a slow reader before its watch is ended, so that it lists anew.
MOST_WAITING = 10_000
#: How many bytes of frames may wait.
MOST_WAITING_BYTES = 16 * 1024 * 1024

ADDED, MODIFIED, DELETED = "ADDED", "MODIFIED", "DELETED"


class WatchEvent:
    """One change of one object, with its encoded frames: made once, sent to every watcher.

    :ivar item: the new state; for a deletion the last state under the deletion's revision.
    :ivar old: the state before, None for a creation.
    """

    __slots__ = ("deleted", "frames", "item", "old", "revision")

    def __init__(self, item: CachedObject, old: CachedObject | None, revision: int, deleted: bool = False) -> None:
        self.item = item
        self.old = old
        self.revision = revision
        self.deleted = deleted
        self.frames: dict[tuple[object, str], bytes] = {}

    def type_for(self, selection: Selection) -> str | None:
        """What the change is to a watcher that sees only the selection: leaving it is a deletion."""
        before = self.old is not None and selection.matches(self.old)
        if self.deleted:
            return DELETED if before else None
        if selection.matches(self.item):
            return MODIFIED if before else ADDED
        return DELETED if before else None

    def shown(self, type_: str) -> CachedObject:
        """The object that the event carries: one that left the selection is shown as it was, at this revision."""
        if type_ == DELETED and not self.deleted and self.old is not None:
            return self.old.at(self.revision)
        return self.item


class Listener(Protocol):
    """Whom a cache tells about changes."""

    selection: Selection

    def deliver(self, change: WatchEvent) -> None:
        """A change in the namespace of the selection; called in the midst of somebody's write."""

    def end(self) -> None:
        """The cache goes away."""


class FrameMaker(Protocol):
    """Encodes events in one representation (JSON objects, Tables, metadata only)."""

    def frame(self, type_: str, item: CachedObject) -> bytes:
        """The bytes of one event."""


class Sink(Protocol):
    """Where frames go."""

    def write(self, frame: bytes) -> None: ...

    def ended(self) -> None: ...


class Watcher:
    """Delivers changes to one sink; waits while the sink is paused, and ends when too much waits.

    :param shared: whether frames of ``frames`` may be shared with other watchers under its identity.
    :param on_end: called once, when the watch is over for whatever reason.
    """

    def __init__(self, selection: Selection, frames: FrameMaker, sink: Sink, on_end: Callable[[Watcher], None],
                 shared: object | None = None) -> None:
        self.selection = selection
        self.revision = 0
        self._frames = frames
        self._sink = sink
        self._on_end = on_end
        self._shared = shared
        self._paused = False
        self._ended = False
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        #: number of events sent, for metrics
        self.sent = 0

    def deliver(self, change: WatchEvent) -> None:
        """Send a change if it concerns the selection."""
        if change.revision <= self.revision:
            return
        self.revision = change.revision
        if self.selection.everything:
            type_: str | None = DELETED if change.deleted else ADDED if change.old is None else MODIFIED
        else:
            type_ = change.type_for(self.selection)
        if type_ is not None:
            self.send(self._frame(change, type_))

    def _frame(self, change: WatchEvent, type_: str) -> bytes:
        if self._shared is None:
            return self._frames.frame(type_, change.shown(type_))
        key = (self._shared, type_)
        frame = change.frames.get(key)
        if frame is None:
            frame = change.frames[key] = self._frames.frame(type_, change.shown(type_))
        return frame

    def send(self, frame: bytes) -> None:
        """Send a frame, or keep it while the reader is slow."""
        if self._ended:
            return
        self.sent += 1
        if not self._paused:
            self._sink.write(frame)
            return
        self._waiting.append(frame)
        self._waiting_bytes += len(frame)
        if len(self._waiting) > MOST_WAITING or self._waiting_bytes > MOST_WAITING_BYTES:
            self.end()

    def send_made(self, make: Callable[[], bytes]) -> None:
        """Send a frame that is made when all before it are."""
        self.send(make())

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        """Send what waited, until the sink pauses again."""
        self._paused = False
        while self._waiting and not self._paused:
            frame = self._waiting.popleft()
            self._waiting_bytes -= len(frame)
            self._sink.write(frame)

    def end(self) -> None:
        """End the stream: on time-out, at shutdown, when the reader is too slow or gone."""
        if self._ended:
            return
        self._ended = True
        self._waiting.clear()
        self._on_end(self)
        self._sink.ended()
