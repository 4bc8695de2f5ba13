"""Following all objects of a collection: a list, then a watch, resumed or begun anew for as long as it takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import frozen
from twisted.internet.defer import CancelledError, Deferred
from twisted.logger import Logger

from kube_twisted.api.errors import StatusError
from kube_twisted.server.loopback import JSON, METADATA_LIST, EventStream, LoopbackClient
from kube_twisted.server.queue import delay
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks

Obj = dict[str, Any]
Interest = Callable[[bytes], bool]

#: How a watch event begins; the group is the object's version.
_HEAD = re.compile(rb'\{"type":"(?:ADDED|MODIFIED|DELETED)","object":\{"kind":"[^"]*","apiVersion":"[^"]*",'
                   rb'"metadata":\{"resourceVersion":"(\d+)"')
#: How many objects are taken at once from a long list; other requests get their turn in between.
_PAGE = 100
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 30.0
#: A watch that lasted as many seconds was no failure.
_LONG_ENOUGH = 5.0


def _ignore(_: object) -> None:
    """Nothing to do."""


@frozen
class Handlers:
    """Whom an informer tells. They may be called in the midst of somebody's write: they take note, and work later.

    :ivar changed: an object is there or has changed; all objects are told again after each list.
    :ivar deleted: an object is gone; its last state.
    :ivar listed: a list is complete; the uids of all its objects. What is known besides them may be gone.
    """

    changed: Callable[[Obj], None]
    deleted: Callable[[Obj], None] = _ignore
    listed: Callable[[frozenset[str]], None] = _ignore


class Informer:
    """Tells handlers about the objects of a collection. It keeps none of them.

    :param path: of the collection.
    :param selector: further query parameters, such as ``fieldSelector=metadata.name=default``.
    :param interest: tells by the bytes of a watch event whether its object may matter. With it, lists bring only
        metadata. Watches bring whole objects, whose bytes all watchers share, but most are never read.
    :ivar synced: whether the first list is complete.
    """

    _log = Logger()

    def __init__(self, client: LoopbackClient, clock: Clock, path: str, selector: str = "",
                 interest: Interest | None = None) -> None:
        self._client = client
        self._clock = clock
        self._path = path
        self._selector = f"&{selector}" if selector else ""
        self._interest = interest
        self._handlers: list[Handlers] = []
        self._version = ""
        self._failures = 0
        self._tasks = Tasks()
        self.synced = False

    def add(self, handlers: Handlers) -> None:
        """Tell also these; before the start."""
        self._handlers.append(handlers)

    def start(self) -> None:
        self._tasks.start(self._run(), f"following {self._path}")

    def stop(self) -> Deferred[None]:
        """End; nobody is told any more."""
        self._handlers.clear()
        return self._tasks.stop()

    async def _run(self) -> None:
        while True:
            begun = self._clock.seconds()
            try:
                if not self._version:
                    await self._list()
                await self._watch()
            except CancelledError:
                raise
            except StatusError as error:
                self._version = ""
                if error.code != 410:
                    self._log.warn("following {path}: {error}", path=self._path, error=error.message)
            except Exception:
                self._version = ""
                self._log.failure("following {path}", path=self._path)
            self._failures = 1 if self._clock.seconds() - begun >= _LONG_ENOUGH else self._failures + 1
            await self._clock.sleep(delay(self._failures, _FIRST_PAUSE, _LONGEST_PAUSE))

    # -- list -----------------------------------------------------------------------------------------------------

    async def _list(self) -> None:
        uids: set[str] = set()
        more = ""
        while True:
            page = await self._client.call("GET", f"{self._path}?limit={_PAGE}{more}{self._selector}",
                                           accept=JSON if self._interest is None else METADATA_LIST)
            for obj in page["items"] or ():
                uids.add(obj["metadata"]["uid"])
                self._changed(obj)
            if not page["metadata"].get("continue"):
                break
            more = f"&continue={page['metadata']['continue']}"
            await self._clock.sleep(0)
        self._version = page["metadata"]["resourceVersion"]
        self.synced = True
        for handlers in tuple(self._handlers):
            self._guard(handlers.listed, frozenset(uids))

    # -- watch ----------------------------------------------------------------------------------------------------

    async def _watch(self) -> None:
        """Follow from the last version until the stream ends.

        :raises StatusError: when the server says that something is wrong, as 410 for a version that is too old.
        """
        end: Deferred[None] = Deferred()
        stream = EventStream(lambda type_, obj: self._event(type_, obj, end), lambda: _fire(end), self._skip)
        query = f"watch=1&allowWatchBookmarks=true&resourceVersion={self._version}{self._selector}"
        try:
            await self._client.watch(f"{self._path}?{query}", stream)
            await end
        finally:
            stream.close()

    def _skip(self, line: bytes) -> bool:
        """Whether an event concerns nobody; its version is kept nevertheless."""
        if self._interest is None or self._interest(line):
            return False
        head = _HEAD.match(line)
        if head is None:
            return False
        self._version = head[1].decode()
        return True

    def _event(self, type_: str, obj: Obj, end: Deferred[None]) -> None:
        if type_ == "ERROR":
            _fail(end, StatusError(obj["code"], obj.get("reason", ""), obj.get("message", ""), obj.get("details")))
            return
        self._version = obj["metadata"]["resourceVersion"]
        if type_ in ("ADDED", "MODIFIED"):
            self._changed(obj)
        elif type_ == "DELETED":
            for handlers in tuple(self._handlers):
                self._guard(handlers.deleted, obj)

    # -- telling --------------------------------------------------------------------------------------------------

    def _changed(self, obj: Obj) -> None:
        for handlers in tuple(self._handlers):
            self._guard(handlers.changed, obj)

    def _guard(self, function: Callable[[Any], None], told: object) -> None:
        """A handler that fails disturbs neither the others nor the one whose write it is."""
        try:
            function(told)
        except Exception:
            self._log.failure("telling of {path}", path=self._path)


def _fire(end: Deferred[None]) -> None:
    if not end.called:
        end.callback(None)


def _fail(end: Deferred[None], error: StatusError) -> None:
    if not end.called:
        end.errback(error)


class Informers:
    """The informers that controllers share."""

    def __init__(self, client: LoopbackClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._shared: dict[tuple[str, str], Informer] = {}
        self._own: list[Informer] = []

    def get(self, path: str, selector: str = "") -> Informer:
        """The shared informer of a collection; made when first asked for, before the start."""
        informer = self._shared.get((path, selector))
        if informer is None:
            informer = self._shared[path, selector] = Informer(self._client, self._clock, path, selector)
        return informer

    def make(self, path: str, interest: Interest | None) -> Informer:
        """An informer for one controller, which starts and drops it."""
        informer = Informer(self._client, self._clock, path, interest=interest)
        self._own.append(informer)
        return informer

    def drop(self, informer: Informer) -> None:
        """Stop one that was made."""
        self._own.remove(informer)
        informer.stop()

    def start(self) -> None:
        """Start the shared ones."""
        for informer in self._shared.values():
            informer.start()

    def stop(self) -> list[Deferred[None]]:
        """Stop all; each Deferred fires when one has ended."""
        return [informer.stop() for informer in (*self._shared.values(), *self._own)]
