"""Selectable fields of custom resources."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.apiextensions.selectable_fields import selectable_fields

FIELDS = selectable_fields([".spec.color", ".spec.n", ".spec.flies"])


class SelectableFieldsTests(SynchronousTestCase):
    def check(self, spec: Any, color: str, n: str, flies: str) -> None:
        self.assertEqual(FIELDS.values({"spec": spec}),
                         {"spec.color": color, "spec.n": n, "spec.flies": flies})

    def test_labels(self) -> None:
        """Selectors name them without the first dot."""
        self.assertEqual(FIELDS.labels, {"spec.color", "spec.n", "spec.flies"})
        self.assertEqual(selectable_fields([]).labels, frozenset())

    def test_values(self) -> None:
        """Numbers and booleans are texts in selectors."""
        self.check({"color": "red", "n": 12, "flies": True}, "red", "12", "true")
        self.check({"color": "", "n": 0, "flies": False}, "", "0", "false")

    def test_missing(self) -> None:
        """What is missing or null is empty."""
        self.check({"color": None}, "", "", "")
        self.check(None, "", "", "")
        self.assertEqual(set(FIELDS.values({}).values()), {""})
