"""Give the free pages of a SQLite store back to the file system, in small pieces."""

from __future__ import annotations

import sqlite3

#: Pages given back in one piece: some milliseconds of work.
PIECE = 64
#: Free pages that stay for what is written next: a share of the file, one in so many ...
KEPT_SHARE = 4
#: ... and never fewer than these.
KEPT_PAGES = 256

_INCREMENTAL = 2
_PAGES = "SELECT freelist_count, page_count FROM pragma_freelist_count, pragma_page_count"
# As a script, because the pragma moves one page each time that it is stepped, and "execute" steps but once. The
# file itself becomes shorter with the checkpoint; one with each piece never has much to copy.
_GIVE_BACK = "PRAGMA incremental_vacuum({}); PRAGMA wal_checkpoint(PASSIVE);"


class Surplus:
    """The free pages that are more than a store should keep.

    Files that were made without ``auto_vacuum`` cannot be made shorter in pieces: they have no surplus.

    :ivar pages: how many, when they were last counted.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        (mode,) = connection.execute("PRAGMA auto_vacuum").fetchone()
        self._gives = mode == _INCREMENTAL
        self.pages = 0
        self.count()

    def count(self) -> None:
        """Look how many there are."""
        if self._gives:
            free, pages = self._connection.execute(_PAGES).fetchone()
            self.pages = max(free - max(pages // KEPT_SHARE, KEPT_PAGES), 0)

    def give_back(self) -> None:
        """Make the file shorter by a piece."""
        self._connection.executescript(_GIVE_BACK.format(min(self.pages, PIECE)))
        self.count()
