"""Taking a client-side apply over."""

from __future__ import annotations

import json
from typing import Any

from twisted.trial import unittest

from kube_twisted.schema.apply.conflict import ApplyConflict
from kube_twisted.schema.apply.lastapplied import ANNOTATION
from tests.schema.apply.kinds import LATER, NOW, entries, entry, manager, thing


def client_side(data: dict[str, str], last: Any) -> dict[str, Any]:
    """An object that kubectl's client-side apply made."""
    text = last if isinstance(last, str) else json.dumps(last)
    obj = thing(data=data, metadata={"annotations": {ANNOTATION: text}})
    manager().update(None, obj, "kubectl-client-side-apply", NOW)
    return obj


def apply(live: dict[str, Any], data: dict[str, str], name: str = "kubectl") -> dict[str, Any]:
    return manager().apply(live, thing(data=data), name, False, LATER)


class UpgradeTests(unittest.SynchronousTestCase):
    """kubectl apply --server-side after kubectl apply."""

    def setUp(self) -> None:
        self.live = client_side({"a": "1", "b": "2"}, thing(data={"a": "1", "b": "2"}))

    def test_takes_its_own(self) -> None:
        """kubectl may change what its client-side apply owns, without force."""
        result = apply(self.live, {"a": "9"})
        self.assertEqual(result["data"], {"a": "9", "b": "2"})
        self.assertEqual(
            entries(result),
            [
                entry("kubectl", {"f:data": {"f:a": {}}}, "Apply", LATER),
                entry(
                    "kubectl-client-side-apply",
                    {
                        "f:data": {".": {}, "f:b": {}},
                        "f:metadata": {"f:annotations": {".": {}, f"f:{ANNOTATION}": {}}},
                    },
                ),
            ],
        )

    def test_annotation_follows(self) -> None:
        """The annotation holds what was applied last, as sorted JSON with a line's end."""
        text = apply(self.live, {"a": "1"})["metadata"]["annotations"][ANNOTATION]
        self.assertEqual(
            text, '{"apiVersion":"v1","data":{"a":"1"},"kind":"Thing","metadata":{"name":"t"}}\n'
        )

    def test_others(self) -> None:
        """Managers of other names have no such right, and leave the annotation alone."""
        self.assertRaises(ApplyConflict, apply, self.live, {"a": "9"}, "other")
        text = apply(self.live, {"a": "1"}, "other")["metadata"]["annotations"][ANNOTATION]
        self.assertEqual(text, self.live["metadata"]["annotations"][ANNOTATION])

    def test_changed_since(self) -> None:
        """Fields that somebody changed since then stay conflicts, and only those are told."""
        new = thing(data={"a": "1", "b": "x"}, metadata=dict(self.live["metadata"]))
        manager().update(self.live, new, "edit", NOW)
        error = self.assertRaises(ApplyConflict, apply, new, {"a": "9", "b": "9"})
        self.assertEqual([one.field for one in error.conflicts], [".data.b"])

    def test_useless_annotations(self) -> None:
        """Annotations that cannot be read, or speak of another version, allow nothing."""
        for last in ("{", "[]", thing(bogus=1), {**thing(), "apiVersion": "v2"}):
            self.assertRaises(ApplyConflict, apply, client_side({"a": "1"}, last), {"a": "9"})

    def test_too_large(self) -> None:
        """The annotation goes when it would not fit."""
        result = apply(self.live, {"a": "1", "c": "x" * 300_000})
        self.assertNotIn(ANNOTATION, result["metadata"]["annotations"])

    def test_annotation_is_not_repeated(self) -> None:
        """An applied annotation is not put inside itself."""
        patch = thing(data={"a": "1"}, metadata={"annotations": {ANNOTATION: "old", "n": "1"}})
        result = manager().apply(self.live, patch, "kubectl", True, LATER)
        self.assertEqual(
            json.loads(result["metadata"]["annotations"][ANNOTATION])["metadata"],
            {"annotations": {"n": "1"}, "name": "t"},
        )
