"""Validation of ObjectMeta."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.metadata import (
    validate_kube_finalizers,
    validate_object_meta,
    validate_object_meta_update,
)
from kube_twisted.api.names import dns_subdomain

_OWNER = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "r", "uid": "u1"}


def texts(meta: dict[str, Any], namespaced: bool = True) -> list[str]:
    return [str(one) for one in validate_object_meta({"name": "a", "namespace": "n", **meta}, namespaced,
                                                     dns_subdomain)]


def update(new: dict[str, Any], old: dict[str, Any]) -> list[str]:
    common = {"name": "a", "namespace": "n", "uid": "u", "resourceVersion": "5"}
    return [str(one) for one in validate_object_meta_update({**common, **new}, {**common, **old})]


class CreateTests(SynchronousTestCase):
    """Metadata of new objects."""

    def test_valid(self) -> None:
        """Ordinary metadata has no errors."""
        self.assertEqual(texts({"labels": {"a": "b"}, "annotations": {"Example.COM/x": "any\ntext"},
                                "finalizers": ["example.com/f"], "ownerReferences": [_OWNER]}), [])

    def test_name(self) -> None:
        """A name is required; a bad generateName is reported beside the bad name made of it."""
        self.assertEqual(texts({"name": ""}),
                         ["metadata.name: Required value: name or generateName is required"])
        found = texts({"generateName": "Bad_", "name": "Bad_x"})
        self.assertEqual([one.partition(":")[0] for one in found], ["metadata.generateName", "metadata.name"])

    def test_namespace(self) -> None:
        """A namespace is a label on a namespaced kind, and has no place on others."""
        self.assertEqual(texts({"namespace": ""}), ["metadata.namespace: Required value"])
        self.assertEqual(texts({"namespace": "a.b"}),
                         ['metadata.namespace: Invalid value: "a.b": must not contain dots'])
        self.assertEqual(texts({}, namespaced=False),
                         ["metadata.namespace: Forbidden: not allowed on this type"])

    def test_labels_and_annotations(self) -> None:
        """Keys and values are reported without the key in the path."""
        self.assertTrue(texts({"labels": {"ok": "-x"}})[0].startswith(
            'metadata.labels: Invalid value: "-x": a valid label must be'))
        self.assertTrue(texts({"annotations": {"Bad Key": "x"}})[0].startswith(
            'metadata.annotations: Invalid value: "Bad Key": name part must consist of'))

    def test_annotations_size(self) -> None:
        """All annotations together have up to 256 KiB."""
        self.assertEqual(texts({"annotations": {"a": "x" * (256 * 1024 - 1)}}), [])
        self.assertEqual(texts({"annotations": {"a": "x" * (256 * 1024)}}),
                         ["metadata.annotations: Too long: may not be more than 262144 bytes"])

    def test_owners(self) -> None:
        """An owner is named in full; errors carry no index."""
        self.assertEqual(texts({"ownerReferences": [{}]}), [
            'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
            'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
            'metadata.ownerReferences.name: Invalid value: "": must not be empty',
            'metadata.ownerReferences.uid: Invalid value: "": must not be empty'])
        self.assertEqual(texts({"ownerReferences": [{**_OWNER, "apiVersion": "a/b/c"}]}), [
            'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty'])

    def test_event_owner(self) -> None:
        """An Event owns nothing."""
        self.assertEqual(texts({"ownerReferences": [{"uid": "u", "name": "e", "kind": "Event",
                                                     "apiVersion": "v1"}]}), [
            'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"u"}'
            ": /v1, Kind=Event is disallowed from being an owner"])

    def test_two_controllers(self) -> None:
        """Only one owner is the controller; the message shows all references."""
        pair = [{**_OWNER, "controller": True}, {**_OWNER, "name": "s", "uid": "u2", "controller": True}]
        self.assertEqual(texts({"ownerReferences": pair}), [
            'metadata.ownerReferences: Invalid value: [{"apiVersion":"apps/v1","kind":"ReplicaSet",'
            '"name":"r","uid":"u1","controller":true},{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"s","uid":"u2",'
            '"controller":true}]: Only one reference can have Controller set to true. Found "true" in '
            "references for ReplicaSet/r and ReplicaSet/s"])

    def test_finalizers(self) -> None:
        """Finalizers are qualified names, and garbage collection's two exclude each other."""
        self.assertIn("name part must consist of", texts({"finalizers": ["a b"]})[0])
        self.assertEqual(texts({"finalizers": ["orphan", "foregroundDeletion"]}), [
            'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and '
            "foregroundDeletion cannot be both set"])
        bare = validate_kube_finalizers(["kubernetes", "example.com/a", "bare"])
        self.assertEqual([str(one) for one in bare], [
            'metadata.finalizers[2]: Invalid value: "bare": name is neither a standard finalizer name nor is '
            "it fully qualified"])

    def test_managed_fields(self) -> None:
        """Entries of managedFields name an operation, a known format and a printable manager."""
        self.assertEqual(texts({"managedFields": [{"operation": "Apply", "fieldsType": "FieldsV1"},
                                                  {"operation": "Do", "fieldsType": "X", "manager": "a\x07",
                                                   "subresource": "s" * 257}]}), [
            'metadata.managedFields[1].operation: Invalid value: "Do": must be `Apply` or `Update`',
            'metadata.managedFields[1].fieldsType: Invalid value: "X": must be `FieldsV1`',
            'metadata.managedFields[1].manager: Invalid value: "a\\a": invalid character U+0007 '
            "(at position 1)",
            "metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes"])


class UpdateTests(SynchronousTestCase):
    """Metadata of changed objects."""

    def test_valid(self) -> None:
        """Labels may change, and the generation may grow."""
        self.assertEqual(update({"labels": {"a": "b"}, "generation": 2}, {"generation": 1}), [])

    def test_immutable(self) -> None:
        """Identity, times and the grace period do not change."""
        self.assertEqual(update({"name": "b", "uid": "w"}, {}), [
            'metadata.name: Invalid value: "b": field is immutable',
            'metadata.uid: Invalid value: "w": field is immutable'])
        self.assertEqual(update({"deletionTimestamp": "2001-01-01T00:00:00Z",
                                 "deletionGracePeriodSeconds": 4}, {}), [
            'metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable',
            "metadata.deletionGracePeriodSeconds: Invalid value: 4: field is immutable"])
        self.assertEqual(update({}, {"deletionTimestamp": "2001-01-01T00:00:00Z"}), [
            "metadata.deletionTimestamp: Invalid value: null: field is immutable"])

    def test_version_and_generation(self) -> None:
        """An update says which version it is of, and does not turn the generation back."""
        self.assertEqual(update({"resourceVersion": "", "generation": 1}, {"generation": 2}), [
            'metadata.resourceVersion: Invalid value: "": must be specified for an update',
            "metadata.generation: Invalid value: 1: must not be decremented"])

    def test_finalizers_of_the_dying(self) -> None:
        """An object that is being deleted gets no new finalizers; old ones may go."""
        dying = {"deletionTimestamp": "2001-01-01T00:00:00Z"}
        self.assertEqual(update({**dying, "finalizers": []}, {**dying, "finalizers": ["x.y/a"]}), [])
        self.assertEqual(update({**dying, "finalizers": ["x.y/b", "x.y/a"]}, dying), [
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, "
            'found new finalizers []string{"x.y/a", "x.y/b"}'])
