"""Tests for kube_twisted.schema.structural.defaulting."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.jsonvalue import deep_copy
from kube_twisted.schema.structural.defaulting import default, prune_nulls
from kube_twisted.schema.structural.model import compile_schema
from tests.schema.structural.kinds import (
    INTEGER,
    PRESERVE,
    SCHEMAS,
    STRING,
    VALUES,
    array,
    custom,
    kind,
    mapping,
    obj,
)

DEEP = obj(x={**INTEGER, "default": 7}, y={**obj(z={"type": "boolean", "default": True}), "default": {}})
JOBS = compile_schema(obj(spec={
    **obj(
        a={**STRING, "default": "A"},
        deep=DEEP,
        items=array(obj(port=INTEGER, proto={**STRING, "default": "TCP"})),
        m=mapping(obj(w={**INTEGER, "default": 1})),
        arr={**array(STRING), "default": ["one", "two"]},
        any={"type": "object", PRESERVE: True, "default": {"free": [1, {"k": "v"}]}},
    ),
    "default": {},
}))
FREE = {"free": [1, {"k": "v"}]}
SHAPES = kind(nul={**STRING, "nullable": True}, non=STRING, nd={**STRING, "nullable": True, "default": "dd"},
              dd={**STRING, "default": "ee"})


def defaulted(**spec: Any) -> Any:
    thing = {"spec": spec} if spec else {}
    default(thing, JOBS)
    return thing["spec"]


class TestDefaults(SynchronousTestCase):
    def test_defaults_nest(self) -> None:
        """A default is filled with the defaults of what is inside; objects that are missing are not made up."""
        self.assertEqual(defaulted(), {"a": "A", "any": FREE, "arr": ["one", "two"]})

    def test_what_is_there_stays(self) -> None:
        """Empty lists, false and the like are values; items and map values get defaults."""
        self.assertEqual(
            defaulted(a="mine", deep={}, items=[{"port": 1}, {"port": 2, "proto": "UDP"}], m={"k": {}}, arr=[]),
            {"a": "mine", "any": FREE, "arr": [], "deep": {"x": 7, "y": {"z": True}},
             "items": [{"port": 1, "proto": "TCP"}, {"port": 2, "proto": "UDP"}], "m": {"k": {"w": 1}}})
        self.assertEqual(defaulted(deep={"y": {"z": False}}, any={}, arr=[])["deep"], {"x": 7, "y": {"z": False}})

    def test_defaults_are_copies(self) -> None:
        """Changing an object does not change the schema's default."""
        defaulted()["any"]["free"].append(2)
        self.assertEqual(defaulted()["any"], FREE)

    def test_null_items_and_values_get_the_default(self) -> None:
        """Null that is not allowed in a list or map becomes the default of the items or values."""
        node = kind(l=array({**STRING, "default": "d"}), m=mapping({**STRING, "default": "d"}),
                    n=array({**STRING, "default": "d", "nullable": True}))
        thing = custom(l=[None, "x"], m={"k": None}, n=[None])
        default(thing, node)
        self.assertEqual(thing["spec"], {"l": ["d", "x"], "m": {"k": "d"}, "n": [None]})

    @given(SCHEMAS, VALUES)
    def test_defaulting_twice_is_defaulting_once(self, schema: dict[str, Any], value: dict[str, Any]) -> None:
        """A second round changes nothing, and what was there is still there."""
        node = compile_schema(schema)
        prune_nulls(value, node)
        default(value, node)
        before = deep_copy(value)
        prune_nulls(value, node)
        default(value, node)
        self.assertEqual(value, before)


class TestNulls(SynchronousTestCase):
    def shape(self, **spec: Any) -> Any:
        thing = custom(**spec)
        prune_nulls(thing, SHAPES)
        default(thing, SHAPES)
        return thing["spec"]

    def test_nulls(self) -> None:
        """Null stays where it is allowed, becomes the default where there is one, and goes elsewhere."""
        self.assertEqual(self.shape(nul=None, nd=None, dd=None), {"nul": None, "nd": None, "dd": "ee"})
        self.assertEqual(self.shape(non=None), {"nd": "dd", "dd": "ee"})

    def test_a_whole_object_that_is_null(self) -> None:
        """``spec: null`` is no spec."""
        thing = {"spec": None}
        prune_nulls(thing, SHAPES)
        self.assertEqual(thing, {})

    def test_nulls_nobody_describes(self) -> None:
        """Nulls in lists, and in fields that the schema does not know, are left alone."""
        node = kind(l=array(STRING), any={PRESERVE: True, "type": "object"}, m=mapping(STRING))
        thing = custom(l=[None], any={"x": None}, m={"k": None, "j": "1"})
        prune_nulls(thing, node)
        self.assertEqual(thing["spec"], {"l": [None], "any": {"x": None}, "m": {"j": "1"}})
