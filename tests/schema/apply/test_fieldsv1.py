"""FieldsV1 in and out, and path elements."""

from __future__ import annotations

from hypothesis import given
from twisted.trial import unittest

from kube_twisted.schema.apply.elements import ElementError, canonical, path_text, value_element
from kube_twisted.schema.apply.fieldset import FieldSet, paths
from kube_twisted.schema.apply.fieldsv1 import FieldsError, ordered, parse
from tests.schema.apply.strategies import SETS, few


class ParseTests(unittest.SynchronousTestCase):
    """Received sets."""

    @few
    @given(SETS)
    def test_round_trip(self, fields: FieldSet) -> None:
        """What we write is what we read."""
        self.assertEqual(parse(ordered(fields)), fields)

    def test_keys_take_one_form(self) -> None:
        """Keys are sorted and spaces go, so that equal keys are equal texts."""
        self.assertEqual(
            parse({'k:{"protocol": "TCP", "port": 80}': {}}), {'k:{"port":80,"protocol":"TCP"}': {}}
        )

    def test_lonely_dot(self) -> None:
        """A node with nothing but the dot is a leaf."""
        self.assertEqual(parse({"f:a": {".": {}}}), {"f:a": {}})

    def test_unknown_elements(self) -> None:
        """Kinds of elements that we don't know are left out with what lies below."""
        self.assertEqual(parse({"x:a": {"f:b": {}}, "f:c": {}}), {"f:c": {}})

    def test_null(self) -> None:
        """No fields are the empty set."""
        self.assertEqual(parse(None), {})

    def test_malformed(self) -> None:
        """Elements that cannot be read are errors."""
        for fields in (
            "text",
            {"f": {}},
            {"fa": {}},
            {"k:[1]": {}},
            {"k:{": {}},
            {"i:x": {}},
            {"v:": {}},
            {"f:a": 1},
        ):
            self.assertRaises(FieldsError, parse, fields)


class OrderTests(unittest.SynchronousTestCase):
    """Written sets."""

    def test_elements_of_one_level(self) -> None:
        """The dot, fields by name, keys with numbers by value, values, indices."""
        texts = ["i:1", 'v:"b"', "v:2", 'k:{"port":443}', 'k:{"port":80}', "f:b", "f:a", "."]
        self.assertEqual(
            list(ordered({text: {} for text in texts})),
            [".", "f:a", "f:b", 'k:{"port":80}', 'k:{"port":443}', "v:2", 'v:"b"', "i:1"],
        )

    def test_levels_below(self) -> None:
        """Every level is put in order."""
        self.assertEqual(
            list(paths(ordered({"f:a": {"f:z": {}, "f:b": {}}}))), [("f:a", "f:b"), ("f:a", "f:z")]
        )


class ElementsTests(unittest.SynchronousTestCase):
    """Elements as text."""

    def test_paths_in_messages(self) -> None:
        """Paths read as in the original's messages."""
        path = ("f:spec", 'k:{"name":"a","port":80}', 'v:"x"', "v:true", "i:3", "f:b")
        self.assertEqual(path_text(path), '.spec[name="a",port=80][="x"][=true][3].b')

    def test_escapes(self) -> None:
        """Elements have Go's escapes of HTML."""
        self.assertEqual(value_element("<&>"), 'v:"\\u003c\\u0026\\u003e"')
        self.assertEqual(canonical('v:"<"'), 'v:"\\u003c"')

    def test_items_without_elements(self) -> None:
        """Sets hold scalars only."""
        for item in (None, {}, []):
            self.assertRaises(ElementError, value_element, item)

    def test_like_numbers(self) -> None:
        """True and 1 are different items of a set."""
        self.assertEqual([value_element(item) for item in (True, 1, "1")], ["v:true", "v:1", 'v:"1"'])
