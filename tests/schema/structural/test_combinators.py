"""Tests for kube_twisted.schema.structural.combinators."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.schema.structural.kinds import INTEGER, STRING, complaints, obj

ONLY_A, ONLY_B = {"required": ["a"]}, {"required": ["b"]}
FIELDS = obj(a=STRING, b=INTEGER)


def text(words: str) -> str:
    """An error that names no field."""
    return f'<nil>: Invalid value: "": "spec.f" {words}'


class TestCombinators(SynchronousTestCase):
    def check(self, schema: dict[str, Any], value: Any, *expected: str) -> None:
        self.assertEqual(complaints({**FIELDS, **schema}, value), list(expected))

    def test_any_of(self) -> None:
        """One alternative is enough."""
        schema = {"anyOf": [ONLY_A, ONLY_B]}
        self.check(schema, {"b": 1})
        self.check(schema, {"a": "", "b": 1})
        self.check(schema, {}, text("must validate at least one schema (anyOf)"), "spec.f.a: Required value")

    def test_the_alternative_that_got_furthest(self) -> None:
        """Of those that fail, the one is reported that passed most checks, or else the first."""
        deep = {"properties": {"a": {"minLength": 1}, "b": {"maximum": 3}}}
        self.check({"anyOf": [ONLY_B, deep]}, {"a": ""},
                   text("must validate at least one schema (anyOf)"),
                   'spec.f.a: Invalid value: "": spec.f.a in body should be at least 1 chars long')

    def test_one_of(self) -> None:
        """Exactly one alternative has to fit."""
        schema = {"oneOf": [ONLY_A, ONLY_B]}
        self.check(schema, {"a": "x"})
        self.check(schema, {"a": "x", "b": 1},
                   text("must validate one and only one schema (oneOf). Found 2 valid alternatives"))
        self.check(schema, {}, text("must validate one and only one schema (oneOf). Found none valid"),
                   "spec.f.a: Required value")

    def test_all_of(self) -> None:
        """What is wrong with each comes first."""
        schema = {"allOf": [ONLY_A, ONLY_B]}
        self.check(schema, {"a": "x", "b": 1})
        self.check(schema, {"a": "x"}, "spec.f.b: Required value", text("must validate all the schemas (allOf)"))
        self.check(schema, {}, "spec.f.a: Required value", "spec.f.b: Required value",
                   text("must validate all the schemas (allOf). None validated"))

    def test_not(self) -> None:
        """What is negated must not fit."""
        self.check({"not": ONLY_A}, {"b": 1})
        self.check({"not": ONLY_A}, {"a": "x"}, text("must not validate the schema (not)"))

    def test_the_usual_int_or_string(self) -> None:
        """The form that code generators write."""
        either = {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}
        self.assertEqual(complaints(either, "50%"), [])
        self.assertEqual(complaints(either, 5), [])
        self.assertEqual(complaints(either, 1.5), [
            'spec.f: Invalid value: "number": spec.f in body must be of type integer,string: "number"',
            text("must validate at least one schema (anyOf)"),
            'spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
            '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.f'])

    def test_the_same_problem_is_reported_once(self) -> None:
        """An alternative may say what the schema says too."""
        self.check({"allOf": [ONLY_A], "required": ["a"]}, {}, "spec.f.a: Required value",
                   text("must validate all the schemas (allOf). None validated"))
