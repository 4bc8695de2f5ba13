"""From schemas to types, names and values of the language."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.correlation import Correlation
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.escaping import escape, unescape
from kube_twisted.cel.field_path import BadPath, normalized, resolve
from kube_twisted.cel.parser import RESERVED
from kube_twisted.cel.schema_types import declared_type
from kube_twisted.cel.schema_values import to_value
from kube_twisted.cel.typenames import type_name
from tests.cel.test_validations import INTEGER, TEXT, fields, keyed

_MAP = {"type": "object", "additionalProperties": TEXT}
_UNKNOWN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


class TypeTests(SynchronousTestCase):
    """Types of schemas."""

    def test_types(self) -> None:
        """Each schema's type, by its type and format."""
        for schema, expected in (
                (INTEGER, "int"), ({"type": "number"}, "double"), ({"type": "boolean"}, "bool"), (TEXT, "string"),
                ({**TEXT, "format": "byte"}, "bytes"), ({**TEXT, "format": "duration"}, "duration"),
                ({**TEXT, "format": "date"}, "timestamp"), ({**TEXT, "format": "date-time"}, "timestamp"),
                ({**TEXT, "format": "ipv4"}, "string"), ({"x-kubernetes-int-or-string": True}, "dyn"),
                ({"type": "array", "items": INTEGER}, "list(int)"), (_MAP, "map(string, string)"),
                (fields(a=INTEGER), "object")):
            found = declared_type(schema)
            assert found is not None
            self.assertEqual(str(found.type).replace("google.protobuf.", "").lower(), expected)

    def test_unreachable(self) -> None:
        """What has no type isn't there for an expression."""
        for schema in ({"x-kubernetes-preserve-unknown-fields": True}, {"type": "array"}, {}, None):
            self.assertIsNone(declared_type(schema))
        found = declared_type(fields(a=_UNKNOWN, b={"x-kubernetes-preserve-unknown-fields": True}))
        assert found is not None
        self.assertEqual(list(found.fields or {}), ["a"])

    def test_sizes(self) -> None:
        """Lengths are bounded by the schema; a character may take four bytes."""
        for schema, most in (({**TEXT, "maxLength": 5}, 20), ({**TEXT, "format": "date"}, 12),
                             ({**TEXT, "enum": ["a", "bcd"]}, 3), (TEXT, 3 * 1024 * 1024 - 2),
                             ({"type": "array", "items": INTEGER, "maxItems": 7}, 7),
                             ({**_MAP, "maxProperties": 8}, 8)):
            found = declared_type(schema)
            assert found is not None
            self.assertEqual(found.max_elements, most)

    def test_names(self) -> None:
        """Every resource has a kind and names; nothing else of its metadata can be seen."""
        found = declared_type(fields(metadata={"type": "object"}), is_root=True)
        assert found is not None and found.fields is not None
        self.assertEqual(sorted(found.fields), ["apiVersion", "kind", "metadata"])
        self.assertEqual(sorted(found.fields["metadata"].fields or {}), ["generateName", "name"])


class ValueTests(SynchronousTestCase):
    """Values of schemas."""

    def test_values(self) -> None:
        """JSON becomes the value of the schema's type."""
        for data, schema, name in ((1, {"type": "number"}, "double"), (1, INTEGER, "int"),
                                   ("1h", {**TEXT, "format": "duration"}, "google.protobuf.Duration"),
                                   ("2024-01-01", {**TEXT, "format": "date"}, "google.protobuf.Timestamp"),
                                   ("eA==", {**TEXT, "format": "byte"}, "bytes"),
                                   (1, {"x-kubernetes-int-or-string": True}, "int"),
                                   (None, {**INTEGER, "nullable": True}, "null_type")):
            self.assertEqual(type_name(to_value(data, schema)), name)

    def test_bad_values(self) -> None:
        """What doesn't fit the schema is an error."""
        for data, schema in (("x", INTEGER), ([], fields()), ({}, {"type": "array", "items": TEXT}),
                             ("x", {**TEXT, "format": "duration"})):
            with self.assertRaises(CelError):
                to_value(data, schema)


class NameTests(SynchronousTestCase):
    """Names of fields as identifiers."""

    def test_escapes(self) -> None:
        """Words and characters that identifiers can't have are written out."""
        for name, identifier in {"a": "a", "a-b": "a__dash__b", "a.b/c": "a__dot__b__slash__c", "a__b":
                                 "a__underscores__b", "in": "__in__", "namespace": "__namespace__"}.items():
            self.assertEqual(escape(name), identifier)
        for name in ("", "a b", "1a", "a$", "ä"):
            self.assertIsNone(escape(name))
        self.assertIsNone(unescape("a__nosuch__b"))

    @given(st.one_of(st.text(alphabet="ab_.-/1", min_size=1), st.sampled_from(sorted(RESERVED))))
    def test_round_trip(self, name: str) -> None:
        """An identifier tells the field's name."""
        identifier = escape(name)
        if identifier is not None:
            self.assertEqual(unescape(identifier), name)


class PathTests(SynchronousTestCase):
    """Paths that rules give to their errors."""

    schema = fields(spec=fields(a=TEXT, labels=_MAP, **{"x.y": TEXT}))

    def test_paths(self) -> None:
        """Fields follow dots, or are quoted in brackets."""
        self.assertEqual(resolve(".spec['x.y']", self.schema), (("spec", "x.y"), TEXT))
        self.assertEqual(normalized(".spec.labels['a']", self.schema), "spec.labels[a]")

    def test_bad_paths(self) -> None:
        """What leads nowhere is refused."""
        for path, said in {"spec": "expected [ or . but got: spec", ".nosuch": "does not refer to a valid field",
                           ".spec.": "unexpected end of JSON path",
                           ".spec[a]": "expected single quoted string but got a",
                           ".spec.a.b": "does not refer to a valid field"}.items():
            with self.assertRaises(BadPath) as caught:
                resolve(path, self.schema)
            self.assertEqual(str(caught.exception), said)
        with self.assertRaises(BadPath):
            resolve(".spec['a']", self.schema, brackets=False)


class CorrelationTests(SynchronousTestCase):
    """New values beside old ones."""

    def unchanged(self, schema: dict[str, Any], value: Any, old: Any) -> bool:
        return Correlation(value, old, schema).unchanged()

    def test_values(self) -> None:
        """Types count: a number isn't a truth, nor 1 the same as 1.0."""
        self.assertTrue(self.unchanged(TEXT, "a", "a"))
        for value, old in ((1, True), (1, 1.0), (1, 2), ("1", 1), (None, None)):
            self.assertFalse(self.unchanged(INTEGER, value, old))

    def test_maps(self) -> None:
        """All fields are there and the same."""
        schema = fields(a=TEXT, b=_MAP)
        self.assertTrue(self.unchanged(schema, {"a": "x", "b": {"k": "v"}}, {"b": {"k": "v"}, "a": "x"}))
        self.assertFalse(self.unchanged(schema, {"a": "x"}, {"a": "x", "b": {}}))
        self.assertFalse(self.unchanged(schema, {"b": {"k": "v"}}, {"b": {"l": "v"}}))

    def test_lists(self) -> None:
        """Order counts, except for lists that are maps."""
        first, second = {"k": "a", "v": 1}, {"k": "b", "v": 2}
        items = fields(k=TEXT, v=INTEGER)
        self.assertTrue(self.unchanged(keyed(items, "k"), [first, second], [second, first]))
        self.assertFalse(self.unchanged(keyed(items, "k"), [first, {**second, "v": 3}], [second, first]))
        self.assertFalse(self.unchanged({"type": "array", "items": items}, [first, second], [second, first]))

    def test_elements(self) -> None:
        """Elements of a list that is a map are found by all keys; of other lists never."""
        items = fields(k=TEXT, l=INTEGER)
        old, new = [{"k": "a", "l": 1}, {"k": "a", "l": 2}], [{"k": "a", "l": 2}, {"k": "a", "l": 3}, {"k": "a"}]
        found = [Correlation(new, old, keyed(items, "k", "l")).element(index) for index in range(3)]
        self.assertEqual([one and one.old for one in found], [{"k": "a", "l": 2}, None, None])
        self.assertIsNone(Correlation(new, old, {"type": "array", "items": items}).element(0))
