"""JSONPath templates."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.jsonpath import JSONPath, JSONPathError

POD: dict[str, Any] = {
    "metadata": {"name": "p", "labels": {"app.kubernetes.io/name": "web", "tier": "front"}, "note": None},
    "spec": {"nodes": ["a", "b", "c", "d"], "on": True, "f": 1.5, "nested": [[1, 2], [3]]},
    "status": {"conditions": [{"type": "Ready", "status": "True", "n": 1},
                              {"type": "Initialized", "status": "False", "n": 2, "old": {}}]}}


def find(path: str, data: Any = POD) -> list[Any]:
    """What the first part of a template finds."""
    return JSONPath.parse(f"{{{path}}}").find(data)[0]


class JSONPathTestCase(SynchronousTestCase):
    def refused(self, path: str, data: Any = POD) -> str:
        return str(self.assertRaises(JSONPathError, find, path, data))

    def check(self, *cases: tuple[str, list[Any]]) -> None:
        for path, expected in cases:
            self.assertEqual(find(path), expected, path)


class StepTests(JSONPathTestCase):
    """One step at a time."""

    def test_fields(self) -> None:
        """Dotted or quoted; a backslash takes the meaning of a dot; the root may be named."""
        self.check((".metadata.name", ["p"]), ("$.metadata.name", ["p"]), ("@.metadata.name", ["p"]),
                   ("['metadata']['name']", ["p"]), (".metadata.labels.app\\.kubernetes\\.io/name", ["web"]),
                   (".metadata.labels['app\\.kubernetes\\.io/name']", ["web"]), (".metadata.note", [None]),
                   ("", [POD]), ("$", [POD]))

    def test_missing_fields(self) -> None:
        """Finding nothing is no error, also below what is no object."""
        self.check((".spec.none", []), (".none.at.all", []), (".spec.on.deeper", []), (".metadata.note.x", []))

    def test_lists(self) -> None:
        """Indexes and slices, from the end as well."""
        nodes = ".spec.nodes"
        self.check((f"{nodes}[0]", ["a"]), (f"{nodes}[-1]", ["d"]), (f"{nodes}[-2]", ["c"]), (f"{nodes}[]", ["a"]),
                   (f"{nodes}[1:3]", ["b", "c"]), (f"{nodes}[:2]", ["a", "b"]), (f"{nodes}[2:]", ["c", "d"]),
                   (f"{nodes}[::2]", ["a", "c"]), (f"{nodes}[-3:-1]", ["b", "c"]), (f"{nodes}[1:1]", []),
                   (f"{nodes}[*]", ["a", "b", "c", "d"]), (".spec.nested[*][0]", [1, 3]),
                   (".metadata.note[0]", []))

    def test_unfit_lists(self) -> None:
        """Beyond the ends, backwards, or in what is no list is an error."""
        for path, expected in (
            (".spec.nodes[4]", "array index out of bounds: index 4, length 4"),
            (".spec.nodes[-5]", "array index out of bounds: index -1, length 4"),
            (".spec.nodes[0:9]", "array index out of bounds: index 8, length 4"),
            (".spec.nodes[3:1]", "starting index 3 is greater than ending index 1"),
            (".spec.nodes[0:3:0]", "step must be > 0"),
            (".metadata.name[0]", "string is not array or slice"),
        ):
            self.assertEqual(self.refused(path), expected)

    def test_wildcards(self) -> None:
        """All that is in an object, by name, or in a list."""
        self.check((".metadata.labels.*", ["web", "front"]), (".spec.nodes.*", ["a", "b", "c", "d"]),
                   (".spec.on.*", []))

    def test_union(self) -> None:
        """Several of one value, in the order asked for."""
        self.check((".spec.nodes[3,0]", ["d", "a"]), (".metadata['name', 'note']", ["p", None]),
                   (".status.conditions[*]['type','n']", ["Ready", "Initialized", 1, 2]))

    def test_recursive(self) -> None:
        """At any depth, outer ones first."""
        self.check(("..type", ["Ready", "Initialized"]), (".status..n", [1, 2]), ("..nested[0][0]", [1]))

    def test_literals(self) -> None:
        """Texts, numbers and booleans stand for themselves."""
        self.check(("'a\\'b\\n'", ["a'b\n"]), ('"\\u00e4\\x41\\101"', ["äAA"]), ("-3", [-3]), ("1.5", [1.5]),
                   ("true", [True]), ("99999999999999999999", [1e20]))


class FilterTests(JSONPathTestCase):
    """Items of a list that pass a test."""

    def test_equality(self) -> None:
        """The usual way to the status of a condition."""
        self.check(('.status.conditions[?(@.type=="Ready")].status', ["True"]),
                   (".status.conditions[?(@.type != 'Ready')].status", ["False"]),
                   (".status.conditions[?(@.type=='a)b')].status", []))

    def test_order(self) -> None:
        """Numbers and texts have one."""
        for operator, expected in (("<", [1]), ("<=", [1, 2]), (">", []), (">=", [2])):
            self.assertEqual(find(f".status.conditions[?(@.n{operator}2)].n"), expected)
        self.assertEqual(find('.status.conditions[?(@.type<"J")].n'), [2])

    def test_existence(self) -> None:
        """A path alone asks whether something is there; one that does not fit counts as there."""
        self.check((".status.conditions[?(@.old)].n", [2]), (".status.conditions[?(@.n[0])].n", [1, 2]))

    def test_missing(self) -> None:
        """What isn't there compares to nothing."""
        self.check((".status.conditions[?(@.none==1)]", []))

    def test_unfit(self) -> None:
        """Only scalars of one type can be compared, and only one at a time."""
        conditions = ".status.conditions"
        for path, expected in (
            (f"{conditions}[?(@.n=='1')]", "incompatible types for comparison"),
            (f"{conditions}[?(@.n==1.0)]", "incompatible types for comparison"),
            (f"{conditions}[?(@.old==1)]", "invalid type for comparison"),
            (f"{conditions}[?(true<false)]", "invalid type for comparison"),
            (f"{conditions}[?(@.*==1)]", "can only compare one element at a time"),
            (f"{conditions}[?(@.n===1)]", "unrecognized filter operator ==="),
            (".metadata.name[?(@.x)]", "p is not array or slice and cannot be filtered"),
            (".metadata.note[?(@.x)]", "<nil> is not array or slice and cannot be filtered"),
        ):
            self.assertEqual(self.refused(path), expected, path)


class TemplateTests(JSONPathTestCase):
    """Texts and paths together."""

    def test_parts(self) -> None:
        """Each part has results of its own."""
        self.assertEqual(JSONPath.parse("name: {.metadata.name}, {.spec.on}.").find(POD),
                         [["name: "], ["p"], [", "], [True], ["."]])

    def test_range(self) -> None:
        """What stands between range and end is there once per value."""
        template = JSONPath.parse("{range .status.conditions[*]}{.type}={.n};{end}{.metadata.name}")
        self.assertEqual(template.find(POD), [["Ready"], ["="], [1], [";"], ["Initialized"], ["="], [2], [";"], ["p"]])
        self.assertEqual(template.find({"metadata": {"name": "q"}}), [["q"]])

    def test_nested_ranges(self) -> None:
        """A range has its own end."""
        template = JSONPath.parse("{range .spec.nested[*]}{range @[*]}{@}{end}|{end}")
        self.assertEqual(template.find(POD), [[1], [2], ["|"], [3], ["|"]])

    def test_words(self) -> None:
        """An end needs a range; there are no other words."""
        self.assertEqual(self.refused("end"), "not in range, nothing to end")
        self.assertEqual(self.refused(".spec foo"), "unrecognized identifier foo")


class SyntaxTests(JSONPathTestCase):
    """Templates that can't be read."""

    def test_errors(self) -> None:
        """They are named in client-go's words."""
        for path, expected in (
            (".a[", "unterminated array"), (".a[x]", "invalid array index x"),
            (".a[-]", "array index - is not a number"), (".a[?(@.b", "unterminated filter"),
            (".a[?(@.b)", "unclosed array expect ]"), ("'a", "unterminated quoted string"),
            ("'\\q'", "unquote string '\\q' error invalid syntax"),
            ("'\\ud800'", "unquote string '\\ud800' error invalid syntax"),
            (".a....b", "invalid multiple recursive descent"), ("1.2.3", "cannot parse number 1.2.3"),
            ("[0]!", "unrecognized character in action: U+0021 '!'"), (".a\n", "unclosed action"),
        ):
            self.assertEqual(self.refused(path), expected, path)

    @given(st.text(alphabet="{}.[]?()@$'\"\\*:,-0a<=> \n", max_size=20))
    @settings(deadline=None, max_examples=300)
    def test_any_text(self, text: str) -> None:
        """Any text is read or refused, and any template finds something or doesn't fit."""
        try:
            found = JSONPath.parse(text).find(POD)
        except JSONPathError:
            return
        self.assertTrue(all(isinstance(one, list) for one in found))
