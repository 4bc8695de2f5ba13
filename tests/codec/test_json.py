"""JSON in and out."""

from __future__ import annotations

import json as reference

from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.codec import json

DUPLICATES = (
    b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"dd","labels":{"l":"1","l":"2"}},'
    b'"data":{"a":"1","a":"2"},"data":{"b":"3"}}'
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


class ParseTests(SynchronousTestCase):
    """Reading."""

    def test_what_only_go_accepts(self) -> None:
        """Unpaired surrogates and broken UTF-8 become replacement characters."""
        self.assertEqual(json.parse(b'{"k":"\\ud800"}'), {"k": "\ufffd"})
        self.assertEqual(json.parse(b'{"k":"a\xffb"}'), {"k": "a\ufffdb"})
        self.assertEqual(json.parse(b'["\\ud83d\\ude00\\ud800x", "\xff"]'), ["\U0001f600\ufffdx", "\ufffd"])

    def test_errors_are_worded_as_gos(self) -> None:
        """The error of the fast parser is never shown."""
        error = self.assertRaises(json.JSONSyntaxError, json.parse, b"{not json")
        self.assertEqual(str(error), "invalid character 'n' looking for beginning of object key string")

    def test_numbers_too_large_for_a_float(self) -> None:
        """The document is still there for its kind to be read."""
        error = self.assertRaises(json.NumberRangeError, json.parse, b'{"kind":"Num","n":[1e400]}')
        self.assertEqual(str(error), "json: cannot unmarshal number 1e400 into Go value of type float64")
        self.assertEqual(error.value, {"kind": "Num", "n": [float("inf")]})

    @settings(max_examples=50)
    @given(VALUES)
    def test_what_is_written_is_read_back(self, value: object) -> None:
        """Any value survives, compact or pretty, and no duplicates are seen in it."""
        encoded = json.dumps(value)
        self.assertEqual(json.parse(encoded), value)
        self.assertEqual(json.parse(json.pretty(encoded)), value)
        self.assertEqual(json.duplicate_fields(encoded, value), [])
        self.assertEqual(json.duplicate_fields(reference.dumps(value, indent=1).encode(), value), [])


class DuplicateTests(SynchronousTestCase):
    """Members that stand twice."""

    def assert_duplicates(self, body: bytes, *paths: str) -> None:
        expected = [f'duplicate field "{path}"' for path in paths]
        self.assertEqual(json.duplicate_fields(body, json.parse(body)), expected)

    def test_order_and_paths(self) -> None:
        """Duplicates are reported in the order in which they are met."""
        self.assert_duplicates(DUPLICATES, "metadata.labels.l", "data.a", "data")

    def test_lists(self) -> None:
        """A path through a list has its index."""
        self.assert_duplicates(b'{"a":[{},{"b":1,"b":2}]}', "a[1].b")

    def test_white_space_hides_nothing(self) -> None:
        """Spaces before colons, as many as there are duplicates, do not hide them."""
        self.assert_duplicates(b'{"a" :1,"b":2,"b":3}', "b")

    def test_colons_in_texts_hide_nothing(self) -> None:
        """Neither do colons in texts, escaped or not."""
        self.assert_duplicates(b'{"a":1,"a":"\\u003a"}', "a")
        self.assert_duplicates(b'{"a":"::","a":""}', "a")
        self.assert_duplicates(b'{"a":"\\u003a\\":\\":"}')


class WriteTests(SynchronousTestCase):
    """Writing."""

    def test_markup_is_escaped(self) -> None:
        """As in Go, what HTML could mistake for markup is escaped."""
        self.assertEqual(json.dumps({"a": "<b> & \u2028"}), b'{"a":"\\u003cb\\u003e \\u0026 \\u2028"}')

    def test_pretty(self) -> None:
        """Two spaces; empty lists and objects on one line."""
        self.assertEqual(
            json.pretty(b'{"a":[],"b":{},"c":[1,{"d":"x"}]}'),
            b'{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    {\n      "d": "x"\n    }\n  ]\n}',
        )
