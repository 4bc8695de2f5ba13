"""All keys at all revisions, in memory: immutable linked versions that forks share."""

from __future__ import annotations

from bisect import bisect_left
from collections import ChainMap
from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from kube_twisted.storage.interfaces import (
    Check,
    CompactedError,
    Delete,
    Entry,
    Event,
    EventType,
    FutureRevisionError,
    Operation,
    Page,
)

#: A fork copies what it inherits once it stands on more forks than this.
_MAX_LAYERS = 8


@frozen(slots=True)
class _Version:
    """A key from a revision on, linked to the version before.

    :ivar entry: None when the key was deleted.
    :ivar expires: seconds since the epoch, 0 for never.
    """

    revision: int
    entry: Entry | None
    expires: float = 0.0
    previous: _Version | None = None

    def at(self, revision: int) -> Entry | None:
        """What the key held at a revision."""
        version: _Version | None = self
        while version is not None and version.revision > revision:
            version = version.previous
        return version.entry if version is not None else None


@frozen(slots=True)
class _Commit:
    """The events of a revision, linked to the commit before."""

    revision: int
    events: tuple[Event, ...]
    previous: _Commit | None = None


class History:
    """The state of a memory store. Its methods raise what the store's Deferreds fail with.

    :ivar current: the newest revision.
    :ivar compacted: the oldest readable revision.
    """

    def __init__(self) -> None:
        self.current = 1
        self.compacted = 0
        self._heads: ChainMap[str, _Version] = ChainMap()
        self._last: _Commit | None = None
        self._sorted: list[str] | None = None

    def fork(self) -> History:
        """The same history, to be gone on with independently. O(1): only what changes later is copied."""
        if self._heads.maps[0]:
            self._heads = self._heads.new_child()
        if len(self._heads.maps) > _MAX_LAYERS:
            self._heads = ChainMap({}, dict(self._heads))
        twin = History()
        twin.current, twin.compacted = self.current, self.compacted
        twin._heads = ChainMap({}, *self._heads.maps[1:])
        twin._last, twin._sorted = self._last, self._sorted
        return twin

    def live(self, key: str) -> Entry | None:
        """What the key holds now."""
        head = self._heads.get(key)
        return head.entry if head is not None else None

    def get(self, key: str, revision: int) -> Entry | None:
        at = self._readable(revision)
        head = self._heads.get(key)
        return head.at(at) if head is not None else None

    def list_entries(self, prefix: str, limit: int, start: str, revision: int) -> Page:
        at = self._readable(revision)
        entries = [entry for key in self._keys(prefix, start)
                   if (entry := self._heads[key].at(at)) is not None]
        if not limit or len(entries) <= limit:
            return Page(entries, at)
        return Page(entries[:limit], at, True, len(entries) - limit)

    def write(self, operations: Sequence[Operation], now: float) -> Sequence[Event]:
        """Apply operations whose preconditions hold, as the next revision."""
        revision = self.current + 1
        events = tuple(self._apply(operation, revision, now) for operation in operations
                       if not isinstance(operation, Check))
        if events:
            self._last = _Commit(revision, events, self._last)
            self.current = revision
        return events

    def events_after(self, revision: int, prefix: str) -> list[Event]:
        """Past events below a prefix, in order."""
        if revision < self.compacted:
            raise CompactedError(self.compacted, self.current)
        commits = reversed(list(self._commits_after(revision)))
        return [event for commit in commits for event in commit.events if event.key.startswith(prefix)]

    def compact(self, revision: int) -> None:
        if revision > self.current:
            raise FutureRevisionError(revision, self.current)
        if revision <= self.compacted:
            return
        heads = {key: kept for key, head in self._heads.items()
                 if (kept := _trim(head, revision)) is not None}
        self._heads = ChainMap(heads)
        self._sorted = None
        commits = list(self._commits_after(revision))
        self._last = None
        for commit in reversed(commits):
            self._last = evolve(commit, previous=self._last)
        self.compacted = revision

    def expired(self, now: float, limit: int) -> list[Delete]:
        """The deletions that are due, the longest overdue first."""
        due = [(head.expires, Delete(key, head.revision)) for key, head in self._heads.items()
               if head.entry is not None and 0 < head.expires <= now]
        due.sort(key=lambda one: one[0])
        return [delete for _, delete in due[:limit]]

    def _apply(self, operation: Operation, revision: int, now: float) -> Event:
        key = operation.key
        head = self._heads.get(key)
        old = head.entry if head is not None else None
        if head is None:
            self._sorted = None
        if isinstance(operation, Delete):
            assert old is not None, "preconditions were checked"
            self._heads[key] = _Version(revision, None, 0.0, head)
            return Event(EventType.DELETED, key, old.value, revision, old.value, old.revision)
        assert not isinstance(operation, Check)
        entry = Entry(key, operation.value, revision, revision if old is None else old.created)
        self._heads[key] = _Version(revision, entry, now + operation.ttl if operation.ttl else 0.0, head)
        if old is None:
            return Event(EventType.CREATED, key, entry.value, revision, None, 0)
        return Event(EventType.UPDATED, key, entry.value, revision, old.value, old.revision)

    def _readable(self, revision: int) -> int:
        """The revision to read at, for one that was asked for."""
        if revision > self.current:
            raise FutureRevisionError(revision, self.current)
        if 0 < revision < self.compacted:
            raise CompactedError(self.compacted, self.current)
        return revision or self.current

    def _keys(self, prefix: str, start: str) -> Iterator[str]:
        """Keys below a prefix in order, also those that were deleted."""
        if self._sorted is None:
            self._sorted = sorted(self._heads)
        for index in range(bisect_left(self._sorted, max(prefix, start)), len(self._sorted)):
            key = self._sorted[index]
            if not key.startswith(prefix):
                return
            yield key

    def _commits_after(self, revision: int) -> Iterator[_Commit]:
        """The newest first."""
        commit = self._last
        while commit is not None and commit.revision > revision:
            yield commit
            commit = commit.previous


def _trim(head: _Version, revision: int) -> _Version | None:
    """A key's versions without those that nobody can see at ``revision`` or later."""
    newer: list[_Version] = []
    version: _Version | None = head
    while version is not None and version.revision > revision:
        newer.append(version)
        version = version.previous
    kept = evolve(version, previous=None) if version is not None and version.entry is not None else None
    for one in reversed(newer):
        kept = evolve(one, previous=kept)
    return kept
