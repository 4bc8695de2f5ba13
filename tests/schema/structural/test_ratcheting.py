"""Tests for kube_twisted.schema.structural.ratcheting, through validation of updates."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.structural.model import Structural, compile_schema
from kube_twisted.schema.structural.validation import validate, validate_update
from tests.schema.structural.kinds import (
    INTEGER,
    PRESERVE,
    STRING,
    array,
    custom,
    kind,
    list_of,
    mapping,
    obj,
    texts,
)

SHORT = {**STRING, "maxLength": 2}
STRICT = kind(a=SHORT, b=STRING, l=array({**STRING, "enum": ["ok"]}, maxItems=1), m=mapping(SHORT))
TOO_LONG = "spec.a: Too long: may not be more than 2 bytes"


class TestRatcheting(SynchronousTestCase):
    def update(self, node: Structural, old: dict[str, Any], **new: Any) -> list[str]:
        return texts(validate_update(custom(**new), custom(**old), node))

    def test_what_did_not_change_is_excused(self) -> None:
        """A stored value that breaks a new rule stays until it is touched."""
        old = {"a": "long text", "b": "x", "l": ["p", "q"]}
        self.assertEqual(len(validate(custom(**old), STRICT)), 4)
        self.assertEqual(self.update(STRICT, old, **{**old, "b": "y"}), [])

    def test_what_changed_is_checked(self) -> None:
        """So is a field that was not there, and one that was right."""
        self.assertEqual(self.update(STRICT, {"a": "long text"}, a="also long"), [TOO_LONG])
        self.assertEqual(self.update(STRICT, {}, a="long"), [TOO_LONG])
        self.assertEqual(self.update(STRICT, {"a": "ok"}, a="long"), [TOO_LONG])

    def test_plain_lists_are_one_value(self) -> None:
        """When an item is added all items are checked."""
        self.assertEqual(self.update(STRICT, {"l": ["p", "q"]}, l=["p", "q", "r"]), [
            'spec.l[0]: Unsupported value: "p": supported values: "ok"',
            'spec.l[1]: Unsupported value: "q": supported values: "ok"',
            'spec.l[2]: Unsupported value: "r": supported values: "ok"',
            "spec.l: Too many: 3: must have at most 1 item"])

    def test_map_lists_are_compared_by_key(self) -> None:
        """An item is the one with the same keys, wherever it is now; the order of items makes no difference."""
        node = kind(parts={**list_of("map", obj(id=STRING, port=INTEGER, name=SHORT), "id", "port"), "maxItems": 1})
        first, second = {"id": "a", "port": 1, "name": "long"}, {"id": "b", "port": 1, "name": "also long"}
        old = {"parts": [first, second]}
        self.assertEqual(self.update(node, old, parts=[second, first]), [])
        self.assertEqual(self.update(node, old, parts=[second, {**first, "port": 2}]), [
            "spec.parts[1].name: Too long: may not be more than 2 bytes",
            "spec.parts: Too many: 2: must have at most 1 item"])

    def test_items_without_their_keys(self) -> None:
        """They have no counterpart."""
        node = kind(parts=list_of("map", obj(id=STRING, name=SHORT), "id"))
        self.assertEqual(len(self.update(node, {"parts": [{"name": "long"}]}, parts=[{"name": "long"}])), 1)

    def test_values_of_maps(self) -> None:
        """They are compared key by key."""
        old = {"m": {"k": "long", "j": "x"}}
        self.assertEqual(self.update(STRICT, old, m={"k": "long", "j": "y"}), [])
        self.assertEqual(len(self.update(STRICT, old, m={"k": "long", "n": "long"})), 1)

    def test_fields_nobody_describes(self) -> None:
        """An object that has some never counts as unchanged."""
        node = kind(free={**obj(a=SHORT), PRESERVE: True, "required": ["must"]})
        self.assertEqual(self.update(node, {"free": {"a": "long"}}, free={"a": "long"}), [])
        old = {"free": {"a": "long", "x": 1}}
        self.assertEqual(self.update(node, old, **old), ["spec.free.must: Required value"])

    def test_required_fields(self) -> None:
        """A field that is missing is the fault of the object that should have it."""
        node = compile_schema(obj(spec={**obj(b=STRING), "required": ["must"]}))
        self.assertEqual(self.update(node, {"b": "x"}, b="x"), [])
        self.assertEqual(self.update(node, {"b": "x"}, b="y"), ["spec.must: Required value"])

    def test_inside_of_combinations(self) -> None:
        """An alternative is not excused by fields that did not change: the object it is about would have to be."""
        node = kind(o={**obj(a=STRING, b=STRING), "allOf": [{"properties": {"a": {"maxLength": 2}}}]})
        old = {"o": {"a": "long", "b": "x"}}
        self.assertEqual(self.update(node, old, **old), [])
        self.assertEqual(self.update(node, old, o={"a": "long", "b": "y"}), [
            "spec.o.a: Too long: may not be more than 2 bytes",
            '<nil>: Invalid value: "": "spec.o" must validate all the schemas (allOf). None validated'])

    def test_versions_are_never_excused(self) -> None:
        """Their changes can't be seen: both objects are converted to one version."""
        node = compile_schema(obj(apiVersion={**STRING, "enum": ["v2"]}))
        thing = {"apiVersion": "v1", "x": 1}
        self.assertEqual(len(validate_update(thing, thing, node)), 1)

    def test_a_status_that_was_not_there(self) -> None:
        """Everything in it is new."""
        node = compile_schema(obj(phase=SHORT))
        self.assertEqual(len(validate_update({"phase": "long"}, None, node, "status")), 1)
        self.assertEqual(validate_update({"phase": "long"}, {"phase": "long"}, node, "status"), [])
