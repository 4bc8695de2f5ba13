"""Watch streams: which events come first, bookmarks, time-outs, and the end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import define, field
from twisted.internet.interfaces import IDelayedCall

from kube_twisted.api import errors
from kube_twisted.api.options import validate_list_options
from kube_twisted.endpoints.batching import FrameBatcher
from kube_twisted.endpoints.converted_watch import ConvertedWatcher, Show
from kube_twisted.endpoints.formats import stream_type
from kube_twisted.endpoints.negotiation import check_streamed
from kube_twisted.endpoints.options import include_object, list_options, refuse_invalid
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Request, Stream, StreamingResponse
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.endpoints.selecting import selection_for
from kube_twisted.registry.listing import parse_revision, wait_for_revision
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import CompactedError
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watch_cache import WatchCache
from kube_twisted.storage.watcher import ADDED, Watcher, WatchEvent
from kube_twisted.util.clock import Clock

#: Bookmarks come about once a minute, and shortly before the end of a stream whose end is known.
_BOOKMARK_SECONDS = 60.0
_BOOKMARK_BEFORE_END = 2.0


@define
class WatchSettings:
    """What all watches of a server share.

    :ivar min_timeout: a watch without timeoutSeconds ends after between one and two times this many seconds.
    :ivar batcher: writes the frames of all streams.
    :ivar running: the open streams, to be ended at shutdown.
    """

    batcher: FrameBatcher
    min_timeout: float = 1800.0
    running: set[WatchStream] = field(factory=set)
    _sent: Counter[tuple[str, ...]] = field(factory=Counter, init=False)

    def closed(self, stream: WatchStream) -> None:
        """Forget a stream that is over, but not how many events it has sent."""
        if stream in self.running:
            self.running.remove(stream)
            self._sent[stream.labels] += stream.watcher.sent

    def events_sent(self) -> list[tuple[tuple[str, ...], float]]:
        """Group, version and resource, with the number of events sent to all watches so far."""
        sent = Counter(self._sent)
        for stream in self.running:
            sent[stream.labels] += stream.watcher.sent
        return list(sent.items())

    def end_all(self) -> None:
        """End every stream: the server stops."""
        for stream in list(self.running):
            stream.watcher.end()


class WatchStream:
    """One client's watch: ties a watcher of the cache to an HTTP stream, and owns its timers."""

    def __init__(self, cache: WatchCache, encoder: Encoder, selection: Selection, clock: Clock,
                 settings: WatchSettings, timeout: float, bookmarks: bool) -> None:
        self.cache = cache
        self._encoder = encoder
        self.clock = clock
        self._settings = settings
        self._timeout = timeout
        self._bookmarks = bookmarks
        self._timers: list[IDelayedCall] = []
        self._stream: Stream | None = None
        self._frames: list[bytes] = []
        self._ended = False
        self.watcher = self._new_watcher(selection)
        self._first: Callable[[], None] = self._nothing
        settings.running.add(self)

    def _nothing(self) -> None:
        """No initial events."""

    def _new_watcher(self, selection: Selection) -> Watcher:
        return Watcher(selection, self._encoder, self, self._over, self._encoder.shared_as)

    @property
    def labels(self) -> tuple[str, ...]:
        """Group, version and resource, for metrics."""
        resource = self._encoder.scope.resource
        return (resource.group, resource.version, resource.resource)

    @property
    def scope(self) -> str:
        """Of what is watched: one object, a namespace or the cluster."""
        selection = self.watcher.selection
        return "resource" if selection.name else "namespace" if selection.namespace else "cluster"

    def prepare(self, first: Callable[[], None]) -> None:
        """``first`` sends the initial events once the stream is open; changes are collected from now on."""
        self._first = first
        self.watcher.pause()
        self.cache.add(self.watcher)

    # -- the HTTP side --------------------------------------------------------------------------------------------

    def begin(self, stream: Stream) -> None:
        """The headers are out: send what is there, then follow. A watch may have been ended before."""
        if self._ended:
            stream.finish()
            return
        self._stream = stream
        stream.on_gone(self._gone)
        if self._stream is None:
            return  # the client left before its stream began
        stream.on_pressure(self.watcher.pause, self.watcher.resume)
        self._timers.append(self.clock.call_later(self._timeout, self._time_out))
        if self._bookmarks:
            early = self._timeout - _BOOKMARK_BEFORE_END
            self._timers.append(self.clock.call_later(
                min(_BOOKMARK_SECONDS, early) if early > 0 else _BOOKMARK_SECONDS, self._bookmark))
        self._first()
        self.watcher.resume()

    def write(self, frame: bytes) -> None:
        """Send a frame with the next batch. One of a list can't be made of one object: that ends the stream."""
        if self._encoder.chosen.transform == "PartialObjectMetadataList":
            self.watcher.end()
            return
        if not self._frames:
            self._settings.batcher.add(self)
        self._frames.append(frame)

    def flush(self) -> None:
        """Write what has come since the last batch."""
        frames, self._frames = self._frames, []
        if self._stream is not None and frames:
            self._stream.write(b"".join(frames))

    def ended(self) -> None:
        self._ended = True
        self.flush()
        if self._stream is not None:
            stream, self._stream = self._stream, None
            stream.finish()

    def _gone(self) -> None:
        self._stream = None
        self.watcher.end()

    def _time_out(self) -> None:
        self.watcher.end()

    def _bookmark(self) -> None:
        self.watcher.send_made(partial(self._encoder.bookmark, self.cache.revision))
        self._timers.append(self.clock.call_later(_BOOKMARK_SECONDS, self._bookmark))

    def _over(self, watcher: Watcher) -> None:
        self.cache.remove(watcher)
        self._settings.closed(self)
        for timer in self._timers:
            if timer.active():
                timer.cancel()

    # -- initial events -------------------------------------------------------------------------------------------

    def send_state(self, end_bookmark: bool) -> None:
        """The current objects as ADDED events, then, if asked for, the bookmark that ends them."""
        cache, watcher = self.cache, self.watcher
        items, _, _ = cache.select(watcher.selection)
        revision = cache.revision
        watcher.revision = max(watcher.revision, revision)
        end = partial(self._encoder.bookmark, revision, initial_end=True)
        self._send_first([(ADDED, item) for item in items], end if end_bookmark else None)

    def send_past(self, events: list[WatchEvent]) -> None:
        """The changes since the revision that the client has seen."""
        typed = ((event.type_for(self.watcher.selection), event) for event in events)
        self._send_first([(type_, event.shown(type_)) for type_, event in typed if type_ is not None], None)

    def _send_first(self, events: list[tuple[str, CachedObject]], last: Callable[[], bytes] | None) -> None:
        """Send the initial events, and perhaps a frame that ends them, before anything that waits."""
        for type_, item in events:
            self._send_now(self._encoder.frame(type_, item))
        if last is not None:
            self._send_now(last())

    def send_error(self, error: errors.StatusError) -> None:
        """An ERROR event, and the end."""
        self._send_now(self._encoder.error(error))
        self.watcher.end()

    def _send_now(self, frame: bytes) -> None:
        self.watcher.sent += 1
        self.write(frame)


class ConvertedWatchStream(WatchStream):
    """A watch of objects that may be stored in another version than it shows.

    :param show: converts them.
    """

    watcher: ConvertedWatcher

    def __init__(self, cache: WatchCache, encoder: Encoder, selection: Selection, clock: Clock,
                 settings: WatchSettings, timeout: float, bookmarks: bool, show: Show) -> None:
        self._show = show
        super().__init__(cache, encoder, selection, clock, settings, timeout, bookmarks)

    def _new_watcher(self, selection: Selection) -> Watcher:
        return ConvertedWatcher(selection, self._encoder, self, self._over, self._show)

    def _send_first(self, events: list[tuple[str, CachedObject]], last: Callable[[], bytes] | None) -> None:
        self.watcher.begin(events, last)


async def watch(scope: RequestScope, request: Request, settings: WatchSettings) -> StreamingResponse:
    """Open a watch.

    :raises StatusError: for options that do not fit; what goes wrong later is an ERROR event.
    """
    chosen = scope.negotiate(request, watchable=True)
    options = list_options(request)
    is_watch = bool(options.get("watch"))  # false below the deprecated /watch/, whose options are those of a list
    if is_watch:
        _set_defaults(options)
    refuse_invalid("ListOptions", validate_list_options(options, is_watch))
    selection = selection_for(scope, request, options)
    version = options.get("resourceVersion", "")
    try:
        revision = parse_revision(version)
    except ValueError as error:
        raise errors.plain_internal(str(error)) from None
    encoder = Encoder(scope, chosen, include_object(request, chosen))
    check_streamed(chosen)
    cache = scope.store.cache
    timeout, bookmarks = _timeout(options, settings), bool(options.get("allowWatchBookmarks"))
    if scope.store.converts:
        stream: WatchStream = ConvertedWatchStream(
            cache, encoder, selection, scope.clock, settings, timeout, bookmarks, scope.store.shown)
    else:
        stream = WatchStream(cache, encoder, selection, scope.clock, settings, timeout, bookmarks)
    try:
        await _prepare(stream, options, revision)
    except BaseException:
        stream.watcher.end()
        raise
    return StreamingResponse(stream.begin, stream_type(chosen.media_type))


async def _prepare(stream: WatchStream, options: dict[str, Any], revision: int) -> None:
    cache, initial = stream.cache, options.get("sendInitialEvents")
    if initial or (initial is None and _is_from_any(options)):
        if revision:
            await wait_for_revision(cache, stream.clock, revision)
        elif not options.get("resourceVersion"):
            await cache.read_revision()
        end = bool(initial and options.get("allowWatchBookmarks"))
        stream.prepare(lambda: stream.send_state(end))
        return
    await _resume(stream, revision or cache.revision)


async def _resume(stream: WatchStream, after: int) -> None:
    """Go on after a revision: what happened since comes first, what happens meanwhile waits in the watcher."""
    cache, watcher = stream.cache, stream.watcher
    boundary = watcher.revision = max(after, cache.changed)
    past: list[WatchEvent] = []
    stream.prepare(lambda: stream.send_past(past))
    try:
        past += [event for event in await cache.events_after(after) if event.revision <= boundary]
    except CompactedError as gone:
        expired = errors.resource_expired(f"too old resource version: {after} ({gone.compacted})")
        stream.prepare(lambda: stream.send_error(expired))


def _set_defaults(options: dict[str, Any]) -> None:
    """A watch from no version, or from any, starts with the current objects: the old way to ask for that (KEP-3157)."""
    if "sendInitialEvents" not in options and not options.get("resourceVersionMatch") and _is_from_any(options):
        options["sendInitialEvents"] = True
        options["resourceVersionMatch"] = "NotOlderThan"


def _is_from_any(options: dict[str, Any]) -> bool:
    """Whether no version, or any, is asked for; a deprecated watch then has the current objects, but no end of them."""
    return options.get("resourceVersion", "") in ("", "0")


def _timeout(options: dict[str, Any], settings: WatchSettings) -> float:
    asked = options.get("timeoutSeconds")
    if asked:
        return max(float(asked), 0.0)
    return settings.min_timeout * (1.0 + random.random())
