"""The algebra of sets of field paths."""

from __future__ import annotations

from hypothesis import given
from twisted.trial import unittest

from kube_twisted.schema.apply.fieldset import (
    FieldSet,
    Path,
    difference,
    field_path,
    from_paths,
    has,
    includes,
    intersection,
    matching,
    paths,
    union,
    without,
)
from tests.schema.apply.strategies import PATHS, SETS, few


def members(fields: FieldSet) -> set[Path]:
    return set(paths(fields))


class LawsTests(unittest.SynchronousTestCase):
    """The operations are those of sets of paths."""

    @few
    @given(SETS, SETS)
    def test_union(self, left: FieldSet, right: FieldSet) -> None:
        """A union has the paths of both sides."""
        self.assertEqual(members(union(left, right)), members(left) | members(right))

    @few
    @given(SETS, SETS)
    def test_includes(self, left: FieldSet, right: FieldSet) -> None:
        """A set includes those whose paths it all has."""
        self.assertEqual(includes(left, right), members(right) <= members(left))
        self.assertTrue(includes(union(left, right), right))

    @few
    @given(SETS, SETS)
    def test_intersection(self, left: FieldSet, right: FieldSet) -> None:
        """An intersection has the paths that both sides have."""
        self.assertEqual(members(intersection(left, right)), members(left) & members(right))

    @few
    @given(SETS, SETS)
    def test_difference(self, left: FieldSet, right: FieldSet) -> None:
        """A difference takes away the paths themselves and keeps what lies below them."""
        self.assertEqual(members(difference(left, right)), members(left) - members(right))

    @few
    @given(SETS, SETS)
    def test_without(self, left: FieldSet, right: FieldSet) -> None:
        """``without`` takes away what lies below a path too."""
        gone = members(right)
        kept = {path for path in members(left) if not any(path[:n] in gone for n in range(1, len(path) + 1))}
        self.assertEqual(members(without(left, right)), kept)

    @few
    @given(SETS, SETS, SETS)
    def test_one_form(self, a: FieldSet, b: FieldSet, c: FieldSet) -> None:
        """Equal sets are equal dicts, whichever way they were reached."""
        self.assertEqual(union(difference(a, b), intersection(a, b)), a)
        self.assertEqual(union(union(a, b), c), union(a, union(b, c)))
        self.assertEqual(difference(difference(a, b), c), difference(a, union(b, c)))

    @few
    @given(SETS, PATHS)
    def test_has(self, fields: FieldSet, path: Path) -> None:
        """``has`` tells members from nodes that only lead to members."""
        self.assertEqual(has(fields, path), path in members(fields))

    @few
    @given(SETS, SETS)
    def test_arguments_stay(self, left: FieldSet, right: FieldSet) -> None:
        """No operation changes its arguments."""
        before = repr((left, right))
        for operation in (union, intersection, difference, without):
            operation(left, right)
        self.assertEqual(repr((left, right)), before)


class ExamplesTests(unittest.SynchronousTestCase):
    """Shapes at the edges."""

    def test_member_and_children(self) -> None:
        """A member with members below it carries the dot."""
        self.assertEqual(union({"f:a": {}}, {"f:a": {"f:b": {}}}), {"f:a": {".": {}, "f:b": {}}})
        self.assertEqual(difference({"f:a": {".": {}, "f:b": {}}}, {"f:a": {"f:b": {}}}), {"f:a": {}})

    def test_nothing_taken(self) -> None:
        """A difference that takes nothing is the set itself."""
        fields = from_paths([field_path("spec", "replicas")])
        self.assertIs(difference(fields, {"f:spec": {"f:paused": {}}}), fields)

    def test_order_of_paths(self) -> None:
        """At each level the members come before what lies below."""
        fields = {"f:a": {"f:x": {}}, "f:b": {".": {}, "f:y": {}}, "f:c": {}}
        self.assertEqual(list(paths(fields)), [("f:b",), ("f:c",), ("f:a", "f:x"), ("f:b", "f:y")])

    def test_the_whole_object(self) -> None:
        """Nobody owns the object as a whole."""
        self.assertFalse(has({}, ()))

    def test_patterns(self) -> None:
        """A pattern keeps what lies on the way to it and below it; the star is any element."""
        fields = {
            "f:spec": {
                "f:containers": {'k:{"name":"a"}': {".": {}, "f:image": {}, "f:resources": {"f:limits": {}}}},
                "f:replicas": {},
            }
        }
        pattern = {"f:spec": {"f:containers": {"*": {"f:resources": {}}}}}
        self.assertEqual(
            matching(fields, pattern),
            {"f:spec": {"f:containers": {'k:{"name":"a"}': {".": {}, "f:resources": {"f:limits": {}}}}}},
        )
