"""Merging and removing."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from twisted.trial import unittest

from kube_twisted.schema.apply.compare import compare
from kube_twisted.schema.apply.fieldset import intersection
from kube_twisted.schema.apply.merge import merge, remove
from kube_twisted.schema.apply.owned import owned
from tests.schema.apply.kinds import node
from tests.schema.apply.strategies import THINGS, few


def tags(live: list[str], applied: list[str]) -> Any:
    return merge(node(), {"spec": {"tags": live}}, {"spec": {"tags": applied}})["spec"]["tags"]


class MergeTests(unittest.SynchronousTestCase):
    """An applied configuration over an object."""

    @few
    @given(THINGS, THINGS)
    def test_idempotent(self, live: dict[str, Any], applied: dict[str, Any]) -> None:
        """Applying the same again changes nothing."""
        once = merge(node(), live, applied)
        self.assertEqual(merge(node(), once, applied), once)

    @few
    @given(THINGS, THINGS)
    def test_nothing_is_lost(self, live: dict[str, Any], applied: dict[str, Any]) -> None:
        """The result has all that either has, and the applied values."""
        merged = merge(node(), live, applied)
        self.assertEqual(compare(node(), live, merged).removed, {})
        against = compare(node(), applied, merged)
        self.assertEqual(against.removed, {})
        self.assertEqual(intersection(against.changed, owned(node(), applied)), {})

    @few
    @given(THINGS, THINGS)
    def test_arguments_stay(self, live: dict[str, Any], applied: dict[str, Any]) -> None:
        """Merging changes neither argument."""
        before = repr((live, applied))
        merge(node(), live, applied)
        self.assertEqual(repr((live, applied)), before)

    def test_leaves(self) -> None:
        """Leaves, atomic values among them, are those applied."""
        live = {"spec": {"replicas": 1, "selector": {"a": "1"}, "paused": True}}
        applied = {"spec": {"replicas": 2, "selector": {"b": "1"}}}
        self.assertEqual(
            merge(node(), live, applied), {"spec": {"replicas": 2, "selector": {"b": "1"}, "paused": True}}
        )

    def test_null(self) -> None:
        """A null replaces a leaf, and leaves filled objects and lists alone."""
        live = {"spec": {"replicas": 1, "nested": {"a": "1"}, "tags": ["x"]}}
        applied = {"spec": {"replicas": None, "nested": None, "tags": None, "size": None}}
        self.assertEqual(
            merge(node(), live, applied),
            {"spec": {"replicas": None, "nested": {"a": "1"}, "tags": ["x"], "size": None}},
        )

    def test_keyed_lists(self) -> None:
        """Items of one key are merged."""
        live = {"spec": {"containers": [{"name": "a", "image": "1", "env": {"E": "1"}}]}}
        applied = {"spec": {"containers": [{"name": "a", "image": "2", "env": {"F": "2"}}, {"name": "b"}]}}
        self.assertEqual(
            merge(node(), live, applied)["spec"]["containers"],
            [{"name": "a", "image": "2", "env": {"E": "1", "F": "2"}}, {"name": "b"}],
        )

    def test_order(self) -> None:
        """Shared items come in the applied order, with the live list's own items between them."""
        self.assertEqual(tags(["a", "b", "c"], ["c", "a"]), ["b", "c", "a"])
        self.assertEqual(tags(["a", "x", "b"], ["b", "n", "a"]), ["x", "b", "n", "a"])
        self.assertEqual(tags(["a", "b"], ["c"]), ["a", "b", "c"])
        self.assertEqual(tags(["a", "b", "c"], ["a", "n", "c"]), ["a", "b", "n", "c"])
        self.assertEqual(tags(["a", "b"], ["a", "b"]), ["a", "b"])
        self.assertEqual(tags(["1", "2", "3", "4"], ["4", "n", "1"]), ["2", "3", "4", "n", "1"])

    def test_repeated_live_items(self) -> None:
        """Repeated live items stay unless applied; an applied item replaces all of them, unmerged."""
        live = {
            "spec": {"containers": [{"name": "a", "image": "1"}, {"name": "a", "image": "2"}, {"name": "b"}]}
        }
        self.assertEqual(merge(node(), live, {"spec": {"containers": [{"name": "b"}]}}), live)
        applied = {"spec": {"containers": [{"name": "a", "args": ["x"]}]}}
        self.assertEqual(
            merge(node(), live, applied)["spec"]["containers"], [{"name": "a", "args": ["x"]}, {"name": "b"}]
        )

    def test_open_values(self) -> None:
        """Values of open type merge as objects, and replace each other otherwise."""
        self.assertEqual(
            merge(node(), {"spec": {"free": {"a": 1, "b": {"c": 1}}}}, {"spec": {"free": {"b": {"d": 2}}}}),
            {"spec": {"free": {"a": 1, "b": {"c": 1, "d": 2}}}},
        )
        self.assertEqual(
            merge(node(), {"spec": {"free": {"a": 1}}}, {"spec": {"free": [1]}}), {"spec": {"free": [1]}}
        )
        self.assertEqual(
            merge(node(), {"spec": {"free": 1}}, {"spec": {"free": {"a": 1}}}), {"spec": {"free": {"a": 1}}}
        )


class RemoveTests(unittest.SynchronousTestCase):
    """Removing a set of fields."""

    def test_members_go(self) -> None:
        """Fields, map keys and items that are in the set go with all they have."""
        live = {
            "spec": {
                "replicas": 1,
                "tags": ["a", "b"],
                "containers": [{"name": "x", "env": {"E": "1", "F": "2"}}, {"name": "y"}],
            }
        }
        gone = {
            "f:spec": {
                "f:replicas": {},
                "f:tags": {'v:"a"': {}},
                "f:containers": {'k:{"name":"x"}': {"f:env": {"f:E": {}}}, 'k:{"name":"y"}': {}},
            }
        }
        self.assertEqual(
            remove(node(), live, gone),
            {"spec": {"tags": ["b"], "containers": [{"name": "x", "env": {"F": "2"}}]}},
        )

    def test_empty_stays(self) -> None:
        """What becomes empty stays."""
        live = {"spec": {"tags": ["a"]}, "data": {"k": "v"}}
        self.assertEqual(
            remove(node(), live, {"f:spec": {"f:tags": {'v:"a"': {}}}, "f:data": {"f:k": {}}}),
            {"spec": {"tags": []}, "data": {}},
        )

    def test_absent(self) -> None:
        """Removing what is not there does nothing."""
        self.assertEqual(
            remove(node(), {"data": {"k": "v"}}, {"f:spec": {}, "f:data": {"f:x": {}}}), {"data": {"k": "v"}}
        )
