"""Tests for kube_twisted.schema.structural.validation: types, numbers, texts, lists, objects."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.structural.model import compile_schema
from kube_twisted.schema.structural.validation import validate
from tests.schema.structural.kinds import (
    INT_OR_STRING,
    INTEGER,
    SCHEMAS,
    STRING,
    VALUES,
    array,
    complaints,
    custom,
    kind,
    mapping,
    obj,
    texts,
)

NUMBER = {"type": "number"}


class Complaining(SynchronousTestCase):
    def check(self, schema: dict[str, Any], value: Any, *expected: str) -> None:
        self.assertEqual(complaints(schema, value), list(expected))


class TestTypes(Complaining):
    def test_wrong_types(self) -> None:
        """The JSON types wanted and found are named."""
        self.check(INTEGER, "5", 'spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"')
        self.check(STRING, 5, 'spec.f: Invalid value: "integer": spec.f in body must be of type string: "integer"')
        self.check(array(STRING), {}, 'spec.f: Invalid value: "object": spec.f in body must be of type array: "object"')
        self.check(obj(a=STRING), [1], 'spec.f: Invalid value: "array": spec.f in body must be of type object: "array"')
        self.check(array(STRING), [None],
                   'spec.f[0]: Invalid value: "null": spec.f[0] in body must be of type string: "null"')
        self.check({"type": "boolean"}, 1,
                   'spec.f: Invalid value: "integer": spec.f in body must be of type boolean: "integer"')
        self.check(INTEGER, True, 'spec.f: Invalid value: "boolean": spec.f in body must be of type integer: "boolean"')

    def test_right_types(self) -> None:
        """An integer is a number; null is fine where it is allowed, and without a type."""
        self.check(NUMBER, 2)
        self.check({**STRING, "nullable": True}, None)
        self.check({"x-kubernetes-preserve-unknown-fields": True}, None)
        self.check(INTEGER, 2.0)

    def test_the_reason(self) -> None:
        """A wrong type has a reason of its own."""
        [error] = validate(custom(f="x"), kind(f=INTEGER))
        self.assertEqual(error.cause(), {
            "reason": "FieldValueTypeInvalid", "field": "spec.f",
            "message": 'Invalid value: "string": spec.f in body must be of type integer: "string"'})

    def test_fractions_are_no_integers(self) -> None:
        """The type and the range are both wrong; the latter error has no field."""
        self.check(INTEGER, 2.5, 'spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
                   '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.f')

    def test_int_or_string(self) -> None:
        """Texts and integers, each with the limits for it."""
        percent = {**INT_OR_STRING, "minimum": 1, "pattern": "^[0-9]+%$"}
        for good in ("50%", 7):
            self.check(percent, good)
        self.check(percent, 0, "spec.f: Invalid value: 0: spec.f in body should be greater than or equal to 1")
        self.check(percent, "x", "spec.f: Invalid value: \"x\": spec.f in body should match '^[0-9]+%$'")
        self.check(INT_OR_STRING, 1.5,
                   'spec.f: Invalid value: "number": spec.f in body must be of type integer,string: "number"')

    def test_texts_with_a_format(self) -> None:
        """A value that is no text is wrong by its format; a list passes, as it does in the original."""
        dated = {**STRING, "format": "date"}
        self.check(dated, 5, 'spec.f: Invalid value: "int64": spec.f in body must be of type date: "int64"')
        self.check(dated, True, 'spec.f: Invalid value: "": spec.f in body must be of type date: ""')
        self.check(dated, [1])
        self.check({**INTEGER, "format": "int32"}, 2.5,
                   'spec.f: Invalid value: "float64": spec.f in body must be of type int32: "float64"',
                   '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.f')


class TestNumbers(Complaining):
    def test_bounds(self) -> None:
        """Bounds are inclusive unless they say otherwise."""
        closed = {**INTEGER, "minimum": 2, "maximum": 9}
        self.check(closed, 2)
        self.check(closed, 9)
        self.check(closed, 1, "spec.f: Invalid value: 1: spec.f in body should be greater than or equal to 2")
        self.check(closed, 10, "spec.f: Invalid value: 10: spec.f in body should be less than or equal to 9")
        exclusive = {**closed, "exclusiveMinimum": True, "exclusiveMaximum": True}
        self.check(exclusive, 3)
        self.check(exclusive, 2, "spec.f: Invalid value: 2: spec.f in body should be greater than 2")
        self.check(exclusive, 9, "spec.f: Invalid value: 9: spec.f in body should be less than 9")

    def test_multiples(self) -> None:
        """Integers exactly, floats but for rounding."""
        self.check({**INTEGER, "multipleOf": 3}, 9)
        self.check({**INTEGER, "multipleOf": 3}, 10,
                   "spec.f: Invalid value: 10: spec.f in body should be a multiple of 3")
        quarters = {**NUMBER, "minimum": 0.5, "multipleOf": 0.25}
        self.check(quarters, 0.75)
        self.check(quarters, 0.6, "spec.f: Invalid value: 0.6: spec.f in body should be a multiple of 0.25")
        self.check(quarters, 0.25, "spec.f: Invalid value: 0.25: spec.f in body should be greater than or equal to 0.5")

    def test_integers_meet_limits_without_a_fraction(self) -> None:
        """The original cuts the limit off: an integer can't be a multiple of a quarter."""
        self.check({**NUMBER, "multipleOf": 0.25}, 1, "spec.f: Invalid value: 0: factor MultipleOf declared for spec.f "
                                                      "must be positive: 0")
        self.check({**NUMBER, "minimum": 1.5}, 1)

    def test_limits_that_the_type_can_not_hold(self) -> None:
        """They are reported whatever the value, and the value is compared as a float."""
        self.check({**INTEGER, "maximum": 1.5}, 2,
                   '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) '
                   "in spec.f",
                   "spec.f: Invalid value: 2: spec.f in body should be less than or equal to 1.5")

    def test_formats(self) -> None:
        """32 bit integers and floats have less room."""
        self.check({**INTEGER, "format": "int32"}, 1 << 32,
                   '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.f')
        self.check({**INTEGER, "format": "int64"}, 9007199254740993)
        self.check({**NUMBER, "format": "float"}, 1e39,
                   '<nil>: Invalid value: "": Checked value must be of type number with format float in spec.f')
        self.check({**NUMBER, "format": "double"}, 1e39)

    def test_enumerations(self) -> None:
        """The values allowed are quoted, whatever they are; integers and floats may equal one another."""
        self.check({**STRING, "enum": ["red", "green"]}, "blue",
                   'spec.f: Unsupported value: "blue": supported values: "red", "green"')
        self.check({**INTEGER, "enum": [1, 2]}, 3, 'spec.f: Unsupported value: 3: supported values: "1", "2"')
        self.check({"type": "boolean", "enum": [True]}, False,
                   'spec.f: Unsupported value: false: supported values: "true"')
        self.check({**NUMBER, "enum": [1, 2.5]}, 1.0)
        self.check({**NUMBER, "enum": [1, 2.5]}, 2.5)

    def test_null_is_never_listed(self) -> None:
        """Not even when the enumeration has it."""
        self.check({**STRING, "nullable": True, "enum": ["a", None]}, None,
                   'spec.f: Unsupported value: null: supported values: "a", "null"')


class TestTexts(Complaining):
    LENGTHS = {**STRING, "minLength": 2, "maxLength": 5}

    def test_lengths(self) -> None:
        """They count characters, though the message says bytes."""
        self.check(self.LENGTHS, "ééééé")
        self.check(self.LENGTHS, "a", 'spec.f: Invalid value: "a": spec.f in body should be at least 2 chars long')
        self.check(self.LENGTHS, "abcdef", "spec.f: Too long: may not be more than 5 bytes")

    def test_patterns(self) -> None:
        """A pattern may match anywhere; it is only looked at when the length is right."""
        self.check({**STRING, "pattern": "b+"}, "abc")
        schema = {**STRING, "pattern": "^[a-z]+-[0-9]{2,}$", "maxLength": 9}
        self.check(schema, "AB-1", "spec.f: Invalid value: \"AB-1\": spec.f in body should match '^[a-z]+-[0-9]{2,}$'")
        self.check(schema, "AB-1-------", "spec.f: Too long: may not be more than 9 bytes")

    def test_formats(self) -> None:
        """A text that has not the format is of a wrong type; formats nobody knows mean nothing."""
        self.check({**STRING, "format": "date-time"}, "yesterday",
                   'spec.f: Invalid value: "yesterday": spec.f in body must be of type date-time: "yesterday"')
        self.check({**STRING, "format": "made-up"}, "anything")
        self.check({**INTEGER, "format": "date"}, 5)


class TestLists(Complaining):
    def test_numbers_of_items(self) -> None:
        """What is wrong with items comes before what is wrong with their number."""
        schema = array({**STRING, "maxLength": 3}, minItems=1, maxItems=3)
        self.check(schema, [], "spec.f: Invalid value: 0: spec.f in body should have at least 1 items")
        self.check(schema, ["a", "long", "b", "c"], "spec.f[1]: Too long: may not be more than 3 bytes",
                   "spec.f: Too many: 4: must have at most 3 items")

    def test_unique_items(self) -> None:
        """Equal items are of the same type."""
        schema = array({"x-kubernetes-preserve-unknown-fields": True}, uniqueItems=True)
        self.check(schema, [1, True, "1", {"a": 1}])
        self.check(schema, [{"a": 1, "b": 2}, {"b": 2, "a": 1}],
                   "spec.f: Invalid value: \"\": spec.f in body shouldn't contain duplicates")


class TestObjects(Complaining):
    def test_numbers_of_fields(self) -> None:
        """Too many fields are too many items."""
        schema = mapping(INTEGER, minProperties=1, maxProperties=2)
        self.check(schema, {}, "spec.f: Invalid value: 0: spec.f in body should have at least 1 properties")
        self.check(schema, {"a": 1, "b": 2, "c": 3}, "spec.f: Too many: 3: must have at most 2 items")

    def test_values_of_maps(self) -> None:
        """The key is part of the path, as the name of a field is."""
        self.check(mapping(INTEGER), {"a": "x"},
                   'spec.f.a: Invalid value: "string": spec.f.a in body must be of type integer: "string"')
        self.check(mapping(False), {"a": 1}, 'spec.f: Invalid value: "a": spec.f.a in body is a forbidden property')
        self.check(mapping(True), {"a": 1})

    def test_required_fields(self) -> None:
        """All that are missing are listed, in the schema's order, after what is wrong with the others."""
        schema = {**obj(a=STRING, b={**obj(c=STRING), "required": ["c"]}), "required": ["a", "b"]}
        self.check(schema, {}, "spec.f.a: Required value", "spec.f.b: Required value")
        self.check(schema, {"b": {}}, "spec.f.b.c: Required value", "spec.f.a: Required value")

    def test_at_the_root(self) -> None:
        """A field that the root requires has a plain name."""
        node = compile_schema({**obj(spec=obj()), "required": ["spec"]})
        self.assertEqual(texts(validate({}, node)), ["spec: Required value"])

    def test_a_part_of_an_object(self) -> None:
        """The status is validated by itself: messages name paths in it, fields those of the object."""
        node = compile_schema(obj(status={**obj(phase=STRING), "required": ["ready"]}))
        self.assertEqual(texts(validate({"phase": 1}, node.properties["status"], "status")), [
            'status.phase: Invalid value: "integer": phase in body must be of type string: "integer"',
            "status.ready: Required value"])
        [error] = validate([], node.properties["status"], "status")
        self.assertEqual(error.field, "status")

    @given(SCHEMAS, VALUES)
    def test_any_value_can_be_validated(self, schema: dict[str, Any], value: dict[str, Any]) -> None:
        """Whatever the value is, what is wrong is found twice alike, and every error can be shown."""
        node = compile_schema(schema)
        first = texts(validate(value, node))
        self.assertEqual(texts(validate(value, node)), first)
        self.assertEqual(len(set(first)), len(first))
