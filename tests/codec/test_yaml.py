"""YAML in and out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.codec import json, yaml

CONFIG_MAP = """\
apiVersion: v1
data:
  flag: "true"
  text: |
    line one
    line two
kind: ConfigMap
metadata:
  creationTimestamp: "2026-01-02T03:04:05Z"
  managedFields:
  - apiVersion: v1
    fieldsType: FieldsV1
    fieldsV1:
      f:data:
        .: {}
        f:flag: {}
    manager: golden
  name: a
  resourceVersion: "12"
"""
STATUS = """\
apiVersion: v1
code: 404
details:
  kind: configmaps
  name: none
kind: Status
message: configmaps "none" not found
metadata: {}
reason: NotFound
status: Failure
"""
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp")))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=10,
)


class ParseTests(SynchronousTestCase):
    """Reading."""

    def value(self, text: str) -> object:
        value, duplicates = yaml.parse(text.encode())
        self.assertEqual(duplicates, [])
        return value

    def test_words_of_yaml_1_1(self) -> None:
        """Unquoted y, n, yes, no, on and off are booleans, as keys as well."""
        self.assertEqual(
            self.value('a: [y, N, yes, No, on, OFF, true, "yes", maybe]\nyes: 1\n'),
            {"a": [True, False, True, False, True, False, True, "yes", "maybe"], "true": 1},
        )

    def test_numbers(self) -> None:
        """Octal, hexadecimal and binary integers, underscores, and floats that are whole."""
        self.assertEqual(
            self.value("[010, 0o17, 0x1F, 0b11, -0b11, 1_000, +5, 08, 1e3, 1.0, .5, 1.25, 1:30]"),
            [8, 15, 31, 3, -3, 1000, 5, 8, 1000, 1, 0.5, 1.25, "1:30"],
        )

    def test_times_are_texts(self) -> None:
        """What looks like a time stays a text."""
        self.assertEqual(
            self.value("[2026-01-02, 2026-01-02T03:04:05Z]"), ["2026-01-02", "2026-01-02T03:04:05Z"]
        )

    def test_nulls_and_empty_documents(self) -> None:
        """Nothing, a tilde and null are null."""
        self.assertEqual(self.value("a:\nb: ~\nc: null\n"), {"a": None, "b": None, "c": None})
        self.assertIsNone(self.value(""))
        self.assertIsNone(self.value("# only a comment\n"))

    def test_keys_become_texts_and_are_sorted(self) -> None:
        """Numbers and booleans as keys are texts in JSON."""
        value = self.value("b: 1\na: 2\n1.5: 3\n7: 4\ntrue: 5\n")
        assert isinstance(value, dict)
        self.assertEqual(list(value.items()), [("1.5", 3), ("7", 4), ("a", 2), ("b", 1), ("true", 5)])

    def test_merge_keys(self) -> None:
        """``<<`` brings in another map; of several the first wins, and later own keys win over them."""
        self.assertEqual(
            self.value("x: &x {p: 1, q: 1}\nz: &z {p: 2, r: 2}\nm:\n  <<: [*x, *z]\n  s: 3\n"),
            {"x": {"p": 1, "q": 1}, "z": {"p": 2, "r": 2}, "m": {"p": 1, "q": 1, "r": 2, "s": 3}},
        )

    def test_explicit_tags(self) -> None:
        """A tag decides what a scalar is."""
        self.assertEqual(self.value('[!!str 5, !!int "5", !!float 5, !own 5]'), ["5", 5, 5, "5"])

    def test_only_the_first_document_counts(self) -> None:
        """What follows the separator is not read."""
        self.assertEqual(self.value("a: 1\n---\nb: 2\n"), {"a": 1})

    def test_duplicate_keys(self) -> None:
        """The later one counts; the line of its value is named."""
        value, duplicates = yaml.parse(b"metadata: {name: y2}\ndata: {a: '1'}\ndata: {b: '2'}\n")
        self.assertEqual(value, {"metadata": {"name": "y2"}, "data": {"b": "2"}})
        self.assertEqual(duplicates, ['line 3: key "data" already set in map'])
        self.assertEqual(
            yaml.duplicate_error(duplicates),
            'yaml: unmarshal errors:\n  line 3: key "data" already set in map',
        )

    def test_json_is_yaml(self) -> None:
        """A JSON body gives the same value, sorted, with whole floats as integers."""
        value = self.value('{"b": 1.0, "a": "1.5", "c": [2e3, 0.5]}')
        assert isinstance(value, dict)
        self.assertEqual(list(value.items()), [("a", "1.5"), ("b", 1), ("c", [2000, 0.5])])
        self.assertEqual([type(one) for one in (value["b"], value["c"][0])], [int, int])

    def test_duplicates_in_json_are_found(self) -> None:
        """They are reported as YAML reports them."""
        self.assertEqual(yaml.parse(b'{"a": 1,\n"a": 2}'), ({"a": 2}, ['line 2: key "a" already set in map']))

    def test_errors(self) -> None:
        """The words of the original's parser; nothing is said of the first line."""
        for text, message in [
            ("a: [", "yaml: line 1: did not find expected node content"),
            ("a: b: c", "yaml: mapping values are not allowed in this context"),
            ("a:\n\tb", "yaml: line 2: found character that cannot start any token"),
            ("a: .nan", "json: unsupported value: NaN"),
            ("<<: 5", "yaml: map merge requires map or sequence of maps as the value"),
        ]:
            error = self.assertRaises(yaml.YAMLError, yaml.parse, text.encode())
            self.assertEqual(str(error), message)


class DumpTests(SynchronousTestCase):
    """Writing."""

    def test_objects(self) -> None:
        """Block style, sorted keys, lists not indented, several lines as a literal."""
        for text in (CONFIG_MAP, STATUS):
            value, _ = yaml.parse(text.encode())
            self.assertEqual(yaml.dump(value).decode(), text)

    def test_texts_that_mean_something_else_are_quoted(self) -> None:
        """Doubly where YAML would read a value of another type, singly where it would not read a text."""
        for text, written in [
            ("yes", '"yes"'), ("1", '"1"'), ("null", '"null"'), ("", '""'), ("~", '"~"'), ("0x1f", '"0x1f"'),
            ("1e3", '"1e3"'), ("2026-01-02", '"2026-01-02"'), ("12:30", '"12:30"'), ("<<", '"<<"'),
            ("n", '"n"'), ("x: y", "'x: y'"), ("# c", "'# c'"), (" lead", "' lead'"),
            ("- x", "'- x'"), ("*a", "'*a'"),
            ("{x", "'{x'"), ("plain text", "plain text"), ("é", "é"), ("1.2.3", "1.2.3"), ("10Gi", "10Gi"),
        ]:  # fmt: skip
            self.assertEqual(yaml.dump({"k": text}).decode(), f"k: {written}\n")

    def test_other_values(self) -> None:
        """Empty lists and objects, null, numbers and booleans."""
        self.assertEqual(
            yaml.dump({"a": {}, "b": [], "c": None, "d": 1.5, "e": True, "f": [[1, 2], {"x": 3}]}).decode(),
            "a: {}\nb: []\nc: null\nd: 1.5\ne: true\nf:\n- - 1\n  - 2\n- x: 3\n",
        )

    def test_keys_are_sorted_by_their_numbers(self) -> None:
        """``a10`` comes after ``a2``, and letters after other characters."""
        written = yaml.dump(dict.fromkeys(["a10", "a2", "b", "A", "a-b", "aa", "."], 1)).decode()
        self.assertEqual(
            [line[:-3] for line in written.splitlines()], [".", "A", "a-b", "a2", "a10", "aa", "b"]
        )

    @settings(max_examples=50)
    @given(VALUES)
    def test_what_is_written_is_read_back(self, value: object) -> None:
        """Any value survives."""
        self.assertEqual(yaml.parse(yaml.dump({"k": value})), ({"k": value}, []))

    def test_json_and_yaml_agree(self) -> None:
        """The same object through both gives the same."""
        value, _ = yaml.parse(CONFIG_MAP.encode())
        self.assertEqual(yaml.parse(json.dumps(value)), (value, []))
