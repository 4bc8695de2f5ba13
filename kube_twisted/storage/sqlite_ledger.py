"""Write batches of transactions into the log: one statement and one fsync for all of a batch.

A batch is one INSERT, which commits by itself, and one SELECT when it replaces anything: each further
statement would give the interpreter's lock away, and a busy reactor may keep it for milliseconds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

from attrs import frozen
from twisted.internet.defer import Deferred

from kube_twisted.storage.interfaces import Entry, Event, PreconditionFailed, StoreFailed
from kube_twisted.storage.sqlite_plan import LiveKeys, Mismatch, Plan, Row, Transaction, event
from kube_twisted.storage.sqlite_schema import revision_of
from kube_twisted.storage.sqlite_values import read_values

_LIVE_KEYS = "SELECT key, max(id), created, count(*) FROM log GROUP BY key"


@frozen
class Commit:
    """What became of a batch.

    :ivar outcomes: for each transaction its revision, or its error.
    """

    revision: int
    events: Sequence[Event]
    outcomes: Sequence[tuple[Deferred[int], int | Exception]]


class Ledger:
    """The only writer of the log: used in one thread.

    :ivar revision: the newest one.
    :ivar superseded: how many rows only served those who look back, when it was opened.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._live = LiveKeys()
        (compacted,) = connection.execute("SELECT compacted FROM compaction").fetchone()
        (newest,) = connection.execute("SELECT coalesce(max(id), 0) FROM log").fetchone()
        # What compaction removed was not newer than "compacted", so this never goes back.
        self.revision: int = max(revision_of(newest), compacted, 1)
        rows = 0
        for key, row, created, count in connection.execute(_LIVE_KEYS):
            rows += count
            if created:
                self._live.add(key, row, created)
        self.superseded = rows - len(self._live)

    def commit(self, transactions: Sequence[Transaction]) -> Commit:
        """Write what applies. When the file cannot be written, all of them fail, and nothing has changed."""
        plan = self._live.plan(transactions, self.revision)
        try:
            values = self._values(plan)
            if plan.rows:
                flat = list(chain.from_iterable(plan.rows.values()))
                self._connection.execute(_insert(len(plan.rows)), flat)
        except Exception as error:
            self._live.take_back(plan)
            failed = StoreFailed(f"the store cannot be written: {error}")
            return Commit(self.revision, [], [(transaction.done, failed) for transaction in transactions])
        self.revision = plan.revision
        events = [event(row.id, row.key, row.value, row.previous, values.get(row.previous))
                  for row in plan.rows.values()]
        outcomes = [(transaction.done, _outcome(transaction, outcome, values))
                    for transaction, outcome in zip(transactions, plan.outcomes, strict=True)]
        return Commit(plan.revision, events, outcomes)

    def _values(self, plan: Plan) -> dict[int, bytes | None]:
        """What the events and the errors of a plan show of rows before: by the row's id."""
        rows = plan.rows
        wanted = [row.previous for row in rows.values() if row.previous]
        wanted += [one.row for one in plan.outcomes if isinstance(one, Mismatch) and one.row]
        values = {row: rows[row].value for row in wanted if row in rows}
        stored = [row for row in wanted if row not in rows]
        return values | read_values(self._connection, stored) if stored else values


def _outcome(transaction: Transaction, outcome: int | Mismatch,
             values: Mapping[int, bytes | None]) -> int | Exception:
    if not isinstance(outcome, Mismatch):
        return outcome
    if not outcome.row:
        return PreconditionFailed(outcome.index, None)
    key = transaction.operations[outcome.index].key
    entry = Entry(key, values[outcome.row] or b"", revision_of(outcome.row), outcome.created)
    return PreconditionFailed(outcome.index, entry)


@lru_cache(maxsize=256)
def _insert(rows: int) -> str:
    columns = ",".join(Row._fields)
    return f"INSERT INTO log ({columns}) VALUES " + ",".join(["(?,?,?,?,?,?)"] * rows)
