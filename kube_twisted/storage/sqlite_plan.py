"""Decide what a batch writes: each transaction is checked against the live keys and those before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from attrs import define, field, frozen
from twisted.internet.defer import Deferred

from kube_twisted.storage.interfaces import Check, Delete, Event, EventType, Operation
from kube_twisted.storage.preconditions import first_mismatch
from kube_twisted.storage.sqlite_schema import revision_of, row_id


@frozen(slots=True)
class Transaction:
    """Operations that wait to be written.

    :ivar now: when they were asked for, in seconds since the epoch; a ``ttl`` counts from it.
    """

    operations: Sequence[Operation]
    now: float
    done: Deferred[int]


class Row(NamedTuple):
    """A row of the log, in the order of its columns."""

    id: int
    key: str
    created: int
    previous: int
    expires: float | None
    value: bytes | None


def event(row: int, key: str, value: bytes | None, previous: int, old: bytes | None) -> Event:
    """The event that a row stands for.

    :param value: None in a row that deletes.
    :param previous: the row before, 0 for none; ``old`` is its value.
    """
    if old is None:
        return Event(EventType.CREATED, key, value or b"", revision_of(row), None, 0)
    if value is None:
        return Event(EventType.DELETED, key, old, revision_of(row), old, revision_of(previous))
    return Event(EventType.UPDATED, key, value, revision_of(row), old, revision_of(previous))


@frozen(slots=True)
class Mismatch:
    """A transaction that does not apply.

    :ivar index: the operation that does not.
    :ivar row: what its key has now, 0 for none; and ``created``, the revision that created the key.
    """

    index: int
    row: int
    created: int


@define
class Plan:
    """What a batch comes to.

    :ivar revision: the newest one, once it is written.
    :ivar rows: to write, by their id, in order.
    :ivar outcomes: of each transaction: its revision, or why it does not apply.
    :ivar undo: what the live keys were before, for each key that the batch touches.
    """

    revision: int
    rows: dict[int, Row] = field(factory=dict)
    outcomes: list[int | Mismatch] = field(factory=list)
    undo: dict[str, tuple[int, int] | None] = field(factory=dict)


class LiveKeys:
    """The newest row of each key that exists, and the revision that created the key.

    With this in memory the check of a precondition needs no look into the file.
    """

    def __init__(self) -> None:
        self._live: dict[str, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._live)

    def add(self, key: str, row: int, created: int) -> None:
        self._live[key] = (row, created)

    def plan(self, transactions: Sequence[Transaction], revision: int) -> Plan:
        """Number the transactions that apply from ``revision`` + 1 on, and take their changes over."""
        plan = Plan(revision)
        for transaction in transactions:
            plan.outcomes.append(self._plan(plan, transaction))
        return plan

    def take_back(self, plan: Plan) -> None:
        """The plan could not be written: be again as before it."""
        for key, old in plan.undo.items():
            if old is None:
                self._live.pop(key, None)
            else:
                self._live[key] = old

    def _plan(self, plan: Plan, transaction: Transaction) -> int | Mismatch:
        operations = transaction.operations
        index = first_mismatch(operations, self._revision_of)
        if index is not None:
            return Mismatch(index, *self._live.get(operations[index].key, (0, 0)))
        revision = plan.revision + 1
        for row in self._rows(plan, transaction, revision):
            plan.rows[row.id] = row
            plan.revision = revision
        return plan.revision

    def _rows(self, plan: Plan, transaction: Transaction, revision: int) -> Iterator[Row]:
        live = self._live
        for place, operation in enumerate(transaction.operations):
            if isinstance(operation, Check):
                continue
            key = operation.key
            old = live.get(key)
            plan.undo.setdefault(key, old)
            row = row_id(revision, place)
            previous, created = old or (0, revision)
            if isinstance(operation, Delete):
                del live[key]
                yield Row(row, key, 0, previous, None, None)
            else:
                live[key] = (row, created)
                expires = transaction.now + operation.ttl if operation.ttl else None
                yield Row(row, key, created, previous, expires, operation.value)

    def _revision_of(self, key: str) -> int:
        row = self._live.get(key)
        return revision_of(row[0]) if row is not None else 0
