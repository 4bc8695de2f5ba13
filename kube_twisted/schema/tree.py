"""A JSON document read with nothing lost: members in order with duplicates, numbers as they were written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen


@frozen
class Members:
    """A JSON object as its members, duplicates included."""

    pairs: list[tuple[str, Any]]


@frozen
class Number:
    """A JSON number as it was written."""

    text: str

    def value(self) -> int | float:
        """An integer if it fits into 64 bits; anything else is a float, infinite when it is too large."""
        try:
            whole = int(self.text)
        except ValueError:
            whole = 1 << 63
        if -(1 << 63) <= whole < 1 << 63:
            return whole
        return float(self.text)


def members(node: dict[str, Any] | Members) -> Iterable[tuple[str, Any]]:
    """The members of an object, whichever way it was read."""
    return node.pairs if isinstance(node, Members) else node.items()


def plain(node: Any) -> Any:
    """The ordinary value of a document: of duplicate members the last one counts."""
    if isinstance(node, Members):
        return {key: plain(value) for key, value in node.pairs}
    if isinstance(node, list):
        return [plain(item) for item in node]
    return node.value() if isinstance(node, Number) else node
