"""The text of patched documents in messages."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema import json_patch, merge_patch
from kube_twisted.schema.patched_text import patched_text

DOCUMENT = {"kind": "K", "apiVersion": "v1", "metadata": {"name": "x", "labels": {"b": "1"}},
            "spec": {"template": {"z": 1, "a": 2}, "items": [{"name": "one", "image": "i"}, {"name": "two", "at": 1}]}}


class PatchedTextTests(SynchronousTestCase):
    def merged(self, change: Any) -> str:
        return patched_text(DOCUMENT, merge_patch.apply(DOCUMENT, change), sort_new=True)

    def patched(self, *operations: dict[str, Any]) -> str:
        return patched_text(DOCUMENT, json_patch.apply(DOCUMENT, list(operations)), sort_new=False)

    def test_touched(self) -> None:
        """Objects on the way of a patch are sorted; others keep their order."""
        self.assertEqual(self.merged({"metadata": {"labels": {"a": 1}}}), (
            '{"apiVersion":"v1","kind":"K","metadata":{"labels":{"a":1,"b":"1"},"name":"x"},'
            '"spec":{"template":{"z":1,"a":2},"items":[{"name":"one","image":"i"},{"name":"two","at":1}]}}'))

    def test_new(self) -> None:
        """What a merge patch brings is sorted, what a JSON patch brings is as it was sent."""
        new = {"z": 1, "a": [{"y": 1, "b": 2}]}
        self.assertIn('"spec":"no","x":{"a":[{"b":2,"y":1}],"z":1}}', self.merged({"x": new, "spec": "no"}))
        self.assertIn('"x":{"z":1,"a":[{"y":1,"b":2}]}}', self.patched({"op": "add", "path": "/x", "value": new}))

    def test_items(self) -> None:
        """Items that a JSON patch goes into are sorted; those that it moves are not."""
        self.assertIn('"items":[{"image":"j","name":"one"},{"name":"two","at":1}]',
                      self.patched({"op": "replace", "path": "/spec/items/0/image", "value": "j"}))
        self.assertIn('"items":[{"name":"two","at":1}]', self.patched({"op": "remove", "path": "/spec/items/0"}))

    def test_escapes(self) -> None:
        """Text is safe in HTML."""
        self.assertIn('"x":"\\u003cb\\u003e \\u0026"', self.merged({"x": "<b> &"}))
