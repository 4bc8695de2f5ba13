"""Printer columns of custom resources."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.printers.custom import custom_printer, custom_scale_printer
from tests.registry.printers.printing import AGE, NOW, named

SHIP = named("a", metadata={"labels": {"fleet": "one"}}, spec={
    "crew": 3, "port": "north", "since": "2001-01-01T00:00:00Z", "f": 1.5, "whole": 2.0, "b": True, "l": ["x", "y"],
    "o": {"k": [1], "<": "&"}, "none": None, "huge": 1e20})


def column(path: str, type_: str = "string", **more: Any) -> dict[str, Any]:
    return {"name": "X", "type": type_, "jsonPath": path, **more}


def cell(path: str, type_: str = "string", obj: dict[str, Any] = SHIP) -> Any:
    """What a column shows."""
    return custom_printer([column(path, type_)]).cells(obj, NOW)[1]


class ColumnTests(SynchronousTestCase):
    """What the table says about its columns."""

    def test_definitions(self) -> None:
        """The name comes first; a column without a description is described by its path."""
        first, *others = custom_printer([
            column(".spec.crew", "integer"),
            column(".spec.f", "number", name="F", format="float", description="how much", priority=1),
        ]).definitions
        self.assertEqual((first["name"], first["type"], first["format"]), ("Name", "string", "name"))
        self.assertTrue(first["description"].startswith("Name must be unique within a namespace."))
        self.assertEqual(others, [
            {"name": "X", "type": "integer", "format": "", "priority": 0,
             "description": "Custom resource definition column (in JSONPath format): .spec.crew"},
            {"name": "F", "type": "number", "format": "float", "priority": 1, "description": "how much"}])

    def test_default(self) -> None:
        """Without columns of its own, a kind shows the age of its objects."""
        for none in (None, []):
            printer = custom_printer(none)
            age = printer.definitions[1]
            self.assertEqual((age["name"], age["type"], age["priority"]), ("Age", "date", 0))
            self.assertTrue(age["description"].startswith("CreationTimestamp is a timestamp"))
            self.assertEqual(printer.cells(SHIP, NOW), ["a", AGE])

    def test_scale(self) -> None:
        """The Scale of any custom resource has the same columns."""
        printer = custom_scale_printer()
        self.assertEqual([one["name"] for one in printer.definitions], ["Name", "Desired", "Available", "Age"])
        self.assertEqual(printer.cells(named("f", spec={"replicas": 2}, status={"replicas": 0}), NOW),
                         ["f", 2, 0, AGE])

    def test_unreadable_path(self) -> None:
        """From a path that can't be read on, there are no columns."""
        printer = custom_printer([column(".spec.crew"), column(".spec["), column(".spec.port")])
        self.assertEqual([one["name"] for one in printer.definitions], ["Name", "X"])
        self.assertEqual(printer.cells(SHIP, NOW), ["a", "3"])


class CellTests(SynchronousTestCase):
    """What stands in the cells."""

    def check(self, type_: str, **cells: Any) -> None:
        for name, expected in cells.items():
            shown = cell(f".spec.{name}", type_)
            self.assertEqual((shown, type(shown)), (expected, type(expected)), name)

    def test_text(self) -> None:
        """Anything can be a text: objects and lists as JSON, a null as what the original makes of it."""
        self.check("string", crew="3", port="north", f="1.5", whole="2", b="true", l='["x","y"]',
                   o='{"\\u003c":"\\u0026","k":[1]}', none="<no value>")

    def test_integer(self) -> None:
        """Fractions are cut off; what is no number isn't shown."""
        self.check("integer", crew=3, f=1, whole=2, b=None, port=None, none=None, huge=-(1 << 63))

    def test_number(self) -> None:
        """Whole numbers are written without a fraction."""
        self.check("number", crew=3, f=1.5, whole=2, huge=1e20, b=None, port=None)

    def test_boolean(self) -> None:
        """Only booleans are."""
        self.check("boolean", b=True, crew=None, port=None)

    def test_date(self) -> None:
        """How long ago it was; what is no time is invalid, what is no text isn't shown."""
        self.check("date", since="25y", port="<invalid>", crew=None, none=None)

    def test_odd_dates(self) -> None:
        """No time at all is unknown, and none is longer ago than Go can say."""
        for text, expected in (("", "<unknown>"), ("null", "<unknown>"), ("0001-01-01T00:00:00Z", "<unknown>"),
                               ("0002-01-01T00:00:00Z", "292y"), ("2030-01-01T00:00:00Z", "<invalid>")):
            self.assertEqual(cell(".d", "date", {"d": text}), expected)

    def test_lists(self) -> None:
        """Of several results, the first is shown."""
        self.assertEqual([cell(".spec.l[1]"), cell(".spec.l[*]"), cell('.spec.l[?(@=="y")]')], ["y", "x", "y"])

    def test_nothing(self) -> None:
        """What isn't there, or doesn't fit, is null."""
        self.assertEqual([cell(".spec.x"), cell(".spec.l[5]"), cell(".spec.port[0]"), cell(".x", "date")], [None] * 4)

    def test_bookmark(self) -> None:
        """An object with nothing set has a row as well."""
        self.assertEqual(custom_printer(None).cells({"metadata": {"resourceVersion": "5"}}, NOW), ["", None])
