"""Watches whose objects have to be converted before they are sent: what happened first is sent first all the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watcher import MOST_WAITING, Sink, Watcher, WatchEvent
from kube_twisted.util.deferreds import Tasks

#: Converts objects; raises StatusError.
Show = Callable[[Sequence[CachedObject]], Awaitable[list[CachedObject]]]
#: An event as it is stored, or what makes a frame that needs no conversion.
_Entry = tuple[str, CachedObject] | Callable[[], bytes]
#: How many objects are converted together.
_BATCH = 100


class ConvertedWatcher(Watcher):
    """A watcher with a line before its frames, in which events wait for their conversion.

    A conversion that fails is an ERROR event, and the end of the watch. One that is under way when the watch ends is
    waited for, and forgotten.

    :param show: converts.
    """

    def __init__(self, selection: Selection, encoder: Encoder, sink: Sink, on_end: Callable[[Watcher], None],
                 show: Show) -> None:
        super().__init__(selection, encoder, sink, on_end)
        self._encoder = encoder
        self._show = show
        self._line: deque[_Entry] = deque()
        self._begun = False
        self._converting = False
        self._tasks = Tasks()

    def begin(self, events: list[tuple[str, CachedObject]], last: Callable[[], bytes] | None) -> None:
        """The stream is open: send these first, then what has come meanwhile.

        :param last: makes the frame that ends the initial events.
        """
        first: list[_Entry] = [*events, *([last] if last is not None else [])]
        self._line.extendleft(reversed(first))
        self._begun = True
        self._convert()

    def deliver(self, change: WatchEvent) -> None:
        if change.revision <= self.revision:
            return
        self.revision = change.revision
        type_ = change.type_for(self.selection)
        if type_ is not None:
            self._enter((type_, change.shown(type_)))

    def send(self, frame: bytes) -> None:
        self._enter(lambda: frame)

    def send_made(self, make: Callable[[], bytes]) -> None:
        self._enter(make)

    def end(self) -> None:
        self._line.clear()
        super().end()

    def _enter(self, entry: _Entry) -> None:
        if self._ended:
            return
        self._line.append(entry)
        if len(self._line) > MOST_WAITING:
            self.end()
        else:
            self._convert()

    def _convert(self) -> None:
        if self._begun and self._line and not self._converting:
            self._converting = True
            self._tasks.start(self._work(), "conversion of watched objects")

    async def _work(self) -> None:
        try:
            while self._line and not self._ended:
                await self._send_batch([self._line.popleft() for _ in range(min(_BATCH, len(self._line)))])
        except StatusError as error:
            super().send(self._encoder.error(error))
            self.end()
        finally:
            self._converting = False

    async def _send_batch(self, entries: list[_Entry]) -> None:
        shown = iter(await self._show([entry[1] for entry in entries if isinstance(entry, tuple)]))
        for entry in entries:
            super().send(self._encoder.frame(entry[0], next(shown)) if isinstance(entry, tuple) else entry())
