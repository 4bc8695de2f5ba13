"""Read many rows in one step of a statement.

A statement gives the interpreter's lock away for each row that it yields, and a busy reactor may keep it for
milliseconds each time. So rows come packed: small columns as one JSON text, values as the columns of a row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import orjson

#: Values read by one statement, a power of two; SQLite allows a result 2000 columns.
_AT_ONCE = 512


def read_values(connection: sqlite3.Connection, rows: Sequence[int]) -> dict[int, bytes | None]:
    """The values of rows of the log; None of a row that deletes, or is not there."""
    values: dict[int, bytes | None] = {}
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start:start + _AT_ONCE]
        size = 1 << (len(some) - 1).bit_length()
        padded = [*some, *[0] * (size - len(some))]
        values.update(zip(some, connection.execute(_select(size), padded).fetchone(), strict=False))
    return values


def read_packed(connection: sqlite3.Connection, query: str, columns: str,
                arguments: Sequence[Any]) -> list[Any]:
    """The rows of a query, in any order, as lists.

    :param columns: of the query's result; neither blobs nor large.
    """
    packed = f"SELECT json_group_array(json_array({columns})) FROM ({query})"
    rows: list[Any] = orjson.loads(connection.execute(packed, arguments).fetchone()[0])
    return rows


@lru_cache
def _select(rows: int) -> str:
    """One result row with a column for each value; for few sizes, so that all are kept prepared."""
    return "SELECT " + ",".join(["(SELECT value FROM log WHERE id = ?)"] * rows)
