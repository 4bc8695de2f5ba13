"""What a table printer is: columns with their cells, written down as a table per kind."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import frozen

from kube_twisted.registry.printers.documentation import Doc

Obj = dict[str, Any]
#: Makes one cell of an object; the second argument is the time, in seconds since the epoch.
Cell = Callable[[Obj, float], Any]


@frozen
class Column:
    """A ``TableColumnDefinition`` of meta.k8s.io/v1.

    :ivar type: the OpenAPI type: ``string``, ``integer``, ``boolean``, ``date``.
    :ivar format: ``name`` marks the column with the object's name.
    :ivar description: a text, or the API field whose documentation it is.
    :ivar priority: 0 is always shown, more only where there is room (``kubectl get -o wide``).
    """

    name: str
    type: str = "string"
    format: str = ""
    description: str | Doc = ""
    priority: int = 0

    def definition(self) -> Obj:
        """The column as the API writes it."""
        described = self.description
        return {
            "name": self.name,
            "type": self.type,
            "format": self.format,
            "description": described.text() if isinstance(described, Doc) else described,
            "priority": self.priority,
        }


def no_conditions(obj: Obj) -> list[Obj] | None:
    return None


@frozen
class Printer:
    """How objects of one kind become table rows.

    Objects are plain dicts in the storage version; any field may be missing, as in a bookmark.

    :ivar row: the cells of an object at a time in seconds since the epoch, one per column.
    :ivar conditions: the row's conditions, such as that the object is completed; None for none.
    :ivar order: the sort key of lists whose rows do not keep the order of the list.
    """

    columns: tuple[Column, ...]
    row: Callable[[Obj, float], list[Any]]
    conditions: Callable[[Obj], list[Obj] | None] = no_conditions
    order: Callable[[Obj], Any] | None = None

    def cells(self, obj: Obj, now: float) -> list[Any]:
        return self.row(obj, now)

    @cached_property
    def definitions(self) -> list[Obj]:
        """The columns as the API writes them; shared, not to be changed."""
        return [column.definition() for column in self.columns]


#: A column and how its cell is made.
Printed = tuple[Column, Cell]


def printer(*printed: Printed, order: Callable[[Obj], Any] | None = None) -> Printer:
    """A printer whose cells are made one by one."""
    makers = tuple(cell for _, cell in printed)

    def row(obj: Obj, now: float) -> list[Any]:
        return [make(obj, now) for make in makers]

    return Printer(tuple(column for column, _ in printed), row, order=order)


def text(name: str, description: str | Doc, cell: Cell, *, wide: bool = False, format_: str = "") -> Printed:
    """A string column; ``wide`` for one that is only shown where there is room."""
    return Column(name, "string", format_, description, int(wide)), cell


def integer(name: str, description: str | Doc, cell: Cell) -> Printed:
    return Column(name, "integer", "", description), cell


def boolean(name: str, description: str | Doc, cell: Cell) -> Printed:
    return Column(name, "boolean", "", description), cell
