"""Compaction of a SQLite store: small pieces between the batches of the writer."""

from __future__ import annotations

import sqlite3

from kube_twisted.storage.sqlite_schema import row_id
from kube_twisted.storage.sqlite_surplus import Surplus

#: Rows of the log looked at in one piece: some milliseconds of work.
PIECE = 256

_PIECE_END = "SELECT id FROM log WHERE id > ? AND id <= ? ORDER BY id LIMIT 1 OFFSET ?"
_REPLACED = "DELETE FROM log WHERE id IN (SELECT previous FROM log WHERE id > ? AND id <= ?)"
_DELETIONS = "DELETE FROM log WHERE id > ? AND id <= ? AND created = 0"


class Sweep:
    """Removes the rows that were replaced, and those that delete, up to the compacted revision.

    Then it gives back the room that they took.

    Each row names the one that it replaces, so one walk in the order of writing finds all of them. How far it
    came is written with each piece: after a crash the walk goes on from there.

    :ivar compacted: the revision before which nothing is shown.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.compacted: int
        self._swept: int
        self.compacted, self._swept = connection.execute("SELECT compacted, swept FROM compaction").fetchone()
        self._surplus = Surplus(connection)

    @property
    def pending(self) -> bool:
        """Whether there are pieces left."""
        return self._rows_left or self._surplus.pages > 0

    @property
    def _rows_left(self) -> bool:
        return self._swept < self._end

    @property
    def _end(self) -> int:
        """The last row that the compacted revision could have."""
        return row_id(self.compacted + 1) - 1

    def begin(self, revision: int) -> None:
        """From now on nobody is shown what is older than ``revision``."""
        if revision > self.compacted:
            self._connection.execute("UPDATE compaction SET compacted = ?", (revision,))
            self.compacted = revision

    def step(self) -> None:
        """Remove a piece, or give one back."""
        if not self._rows_left:
            self._surplus.give_back()
            return
        self._remove()
        if not self._rows_left:
            self._surplus.count()

    def _remove(self) -> None:
        found = self._connection.execute(_PIECE_END, (self._swept, self._end, PIECE - 1)).fetchone()
        piece = (self._swept, found[0] if found is not None else self._end)
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(_REPLACED, piece)
            self._connection.execute(_DELETIONS, piece)
            self._connection.execute("UPDATE compaction SET swept = ?", piece[1:])
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        self._swept = piece[1]
