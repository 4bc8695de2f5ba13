"""JSON merge patch."""

from __future__ import annotations

import copy
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.schema import merge_patch


class MergePatchTests(SynchronousTestCase):
    """Objects merge, everything else is replaced."""

    def patched(self, document: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
        """The patched document; the arguments are checked to be as before."""
        before = copy.deepcopy((document, patch))
        result = merge_patch.apply(document, patch)
        self.assertEqual((document, patch), before)
        return result

    def test_merge(self) -> None:
        """Members are set, replaced and, with null, removed."""
        live, patch = {"m": {"a": "1", "b": "2"}, "x": 1}, {"m": {"a": None, "c": "3"}, "y": 2}
        self.assertEqual(self.patched(live, patch), {"m": {"b": "2", "c": "3"}, "x": 1, "y": 2})
        self.assertEqual(self.patched({"a": 1}, {"none": None}), {"a": 1})
        self.assertEqual(self.patched({"a": 1}, {}), {"a": 1})

    def test_lists(self) -> None:
        """A list is replaced as a whole."""
        self.assertEqual(self.patched({"c": [{"name": "a"}, {"name": "b"}]}, {"c": [{"name": "only"}]}),
                         {"c": [{"name": "only"}]})

    def test_other_types(self) -> None:
        """An object takes a scalar's place, and a scalar an object's."""
        self.assertEqual(self.patched({"a": 1, "b": {"c": 2}}, {"a": {"d": 3}, "b": 4}),
                         {"a": {"d": 3}, "b": 4})

    def test_nulls_in_new_values(self) -> None:
        """What is newly added has no members that are null; lists keep what is null in them."""
        self.assertEqual(self.patched({"o": {}}, {"a": {"b": None, "c": [None, {"d": None}]}, "o": [None]}),
                         {"a": {"c": [None, {}]}, "o": [None]})

    def test_independence(self) -> None:
        """The result shares nothing with the patch."""
        patch: dict[str, Any] = {"a": {"b": [1]}, "c": [1]}
        result = merge_patch.apply({"c": {}}, patch)
        result["a"]["b"].append(2)
        result["c"].append(2)
        self.assertEqual(patch, {"a": {"b": [1]}, "c": [1]})

    def test_no_object(self) -> None:
        """A patch is an object."""
        for patch, message in (
                (None, "Invalid JSON Patch"),
                ([], "error decoding patch: json: cannot unmarshal array into Go value of type "
                     "map[string]interface {}"),
                ("s", "error decoding patch: json: cannot unmarshal string into Go value of type "
                      "map[string]interface {}")):
            error = self.assertRaises(StatusError, merge_patch.apply, {}, patch)
            self.assertEqual((error.code, error.message), (400, message))
