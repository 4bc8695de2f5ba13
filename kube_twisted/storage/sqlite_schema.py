"""The tables of a SQLite store."""

from __future__ import annotations

from kube_twisted.storage.preconditions import MAX_OPERATIONS

#: "kbtw": tells our files from those of other programs.
APPLICATION_ID = 0x6B627477
SCHEMA_VERSION = 1

#: The log in the order of writing, and how far it is compacted.
#:
#: - ``id`` is the revision and the place within its transaction, see :func:`row_id`;
#: - ``created`` is the revision that created the key, 0 in a row that deletes it;
#: - ``previous`` is the row that this one replaces, 0 for none: what compaction removes, and where the
#:   previous value stands, which is therefore kept only once;
#: - ``expires`` is in seconds since the epoch;
#: - ``compaction`` has one row: nobody is shown what is older than the revision ``compacted``, and what the
#:   rows up to ``swept`` replaced is removed;
#: - ``revisions`` is for people who look into the file.
SCHEMA = f"""
BEGIN;
CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    created INTEGER NOT NULL,
    previous INTEGER NOT NULL,
    expires REAL,
    value BLOB
);
CREATE INDEX log_by_key ON log (key, id, created);
CREATE INDEX log_by_expiry ON log (expires) WHERE expires IS NOT NULL;
CREATE TABLE compaction (compacted INTEGER NOT NULL, swept INTEGER NOT NULL);
INSERT INTO compaction VALUES (0, 0);
CREATE VIEW revisions AS
    SELECT id / {MAX_OPERATIONS} AS revision, key, created, previous / {MAX_OPERATIONS} AS previous,
           created = 0 AS deleted, expires, value
    FROM log;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""


def row_id(revision: int, place: int = 0) -> int:
    """The row of an operation; the rows of ``revision`` and later begin with ``row_id(revision)``."""
    return revision * MAX_OPERATIONS + place


def revision_of(row: int) -> int:
    """The revision that wrote a row; 0 for row 0, which is none."""
    return row // MAX_OPERATIONS
