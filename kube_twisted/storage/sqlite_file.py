"""The file of a SQLite store: owning it, and opening it or saying in one line why not."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from kube_twisted.storage.interfaces import StoreUnusable
from kube_twisted.storage.sqlite_schema import APPLICATION_ID, SCHEMA, SCHEMA_VERSION

#: Two objects of a common size fit into a page, which saves a third of the file against SQLite's default.
_PAGE_BYTES = 8192
#: The write-ahead log is cut to this size when it was larger, in bytes.
_WAL_BYTES = 64 * 1024 * 1024
#: Questions that touch the beginning of each table and index, and the end of the log.
_LOOKS = ("SELECT compacted, swept FROM compaction", "SELECT max(id) FROM log", "SELECT min(key) FROM log",
          "SELECT min(expires) FROM log WHERE expires IS NOT NULL")


class StoreFile:
    """A database file that one store of one process owns while it is open.

    The lock is on ``<path>.lock`` and ends with the process, however that ends.

    :param max_bytes: writes fail rather than let the file grow over this; 0 for no limit.
    """

    def __init__(self, path: str, max_bytes: int = 0) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._lock = -1

    def open(self) -> sqlite3.Connection:
        """The owner's connection. The file, and its folder, are made when missing, for their user alone.

        :raises StoreUnusable: with one line that names the file.
        """
        with self._explained():
            self._acquire()
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            return self._connect_prepared()

    def verify(self) -> None:
        """Find out in a moment whether it could be opened now, and give it up again.

        The folder and the lock's file are made when missing; the database is only read, and only its beginnings:
        damage further in is found when it is opened.

        :raises StoreUnusable: as :meth:`open` does.
        """
        with self._explained():
            self._acquire()
            if os.path.exists(self.path):
                os.close(os.open(self.path, os.O_RDWR | os.O_CLOEXEC))
                self._look()
        self.close()

    def open_reader(self) -> sqlite3.Connection:
        """A further connection, that sees what is committed and cannot write."""
        connection = self._connect()
        connection.execute("PRAGMA query_only = ON")
        return connection

    def close(self) -> None:
        """Give the file up, once its connections are closed."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """What goes wrong within gives the file up and is told in one line."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            self.close()
            reason = error.strerror if isinstance(error, OSError) else error
            raise StoreUnusable(f"{self.path} cannot be used: {reason}") from error
        except StoreUnusable:
            self.close()
            raise

    def _look(self) -> None:
        """Read a little of it. A connection that only reads leaves a write-ahead log as it is."""
        address = Path(self.path).absolute().as_uri()
        with closing(sqlite3.connect(f"{address}?mode=ro", isolation_level=None, uri=True)) as connection:
            if not self._schema_version(connection):
                return
            try:
                for look in _LOOKS:
                    connection.execute(look).fetchone()
            except sqlite3.DatabaseError as error:
                raise StoreUnusable(f"{self.path} is damaged: {error}") from error

    def _acquire(self) -> None:
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), mode=0o700, exist_ok=True)
        descriptor = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(descriptor, 32).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise StoreUnusable(f"{self.path} is locked by process {owner or 'unknown'}") from None
        os.truncate(descriptor, 0)
        os.write(descriptor, b"%d\n" % os.getpid())
        self._lock = descriptor

    def _connect(self) -> sqlite3.Connection:
        """A connection that may go from one thread to another, but serves one at a time."""
        return sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)

    def _connect_prepared(self) -> sqlite3.Connection:
        connection = self._connect()
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Write-ahead log, full sync before a commit is acknowledged, and our schema.

        That free pages can be given back (``auto_vacuum``) has to be said before the first table is made.
        """
        version = self._schema_version(connection)
        if not version:
            connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise StoreUnusable(f"{self.path} lies on a file system that cannot hold a write-ahead log")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")
        if not version:
            connection.executescript(SCHEMA)
        if self._max_bytes:
            pages = self._max_bytes // _number(connection, "page_size")
            connection.execute(f"PRAGMA max_page_count = {max(pages, 1)}")

    def _schema_version(self, connection: sqlite3.Connection) -> int:
        """0 for an empty file."""
        version = _number(connection, "user_version")
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not tables and not version:
            return 0
        if _number(connection, "application_id") != APPLICATION_ID:
            raise StoreUnusable(f"{self.path} is the database of another program")
        if version > SCHEMA_VERSION:
            raise StoreUnusable(f"{self.path} was written by a newer version: its schema is {version}, "
                                f"the newest known here is {SCHEMA_VERSION}")
        return version


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
