"""The contract of a store: one ordered log of revisions over all keys, like etcd's.

Keys are text such as ``/registry/pods/default/web``; values are bytes that the store never looks into.
Every committed transaction gets the next revision, store-wide, strictly rising, also across restarts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

from attrs import frozen
from twisted.internet.defer import Deferred
from zope.interface import Attribute, Interface


class CompactedError(Exception):
    """The revision asked for is no longer kept.

    :ivar compacted: the oldest revision still readable.
    """

    def __init__(self, compacted: int, current: int) -> None:
        super().__init__(f"revision has been compacted; oldest readable is {compacted}")
        self.compacted = compacted
        self.current = current


class FutureRevisionError(Exception):
    """The revision asked for has not been written yet."""

    def __init__(self, asked: int, current: int) -> None:
        super().__init__(f"revision {asked} is newer than the current one, {current}")
        self.asked = asked
        self.current = current


class StoreClosed(Exception):
    """The store is stopping or was never started."""


class StoreUnusable(Exception):
    """The store cannot be opened: locked, corrupt, not readable. The text names the file."""


class StoreFailed(Exception):
    """The store could not read or write: its disk is full, or its file damaged.

    Nothing of a failed transaction was written; the store goes on.
    """


class PreconditionFailed(Exception):
    """An operation met another state than it required; nothing of its transaction was written.

    :ivar index: which operation.
    :ivar current: what the key holds, None when it does not exist.
    """

    def __init__(self, index: int, current: Entry | None) -> None:
        super().__init__(f"operation {index} does not apply to the current state")
        self.index = index
        self.current = current


@frozen(slots=True)
class Entry:
    """A key's value at some revision.

    :ivar revision: of its last change (etcd's mod_revision).
    :ivar created: the revision that created it.
    """

    key: str
    value: bytes
    revision: int
    created: int


@frozen
class Page:
    """A list's answer.

    :ivar revision: the revision that the list shows.
    :ivar more: whether entries are left after the last one.
    :ivar remaining: how many.
    """

    entries: list[Entry]
    revision: int
    more: bool = False
    remaining: int = 0


@frozen
class Create:
    """Write a key that must not exist. ``ttl`` in seconds, 0 for ever."""

    key: str
    value: bytes
    ttl: int = 0


@frozen
class Update:
    """Replace a key whose last revision must be ``revision``. ``ttl`` in seconds from now, 0 for ever."""

    key: str
    value: bytes
    revision: int
    ttl: int = 0


@frozen
class Delete:
    """Remove a key whose last revision must be ``revision``."""

    key: str
    revision: int


@frozen
class Check:
    """Write nothing, but require the key's last revision to be ``revision`` (0: it must not exist)."""

    key: str
    revision: int


Operation = Create | Update | Delete | Check


class EventType(IntEnum):
    CREATED = 1
    UPDATED = 2
    DELETED = 3


@frozen(slots=True)
class Event:
    """One change of one key.

    :ivar value: the new value; for a deletion the last value.
    :ivar previous: the value before, None for a creation.
    :ivar previous_revision: the revision of that value, 0 for a creation.
    """

    type: EventType
    key: str
    value: bytes
    revision: int
    previous: bytes | None
    previous_revision: int


#: Called in the reactor's thread with the events of one or more whole revisions, in order.
EventConsumer = Callable[[Sequence[Event]], None]


class ISubscription(Interface):
    """A running watch of a store."""

    def stop() -> None:
        """No further events after this returns."""


class IStore(Interface):
    """A store. All methods are called in, and all Deferreds fire in, the reactor's thread."""

    current_revision = Attribute("The newest revision whose events have been delivered to all subscriptions.")
    compacted_revision = Attribute("The oldest revision still to be read; 0 before the first compaction.")

    def start() -> Deferred[None]:
        """Open. Fails with :class:`StoreUnusable`."""

    def stop() -> Deferred[None]:
        """Finish the writes under way, then close. Later calls fail with :class:`StoreClosed`."""

    def read_revision() -> Deferred[int]:
        """A revision that includes every write acknowledged, to any client of the store, before this call."""

    def get(key: str, revision: int = 0) -> Deferred[Entry | None]:
        """The key's entry now, or as of ``revision``.

        :class:`CompactedError`, :class:`FutureRevisionError`.
        """

    def list_entries(prefix: str, limit: int = 0, start: str = "", revision: int = 0) -> Deferred[Page]:
        """Entries below ``prefix`` in key order, from the key ``start`` (inclusive) on, at most ``limit``.

        ``revision`` 0 is now. :class:`CompactedError`, :class:`FutureRevisionError`.
        """

    def transact(operations: Sequence[Operation]) -> Deferred[int]:
        """Do all or nothing; fires with the revision, once durable and after its events were delivered.

        :class:`PreconditionFailed` says which operation did not apply; all are held against the state before
        the transaction. :class:`StoreFailed` when it cannot be written. A transaction of checks alone answers
        the current revision. Every store takes 128 operations at a time.

        :raises ValueError: no operations, too many, or two that write the same key.
        """

    def watch(prefix: str, after_revision: int, consumer: EventConsumer) -> Deferred[ISubscription]:
        """Deliver the events after ``after_revision`` below ``prefix``, past ones first, then as they come.

        Fires once the past ones are delivered. :class:`CompactedError` when some of them are gone.
        """

    def compact(revision: int) -> Deferred[None]:
        """Forget what was overwritten or deleted at or before ``revision``; fires once it is gone.

        Nothing happens when that was done before. :class:`FutureRevisionError`.
        """
