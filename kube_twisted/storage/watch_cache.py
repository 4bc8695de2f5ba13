"""The watch cache of one resource: current objects in key order, a window of past events, and its watchers.

    store --events--> WatchCache --WatchEvent--> Watcher (one per watch stream)

The cache is filled by one list and then follows the store's log. Its revision is that of the store's newest event,
also when that was about another resource, so a read "at least revision N" waits only for what isn't there yet.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable, Sequence

from twisted.internet.defer import Deferred

from kube_twisted.storage.cached import CachedObject, Encoding
from kube_twisted.storage.interfaces import (
    CompactedError,
    Entry,
    Event,
    EventType,
    FutureRevisionError,
    IStore,
    ISubscription,
    StoreUnusable,
)
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watcher import Listener, WatchEvent

#: How many past events are kept for resuming watches; older ones are read back from the store's log.
WINDOW = 1000


class WatchCache:
    """All objects of one resource.

    :param prefix: the key prefix with its final slash, ``/registry/pods/``.
    :param namespaced: whether keys are ``prefix/namespace/name`` or ``prefix/name``.
    """

    def __init__(self, store: IStore, prefix: str, namespaced: bool, encoding: Encoding, window: int = WINDOW) -> None:
        self.store = store
        self.prefix = prefix
        self.namespaced = namespaced
        self.encoding = encoding
        self._items: dict[str, CachedObject] = {}
        self._keys: list[str] = []
        self._events: deque[WatchEvent] = deque(maxlen=window)
        self._watchers: dict[str, set[Listener]] = {}
        self._subscription: ISubscription | None = None
        self._stopped = False
        #: the revision of the last change of this resource
        self.changed = 0
        #: watches may resume after this revision without reading the log
        self._window_start = 0
        self._bytes = 0

    # -- filling and following ------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Read all objects, then follow the log.

        :raises StoreUnusable: for an object that cannot be read.
        """
        page = await self.store.list_entries(self.prefix)
        await self._fill(page.entries)
        self._keys = sorted(self._items)
        self.changed = self._window_start = page.revision
        self._subscription = await self.store.watch(self.prefix, page.revision, self._consume)

    async def _fill(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._items[entry.key] = self._read(entry)

    def _read(self, entry: Entry) -> CachedObject:
        try:
            return self.cached(entry)
        except ValueError as error:
            raise StoreUnusable(f"the store is damaged: {entry.key} is no {self.encoding.kind}: {error}") from error

    def stop(self) -> None:
        """End all watchers and stop following."""
        self._stopped = True
        if self._subscription is not None:
            self._subscription.stop()
            self._subscription = None
        for watcher in [one for group in self._watchers.values() for one in group]:
            watcher.end()

    @property
    def revision(self) -> int:
        """Everything up to this revision of the store is shown."""
        revision: int = self.store.current_revision
        return revision

    def split(self, key: str) -> tuple[str, str]:
        """Namespace and name of a key."""
        rest = key[len(self.prefix):]
        if not self.namespaced:
            return "", rest
        namespace, _, name = rest.partition("/")
        return namespace, name

    def key(self, namespace: str, name: str) -> str:
        return f"{self.prefix}{namespace}/{name}" if self.namespaced else self.prefix + name

    def cached(self, entry: Entry) -> CachedObject:
        """An entry of the store as a cached object."""
        return self.read_back(entry.key, entry.value, entry.revision)

    def read_back(self, key: str, value: bytes, revision: int) -> CachedObject:
        """What was written some time ago as a cached object."""
        return self.make(key, value, revision)

    def make(self, key: str, value: bytes, revision: int) -> CachedObject:
        """What is written now as a cached object."""
        namespace, name = self.split(key)
        encoding = self.encoding_of(value)
        return CachedObject(encoding, key, namespace, name, encoding.tail(value, revision), revision)

    def encoding_of(self, value: bytes) -> Encoding:
        """How a stored value is laid out."""
        return self.encoding

    def _consume(self, events: Sequence[Event]) -> None:
        for event in events:
            change = self._apply(event)
            if len(self._events) == self._events.maxlen:
                self._window_start = self._events[0].revision
            self._events.append(change)
            self.changed = event.revision
            self._dispatch(change)

    def _apply(self, event: Event) -> WatchEvent:
        """Take one change into the current state."""
        key = event.key
        old = self._items.get(key)
        if event.type is EventType.DELETED:
            if old is None:
                old = self.make(key, event.value, event.previous_revision)
            else:
                del self._items[key]
                del self._keys[bisect_left(self._keys, key)]
            return WatchEvent(old.at(event.revision), old, event.revision, deleted=True)
        new = self.make(key, event.value, event.revision)
        self._items[key] = new
        if old is None:
            if not self._keys or key > self._keys[-1]:
                self._keys.append(key)
            else:
                insort(self._keys, key)
        return WatchEvent(new, old, event.revision)

    def _dispatch(self, change: WatchEvent) -> None:
        namespace = change.item.namespace
        for scope in ("", namespace) if namespace else ("",):
            group = self._watchers.get(scope)
            if group:
                for watcher in tuple(group):
                    watcher.deliver(change)

    # -- reading --------------------------------------------------------------------------------------------------

    def get(self, key: str) -> CachedObject | None:
        return self._items.get(key)

    def __len__(self) -> int:
        return len(self._items)

    def select(self, selection: Selection, start: str = "", limit: int = 0) -> tuple[list[CachedObject], bool, int]:
        """Current objects in key order from ``start`` on: (objects, whether entries follow, how many).

        What follows is not looked at, so as in the original it need not match: the next chunk may be empty.
        """
        items = self._items
        keys = self._keys_of(selection, start)
        if not limit:
            if selection.everything:
                return [items[key] for key in keys], False, 0
            found = [items[key] for key in keys]
            return [item for item in found if selection.matches_content(item)], False, 0
        chosen: list[CachedObject] = []
        for position, key in enumerate(keys):
            item = items[key]
            if selection.everything or selection.matches_content(item):
                chosen.append(item)
                if len(chosen) == limit:
                    left = len(keys) - position - 1
                    return chosen, left > 0, left
        return chosen, False, 0

    def names_one(self, selection: Selection) -> bool:
        """Whether there is one key at most that can be meant."""
        return bool(selection.name and (selection.namespace or not self.namespaced))

    def prefix_of(self, selection: Selection) -> str:
        """What all keys that can be meant begin with: the resource's prefix, and the namespace."""
        return f"{self.prefix}{selection.namespace}/" if selection.namespace and self.namespaced else self.prefix

    def _keys_of(self, selection: Selection, start: str) -> list[str]:
        keys = self._keys
        if self.names_one(selection):
            key = self.key(selection.namespace, selection.name)
            return [key] if key in self._items and key >= start else []
        if selection.namespace and self.namespaced:
            low = self.prefix_of(selection)
            high = f"{self.prefix}{selection.namespace}0"  # "0" follows "/"
            return keys[bisect_left(keys, max(low, start)):bisect_left(keys, high)]
        return keys[bisect_left(keys, start):] if start else keys

    # -- watching -------------------------------------------------------------------------------------------------

    def add(self, watcher: Listener) -> None:
        """Deliver the changes from now on; there are none any more once the cache has stopped."""
        if self._stopped:
            watcher.end()
            return
        self._watchers.setdefault(watcher.selection.namespace, set()).add(watcher)

    def remove(self, watcher: Listener) -> None:
        group = self._watchers.get(watcher.selection.namespace)
        if group is not None:
            group.discard(watcher)
            if not group:
                del self._watchers[watcher.selection.namespace]

    def watchers(self) -> Iterable[Listener]:
        return [one for group in self._watchers.values() for one in group]

    async def events_after(self, revision: int) -> list[WatchEvent]:
        """Past changes after ``revision``, from the window, or from the store's log when they are older.

        :raises CompactedError: when the log does not reach back so far.
        """
        if revision >= self.changed:
            return []
        if revision < self._window_start:
            past = await self._from_log(revision)
            newest = past[-1].revision if past else revision
            return past + [change for change in self._events if change.revision > newest]
        return [change for change in self._events if change.revision > revision]

    async def _from_log(self, revision: int) -> list[WatchEvent]:
        past: list[WatchEvent] = []

        def consume(events: Sequence[Event]) -> None:
            past.extend(map(self._past_event, events))

        subscription: ISubscription = await self.store.watch(self.prefix, revision, consume)
        subscription.stop()
        return past

    def _past_event(self, event: Event) -> WatchEvent:
        old = None
        if event.previous is not None:
            old = self.read_back(event.key, event.previous, event.previous_revision)
        if event.type is EventType.DELETED:
            if old is None:
                old = self.read_back(event.key, event.value, event.previous_revision)
            return WatchEvent(old.at(event.revision), old, event.revision, deleted=True)
        return WatchEvent(self.read_back(event.key, event.value, event.revision), old, event.revision)

    # -- revisions ------------------------------------------------------------------------------------------------

    def read_revision(self) -> Deferred[int]:
        """A revision that includes all that was acknowledged before; the cache shows it once this fires."""
        return self.store.read_revision()

    async def list_at(self, revision: int, selection: Selection, start: str = "",
                      limit: int = 0) -> tuple[list[CachedObject], bool, int]:
        """Objects as of a past revision: (objects, whether entries follow, how many).

        :raises CompactedError: when the revision is gone; :raises FutureRevisionError: when it is not there yet.
        """
        if self.changed <= revision <= self.revision:
            return self.select(selection, start, limit)
        if revision > self.revision:
            raise FutureRevisionError(revision, self.revision)
        prefix = self.prefix_of(selection)
        if selection.everything:
            page = await self.store.list_entries(prefix, limit, start, revision)
            return [self.cached(entry) for entry in page.entries], page.more, page.remaining
        if self.names_one(selection):
            limit = 0
        page = await self.store.list_entries(prefix, start=start, revision=revision)
        chosen: list[CachedObject] = []
        for position, entry in enumerate(page.entries):
            item = self.cached(entry)
            if selection.matches_content(item):
                chosen.append(item)
                if len(chosen) == limit:
                    left = len(page.entries) - position - 1
                    return chosen, left > 0, left
        return chosen, False, 0


__all__ = ["CompactedError", "WatchCache"]
