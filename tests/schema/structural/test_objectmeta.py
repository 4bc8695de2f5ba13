"""Tests for kube_twisted.schema.structural.objectmeta, embedded and reading."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.decode import DecodeError
from kube_twisted.schema.structural.embedded import validate_embedded
from kube_twisted.schema.structural.objectmeta import coerce_embedded, coerce_metadata
from kube_twisted.schema.structural.reading import read
from tests.schema.structural.kinds import (
    EMBEDDED,
    INTEGER,
    PRESERVE,
    STRING,
    array,
    custom,
    kind,
    mapping,
    meta,
    obj,
    texts,
)

RESOURCE = {"type": "object", EMBEDDED: True, PRESERVE: True}
BOXES = kind(tmpl=RESOURCE, typed={**obj(spec=obj(x=INTEGER)), EMBEDDED: True}, list=array(RESOURCE),
             map=mapping(RESOURCE), n=INTEGER)
WRONG_LABEL = "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"
POD = {"apiVersion": "v1", "kind": "Pod"}


class TestRootMetadata(SynchronousTestCase):
    def test_canonical(self) -> None:
        """Unknown fields are dropped and named; empty ones go; null is an empty ObjectMeta."""
        thing: dict[str, Any] = {"metadata": {"name": "d", "bogus": "x", "labels": {}, "creationTimestamp": None}}
        self.assertEqual(coerce_metadata(thing, meta()), ["metadata.bogus"])
        self.assertEqual(thing, {"metadata": {"name": "d"}})
        empty: dict[str, Any] = {"metadata": None}
        coerce_metadata(empty, meta())
        self.assertEqual(empty, {"metadata": {}})

    def test_wrong_types(self) -> None:
        """They are an error in the words of Go's decoder."""
        error = self.assertRaises(DecodeError, coerce_metadata, {"metadata": {"labels": {"a": 5}}}, meta())
        self.assertEqual(str(error), WRONG_LABEL)
        error = self.assertRaises(DecodeError, coerce_metadata, {"metadata": "text"}, meta())
        self.assertEqual(str(error), "json: cannot unmarshal string into Go value of type v1.ObjectMeta")

    def test_wrong_types_in_the_store(self) -> None:
        """Of stored metadata only the fields that can be read are kept."""
        thing = {"metadata": {"name": "d", "labels": {"a": 5}, "generation": "x", "annotations": {"k": "v"}}}
        coerce_metadata(thing, meta(), drop_invalid=True)
        self.assertEqual(thing, {"metadata": {"name": "d", "annotations": {"k": "v"}}})


class TestEmbeddedMetadata(SynchronousTestCase):
    def test_canonical(self) -> None:
        """Embedded metadata is brought into the same form, in lists and maps too."""
        box = custom(tmpl={**POD, "metadata": {"name": "x", "labels": {"a": "b"}}, "free": 1},
                     list=[{**POD, "metadata": {"creationTimestamp": None}}],
                     map={"k": {**POD, "metadata": {"odd": 1}}})
        self.assertEqual(coerce_embedded(box, BOXES, meta()), ["spec.map[k].metadata.odd"])
        self.assertEqual(box["spec"]["tmpl"], {**POD, "metadata": {"name": "x", "labels": {"a": "b"}}, "free": 1})
        self.assertEqual(box["spec"]["list"], [{**POD, "metadata": {}}])

    def test_wrong_types(self) -> None:
        """The error names the place and shows the value."""
        for value, text in (
            ({"metadata": {"labels": {"a": 5}}},
             f'spec.tmpl.metadata: Invalid value: {{"labels":{{"a":5}}}}: {WRONG_LABEL}'),
            ({"metadata": "text"}, 'spec.tmpl.metadata: Invalid value: "text": '
                                   "json: cannot unmarshal string into Go value of type v1.ObjectMeta"),
            ({"kind": 5}, "spec.tmpl.kind: Invalid value: 5: must be a string"),
        ):
            error = self.assertRaises(DecodeError, coerce_embedded, custom(tmpl=value), BOXES, meta())
            self.assertEqual(str(error), text)

    def test_wrong_types_in_the_store(self) -> None:
        """They are dropped; metadata that is no object at all is left for validation to complain about."""
        box = custom(tmpl={"kind": 5, "metadata": {"name": "x", "labels": {"a": 5}}}, typed={"metadata": "text"})
        coerce_embedded(box, BOXES, meta(), drop_invalid=True)
        self.assertEqual(box["spec"], {"tmpl": {"metadata": {"name": "x"}}, "typed": {"metadata": "text"}})


class TestEmbeddedValidation(SynchronousTestCase):
    def complaints(self, **tmpl: Any) -> list[str]:
        return texts(validate_embedded(custom(tmpl=tmpl), BOXES, meta()))

    def test_what_has_to_be_there(self) -> None:
        """An apiVersion and a kind; metadata may be missing."""
        self.assertEqual(self.complaints(), ["spec.tmpl.apiVersion: Required value", "spec.tmpl.kind: Required value"])
        self.assertEqual(self.complaints(**POD), [])

    def test_versions_and_kinds(self) -> None:
        """They have to be well formed."""
        self.assertEqual(self.complaints(apiVersion="a/b/c", kind="Pod"), [
            'spec.tmpl.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'])
        self.assertEqual(self.complaints(apiVersion="", kind=""), [
            'spec.tmpl.apiVersion: Invalid value: "": must not be empty',
            'spec.tmpl.kind: Invalid value: "": must not be empty'])
        [text] = self.complaints(apiVersion="v1", kind="not a kind")
        self.assertTrue(text.startswith('spec.tmpl.kind: Invalid value: "not a kind": may have mixed case, but should '
                                        "otherwise match: a DNS-1035 label must consist of"), text)

    def test_metadata(self) -> None:
        """Any name that can stand in a path will do; labels and the rest are checked as everywhere."""
        self.assertEqual(self.complaints(**POD, metadata={"name": "Bad_"}), [])
        self.assertEqual(self.complaints(**POD, metadata={"name": "a/b", "namespace": "ok"}), [
            "spec.tmpl.metadata.name: Invalid value: \"a/b\": may not contain '/'"])
        [text] = self.complaints(**POD, metadata={"labels": {"bad key": "x"}})
        self.assertTrue(text.startswith('spec.tmpl.metadata.labels: Invalid value: "bad key": name part must'), text)

    def test_everywhere(self) -> None:
        """Lists, maps and embedded resources without a name for it are looked into."""
        box = custom(list=[{"kind": "A"}], map={"k": {"apiVersion": "v1"}})
        self.assertEqual(texts(validate_embedded(box, BOXES, meta())), [
            "spec.list[0].apiVersion: Required value", "spec.map[k].kind: Required value"])


class TestReading(SynchronousTestCase):
    def test_unknown_fields_in_order(self) -> None:
        """First those of the metadata, then the pruned ones, then those of embedded metadata."""
        box = custom(typed={"apiVersion": "x.io/v1", "kind": "Y", "metadata": {"name": "n", "unknown": "z"},
                            "spec": {"x": 1, "y": 2}, "status": {}}, n=None)
        box["metadata"]["bogus"] = 1
        self.assertEqual(read(box, BOXES, meta()), [
            "metadata.bogus", "spec.typed.spec.y", "spec.typed.status", "spec.typed.metadata.unknown"])
        self.assertEqual(box, custom(typed={"apiVersion": "x.io/v1", "kind": "Y", "metadata": {"name": "n"},
                                            "spec": {"x": 1}}))

    def test_stored_objects(self) -> None:
        """What can't be read is dropped without an error, and a generation is there."""
        thing = {"metadata": {"name": "d", "labels": 5}, "spec": {"n": 1}}
        read(thing, kind(n=INTEGER, s=STRING), meta(), stored=True)
        self.assertEqual(thing, {"metadata": {"name": "d", "generation": 1}, "spec": {"n": 1}})
