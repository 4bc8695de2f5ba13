"""Tests for kube_twisted.schema.structural.default_validation."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.structural.default_validation import validate_defaults
from kube_twisted.schema.structural.model import compile_schema
from tests.schema.structural.kinds import EMBEDDED, INTEGER, PRESERVE, STRING, array, meta, obj, texts

RESOURCE = {"type": "object", EMBEDDED: True, PRESERVE: True}


RULES = "x-kubernetes-validations"


def complaints(**properties: Any) -> list[str]:
    return texts(validate_defaults(compile_schema(obj(**properties)), meta(), "s"))


def ruled(schema: dict[str, Any], rule: str, **more: Any) -> dict[str, Any]:
    """The schema with a rule."""
    return {**schema, RULES: [{"rule": rule, "message": "no", **more}]}


class TestDefaultValidation(SynchronousTestCase):
    def test_valid_defaults(self) -> None:
        """Most are."""
        self.assertEqual(complaints(
            a={**STRING, "default": "x"}, b={**obj(c={**INTEGER, "default": 1}), "default": {}},
            t={**RESOURCE, "default": {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a": "b"}}}}), [])

    def test_values(self) -> None:
        """A default is validated with its own schema, in items too."""
        self.assertEqual(complaints(a={**STRING, "default": 5}), [
            's.properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"'])
        self.assertEqual(complaints(l=array(obj(n={**INTEGER, "minimum": 3, "default": 1}))), [
            "s.properties[l].items.properties[n].default: Invalid value: 1:  in body should be greater than or equal "
            "to 3"])

    def test_formats_that_are_not_known(self) -> None:
        """A format that says nothing about values of the type still counts for a default, as in the original."""
        self.assertEqual(complaints(a={**STRING, "format": "double", "default": [None]}), [])
        self.assertEqual(complaints(a={**STRING, "format": "int64", "default": -0.5}), [
            's.properties[a].default: Invalid value: "float64":  in body must be of type int64: "float64"'])
        self.assertEqual(complaints(a={**obj(), "format": "byte", "default": 1.5}), [
            's.properties[a].default: Invalid value: "float64":  in body must be of type byte: "float64"'])

    def test_integers_or_strings(self) -> None:
        """The default of an integer or string may be anything; values are checked only in objects."""
        self.assertEqual(complaints(a={"x-kubernetes-int-or-string": True, "default": ["a"]}), [])

    def test_unknown_fields(self) -> None:
        """A default has none."""
        self.assertEqual(complaints(b={**obj(c=STRING), "default": {"d": 1, "c": "x"}}), [
            's.properties[b].default: Invalid value: {"c":"x","d":1}: must not have unknown fields'])

    def test_embedded_resources(self) -> None:
        """They are whole objects, with sound metadata."""
        self.assertEqual(complaints(t={**RESOURCE, "default": {"kind": "Pod"}}), [
            "s.properties[t].default.apiVersion: Required value"])
        self.assertEqual(complaints(t={**RESOURCE, "default": {"metadata": {"labels": {"a": 5}}}}), [
            's.properties[t].default.metadata: Invalid value: {"labels":{"a":5}}: json: cannot unmarshal number into '
            "Go struct field ObjectMeta.labels of type string"])

    def test_fields_of_metadata(self) -> None:
        """Defaults of single fields are tried in an object with nothing else."""
        def named(**field: Any) -> list[str]:
            return complaints(t={**obj(metadata=obj(**field)), EMBEDDED: True})

        self.assertEqual(named(name={**STRING, "default": "ok"}, finalizers=array({**STRING, "default": "a/b"})), [])
        self.assertEqual(named(name={**STRING, "default": "a/b"}), [
            's.properties[t].properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid '
            "metadata: metadata.name: Invalid value: \"a/b\": may not contain '/'"])
        self.assertEqual(named(labels={**obj(a=INTEGER), "default": {"a": 1}}), [
            's.properties[t].properties[metadata].properties[labels].default: Invalid value: {"a":1}: must result in '
            'valid metadata: metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct '
            "field ObjectMeta.labels of type string"])

    def test_the_root(self) -> None:
        """It is a whole object too."""
        root = {**obj(metadata={"type": "object", "properties": {"name": {**STRING, "default": "a/b"}}}),
                "default": {"apiVersion": "v1"}}
        self.assertEqual(texts(validate_defaults(compile_schema(root), meta(), "s")), [
            "s.default.kind: Required value",
            's.properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: '
            "metadata.name: Invalid value: \"a/b\": may not contain '/'"])

    def test_unknown_fields_that_were_there(self) -> None:
        """They can be let through; what they are is validated all the same."""
        node = compile_schema(obj(b={**obj(c=STRING), "default": {"d": 1}}, i={**INTEGER, "default": "x"}))
        errors = validate_defaults(node, meta(), "s", require_pruned=False)
        self.assertEqual([one.field for one in errors], ["s.properties[i].default"])

    def test_rules(self) -> None:
        """The rules of a field hold for its default, for a new one and for one that was there before."""
        self.assertEqual(complaints(a=ruled({**INTEGER, "default": 3}, "self > 2")), [])
        self.assertEqual(complaints(a=ruled({**INTEGER, "default": 1}, "self > 2")),
                         ["s.properties[a].default: Invalid value: 1: no"])
        self.assertEqual(complaints(a=ruled({**INTEGER, "default": 1}, "self > oldSelf")),
                         ["s.properties[a].default: Invalid value: 1: no"])
        self.assertEqual(complaints(a=ruled({**INTEGER, "default": 1}, "oldSelf.hasValue()", optionalOldSelf=True)),
                         ["s.properties[a].default: Invalid value: 1: no"])

    def test_rules_of_bad_values(self) -> None:
        """Rules are asked about valid values only."""
        self.assertEqual(len(complaints(a=ruled({**INTEGER, "default": "x"}, "self > 2"))), 1)

    def test_rules_of_embedded_resources(self) -> None:
        """They may speak of the kind, and of names."""
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}
        self.assertEqual(complaints(t=ruled({**RESOURCE, "default": pod}, "self.kind + self.metadata.name == 'Poda'")),
                         [])

    def test_the_cost_of_rules(self) -> None:
        """All defaults share the budget of one object; when it is used up, nothing more is looked at."""
        costly = ruled({**array(INTEGER), "default": [1] * 300},
                       "self.all(a, self.all(b, self.all(c, a == b && b == c)))")
        found = complaints(a=costly, b={**INTEGER, "default": "x"})
        self.assertEqual(len(found), 1)
        self.assertIn("no further validation rules will be run", found[0])
