"""Objects as the watch cache holds them."""

from __future__ import annotations

from typing import Any

import orjson
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.cached import CachedObject, Encoding

POD = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "web", "labels": {"app": "web"}}, "spec": {"x": 1}}


def value_of(**changes: Any) -> bytes:
    return orjson.dumps({**POD, **changes})


class EncodingTests(SynchronousTestCase):
    """From objects to stored bytes, and to the bytes of answers."""

    def setUp(self) -> None:
        self.encoding = Encoding("Pod", "v1")

    def test_order(self) -> None:
        """Kind, apiVersion and metadata come first, whatever order the object has, and the rest in its own."""
        value = self.encoding.encode({"status": {}, "spec": {}, "metadata": {"name": "a"}, "kind": "Pod"})
        self.assertEqual(value, b'{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"status":{},"spec":{}}')

    def test_no_revision(self) -> None:
        """The revision is not stored, and the object that is encoded keeps it."""
        obj = {"metadata": {"resourceVersion": "7", "name": "a"}}
        self.assertEqual(self.encoding.encode(obj), b'{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}')
        self.assertEqual(obj["metadata"]["resourceVersion"], "7")

    def test_body(self) -> None:
        """An answer is the stored object with the revision written into its metadata."""
        body = orjson.loads(self.encoding.body(value_of(), 12))
        self.assertEqual(body, {**POD, "metadata": {"resourceVersion": "12", **POD["metadata"]}})

    def test_other_order(self) -> None:
        """A value that another server wrote in another order of fields is understood as well."""
        value = orjson.dumps({"metadata": POD["metadata"], "spec": {}, "apiVersion": "v1", "kind": "Pod"})
        self.assertTrue(self.encoding.body(value, 3).startswith(
            b'{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"3","name":"web"'))

    def test_older_version(self) -> None:
        """An object stored in another version is brought to the storage version when it is read."""
        encoding = Encoding("Job", "batch/v1", lambda obj: {**obj, "spec": {"new": obj["spec"]["old"]}})
        value = orjson.dumps({"kind": "Job", "apiVersion": "batch/v1beta1", "metadata": {"name": "a"},
                              "spec": {"old": 1}})
        self.assertEqual(orjson.loads(encoding.body(value, 2)), {
            "kind": "Job", "apiVersion": "batch/v1", "metadata": {"resourceVersion": "2", "name": "a"},
            "spec": {"new": 1}})

    def test_foreign_kind(self) -> None:
        """A stored object that is something else, and can't be converted, is refused by name."""
        error = self.assertRaises(ValueError, self.encoding.tail, value_of(kind="Node"), 1)
        self.assertEqual(str(error), "stored object is a v1 Node, not a v1 Pod")


class CachedObjectTests(SynchronousTestCase):
    """One object at one revision."""

    def setUp(self) -> None:
        self.encoding = Encoding("Pod", "v1")
        self.item = CachedObject(self.encoding, "/pods/ns/web", "ns", "web", self.encoding.tail(value_of(), 5), 5)

    def test_value_is_what_was_stored(self) -> None:
        """The stored bytes come back exactly, so that a write that changes nothing can be seen."""
        self.assertEqual(self.item.value, value_of())

    def test_parse_gives_fresh_data(self) -> None:
        """Whoever parses may change what he gets."""
        self.item.parse()["metadata"]["name"] = "other"
        self.assertEqual(self.item.parse()["metadata"]["name"], "web")

    def test_peek_is_shared(self) -> None:
        """Whoever only looks shares one parsed object."""
        self.assertIs(self.item.peek(), self.item.peek())
        self.assertEqual(self.item.peek()["metadata"]["resourceVersion"], "5")

    def test_labels(self) -> None:
        """Labels are those of the object, and empty where it has none or null."""
        self.assertEqual(self.item.labels, {"app": "web"})
        for metadata in ({"name": "a"}, {"name": "a", "labels": None}):
            tail = self.encoding.tail(value_of(metadata=metadata), 5)
            self.assertEqual(CachedObject(self.encoding, "k", "", "a", tail, 5).labels, {})

    def test_at_another_revision(self) -> None:
        """What a DELETED event shows: the same content, under the revision of the deletion."""
        moved = self.item.at(123)
        self.assertEqual(moved.revision, 123)
        self.assertEqual(moved.parse()["metadata"]["resourceVersion"], "123")
        self.assertEqual(moved.value, self.item.value)
        self.assertEqual(self.item.parse()["metadata"]["resourceVersion"], "5")
        self.assertEqual((moved.namespace, moved.name, moved.labels), ("ns", "web", {"app": "web"}))
