"""What is read from the log, each from one snapshot; run in the reader's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from kube_twisted.storage.interfaces import CompactedError, Delete, Entry, Event, Page
from kube_twisted.storage.preconditions import MAX_OPERATIONS
from kube_twisted.storage.sqlite_plan import event
from kube_twisted.storage.sqlite_schema import revision_of, row_id
from kube_twisted.storage.sqlite_values import read_packed, read_values

#: Past events read at a time.
EVENTS_AT_ONCE = 500
#: Sorts behind whatever follows a prefix.
_LAST = "\U0010ffff"

_GET = f"""
SELECT compacted, id, created, value FROM compaction LEFT JOIN log ON id =
    (SELECT max(id) FROM log WHERE key = ? AND id < max(?, (compacted + 1) * {MAX_OPERATIONS}))
"""
_LIVE = """
SELECT key, max(id) AS newest, created FROM log WHERE key >= ? AND key < ? AND id < ?
GROUP BY key HAVING created != 0
"""
_PAGE = f"{_LIVE} ORDER BY key LIMIT ?"
_COUNT = f"SELECT count(*) FROM ({_LIVE})"
_CHANGES = """
SELECT id, key, previous FROM log NOT INDEXED
WHERE id >= ? AND id < ? AND key >= ? AND key < ? ORDER BY id LIMIT ?
"""
_EXPIRED = """
SELECT key, id FROM log WHERE expires <= ? AND NOT EXISTS
    (SELECT 1 FROM log AS newer WHERE newer.key = log.key AND newer.id > log.id)
ORDER BY expires LIMIT ?
"""


@frozen
class Moment:
    """The revision to read at.

    :ivar asked: by the caller; 0 for now.
    :ivar current: the newest one when the call was made, not newer than what was delivered to subscriptions.
    """

    asked: int
    current: int

    def revision(self, compacted: int) -> int:
        """Of "now", a compaction that overtook the call makes a later revision."""
        if not self.asked:
            return max(self.current, compacted)
        if self.asked < compacted:
            raise CompactedError(compacted, max(self.current, compacted))
        return self.asked


def get(connection: sqlite3.Connection, key: str, moment: Moment) -> Entry | None:
    bound = row_id((moment.asked or moment.current) + 1)
    compacted, row, created, value = connection.execute(_GET, (key, bound)).fetchone()
    moment.revision(compacted)
    return Entry(key, value, revision_of(row), created) if created else None


def list_entries(connection: sqlite3.Connection, prefix: str, limit: int, start: str, moment: Moment) -> Page:
    with _snapshot(connection) as compacted:
        revision = moment.revision(compacted)
        bounds = (max(prefix, start), prefix + _LAST, row_id(revision + 1))
        found = read_packed(connection, _PAGE, "key, newest, created", (*bounds, limit + 1 if limit else -1))
        found.sort()
        page = found[:limit] if limit else found
        values = read_values(connection, [row for _, row, _ in page])
        entries = [Entry(key, values[row] or b"", revision_of(row), created) for key, row, created in page]
        if len(page) == len(found):
            return Page(entries, revision)
        (left,) = connection.execute(_COUNT, (found[limit][0], *bounds[1:])).fetchone()
        return Page(entries, revision, True, left)


def events(connection: sqlite3.Connection, prefix: str, after: int, until: int) -> tuple[list[Event], int]:
    """Some events in order, of whole revisions, and the revision that they lead to.

    :raises CompactedError: events after ``after`` are gone.
    """
    with _snapshot(connection) as compacted:
        if after < compacted:
            raise CompactedError(compacted, max(until, compacted))
        found = _changes(connection, prefix, row_id(after + 1), row_id(until + 1), EVENTS_AT_ONCE)
        if len(found) == EVENTS_AT_ONCE:
            last = found[-1][0]
            until = revision_of(last)
            found += _changes(connection, prefix, last + 1, row_id(until + 1), MAX_OPERATIONS)
        wanted = {row for change in found for row in (change[0], change[2]) if row}
        values = read_values(connection, list(wanted))
        return [event(row, key, values[row], old, values.get(old)) for row, key, old in found], until


def _changes(connection: sqlite3.Connection, prefix: str, start: int, end: int,
             limit: int) -> list[tuple[int, str, int]]:
    """Rows of the log with the rows before them, in order."""
    bounds = (start, end, prefix, prefix + _LAST, limit)
    return sorted(read_packed(connection, _CHANGES, "id, key, previous", bounds))


def expired(connection: sqlite3.Connection, now: float, limit: int) -> list[Delete]:
    """The deletions that are due, the longest overdue first."""
    return [Delete(key, revision_of(row)) for key, row in connection.execute(_EXPIRED, (now, limit))]


@contextmanager
def _snapshot(connection: sqlite3.Connection) -> Iterator[int]:
    """All that is read within is of one moment; gives the compacted revision."""
    connection.execute("BEGIN")
    try:
        yield connection.execute("SELECT compacted FROM compaction").fetchone()[0]
    finally:
        connection.execute("COMMIT")
