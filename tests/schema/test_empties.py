"""Empty lists that are always written."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.empties import null_empty_lists
from kube_twisted.schema.types import Field, List, Map, Scalar, Struct

TEXT = Scalar("string")


def struct(*fields: Field) -> Struct:
    return Struct("X", load=lambda: {field.name: field for field in fields})


class NullTests(SynchronousTestCase):
    def nulled(self, kind: Struct, value: Any) -> Any:
        null_empty_lists(kind, value)
        return value

    def test_always_written(self) -> None:
        """An empty list or map of a field that is always written becomes null; full ones stay."""
        kind = struct(Field("list", List(TEXT), omit_empty=False), Field("map", Map(TEXT), omit_empty=False))
        self.assertEqual(self.nulled(kind, {"list": [], "map": {}}), {"list": None, "map": None})
        self.assertEqual(self.nulled(kind, {"list": ["a"], "map": {"a": "b"}}), {"list": ["a"], "map": {"a": "b"}})

    def test_others(self) -> None:
        """Fields that are left out when empty, pointers, texts and what isn't there stay as they are."""
        kind = struct(Field("omitted", List(TEXT)), Field("pointer", List(TEXT), pointer=True, omit_empty=False),
                      Field("text", TEXT, omit_empty=False), Field("none", List(TEXT), omit_empty=False))
        value = {"omitted": [], "pointer": [], "text": "", "none": None}
        self.assertEqual(self.nulled(kind, dict(value)), value)
        self.assertEqual(self.nulled(kind, {}), {})

    def test_below(self) -> None:
        """So it is at every depth, in lists and in maps."""
        inner = struct(Field("list", List(TEXT), omit_empty=False))
        kind = struct(Field("items", List(inner)), Field("byName", Map(inner)), Field("one", inner))
        value = {"items": [{"list": []}, {"list": ["a"]}], "byName": {"x": {"list": []}}, "one": {"list": []}}
        self.assertEqual(self.nulled(kind, value), {
            "items": [{"list": None}, {"list": ["a"]}], "byName": {"x": {"list": None}}, "one": {"list": None}})

    def test_odd_values(self) -> None:
        """Values that do not fit their type are left alone."""
        kind = struct(Field("items", List(struct(Field("list", List(TEXT), omit_empty=False)))))
        for value in ({"items": "x"}, {"items": [1, None]}, {"items": {"a": 1}}):
            self.assertEqual(self.nulled(kind, dict(value)), value)
