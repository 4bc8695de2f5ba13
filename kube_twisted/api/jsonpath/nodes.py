"""What a JSONPath template is made of."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen


class JSONPathError(ValueError):
    """A template that can't be read, or that doesn't fit the data; the text says why."""


@frozen
class Literal:
    """A text, number or boolean that stands in the template itself."""

    value: str | int | float | bool


@frozen
class Field:
    """``.name`` or ``['name']``."""

    name: str


@frozen
class Identifier:
    """A word: ``range`` or ``end``."""

    name: str


@frozen
class Slice:
    """``[start:end:step]``, or ``[start]`` alone.

    :ivar single: there is no colon: the end is the item behind the start.
    """

    start: int | None = None
    end: int | None = None
    step: int | None = None
    single: bool = False


@frozen
class Wildcard:
    """``.*``: all that a value holds."""


@frozen
class Recursive:
    """``..``: a value and all that is in it, at any depth."""


@frozen
class Union:
    """``[a,b]``: the results of several paths, one after another."""

    paths: tuple[Path, ...]


@frozen
class Filter:
    """``[?(left operator right)]``: the items of a list that pass.

    :ivar operator: a comparison; ``exists`` for a left side that stands alone.
    """

    left: Path
    operator: str
    right: Path


Node: TypeAlias = Literal | Field | Identifier | Slice | Wildcard | Recursive | Union | Filter
#: Steps, each taken from the results of the one before.
Path: TypeAlias = tuple[Node, ...]
