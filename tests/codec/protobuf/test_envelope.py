"""The envelope that objects travel in; the errors are those of the original."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.codec.body import decode_body
from kube_twisted.codec.protobuf.envelope import Envelope, encode_event, encode_object, unwrap, wrap
from kube_twisted.codec.protobuf.wire import WireError, read_fields
from kube_twisted.endpoints.delete_options import decode_options
from tests.schema.shared_schema import shared_schema

CONFIG_MAP = GroupVersionKind("", "v1", "ConfigMap")
NAMED = b"\n\x03\n\x01x"


class EnvelopeTests(SynchronousTestCase):
    def test_read_back(self) -> None:
        """What is wrapped is found again."""
        self.assertEqual(unwrap(wrap("apps/v1", "Deployment", b"raw")), Envelope("apps/v1", "Deployment", b"raw"))

    def refuse(self, body: bytes, why: str) -> None:
        self.assertEqual(str(self.assertRaises(WireError, unwrap, body)), why)

    def test_no_envelopes(self) -> None:
        """A body must begin with the magic bytes, and have something after them."""
        self.refuse(b"", "empty data")
        self.refuse(b"{}", "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]")
        self.refuse(b"k8s\0", "empty body")
        self.refuse(b"k8s\0\n\x0f", "unexpected EOF")
        self.refuse(b"k8s\0\n", "unexpected EOF")
        self.refuse(b"k8s\0\x08\x01", "proto: wrong wireType = 0 for field TypeMeta")

    def test_nonsensical_versions(self) -> None:
        """A version that makes no sense is as if none was there."""
        for api_version in ("a/b/c", "foo/", ""):
            self.assertEqual(Envelope(api_version, "X", b"").gvk, GroupVersionKind("", "", "X"))

    def test_objects_without_message(self) -> None:
        """A custom resource can't be sent."""
        self.assertRaises(LookupError, encode_object, {"apiVersion": "example.com/v1", "kind": "A"})

    def test_events(self) -> None:
        """A watch event has its length in front, and its object in an envelope of its own."""
        obj = {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "x"}}
        frame = encode_event("ADDED", obj)
        self.assertEqual(int.from_bytes(frame[:4], "big"), len(frame) - 4)
        members = dict(read_fields(frame, 4, len(frame)))
        self.assertEqual(members[1], b"ADDED")
        extension = members[2]
        assert isinstance(extension, bytes)
        self.assertEqual(dict(read_fields(extension, 0, len(extension))), {1: encode_object(obj)})


class BodyTests(SynchronousTestCase):
    def refuse(self, body: bytes, message: str) -> None:
        error = self.assertRaises(StatusError, decode_body, body, "protobuf", CONFIG_MAP, shared_schema())
        self.assertEqual((error.code, error.message), (400, message))

    def test_object(self) -> None:
        """The body of another known version is told apart from that of the endpoint's; the zeros are gone."""
        decoded = decode_body(wrap("v1", "ConfigMap", NAMED), "protobuf", CONFIG_MAP, shared_schema())
        self.assertEqual(decoded.obj, {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "x"}})
        self.assertEqual(decoded.strict_errors, ())

    def test_kind_may_be_left_out(self) -> None:
        """Without kind and version it is what the endpoint takes."""
        self.assertEqual(decode_body(wrap("", "", NAMED), "protobuf", CONFIG_MAP, shared_schema()).gvk, CONFIG_MAP)

    def test_accepted_version(self) -> None:
        """A version that has no message of its own has the shape of the expected one."""
        eviction = GroupVersionKind("policy", "v1", "Eviction")
        decoded = decode_body(wrap("policy/v1beta1", "Eviction", NAMED), "protobuf", eviction, shared_schema(),
                              [GroupVersion("policy", "v1beta1")])
        self.assertEqual(decoded.obj["metadata"], {"name": "x"})
        self.assertEqual(decoded.gvk.version, "v1beta1")

    def test_not_recognized(self) -> None:
        """What is no envelope is not recognized; its first bytes are shown."""
        self.refuse(b"\x01\x02", "the object provided is unrecognized (must be of type ConfigMap): provided data does "
                    "not appear to be a protobuf message, expected prefix [107 56 115 0] (0102)")

    def test_broken_message(self) -> None:
        """Of a broken message the kind is known."""
        self.refuse(wrap("v1", "ConfigMap", b"\n\x7f"),
                    'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF')

    def test_other_kinds(self) -> None:
        """The body must be of the endpoint's kind."""
        self.refuse(wrap("v1", "Nothing", NAMED),
                    'Nothing in version "v1" cannot be handled as a ConfigMap: no kind "Nothing" is registered for '
                    'version "v1" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"')

    def test_delete_options(self) -> None:
        """DeleteOptions of any group are read; something else is refused."""
        body = wrap("apps/v1", "DeleteOptions", b"\x08\x00\x22\x0aBackground")
        self.assertEqual(decode_options(body, "protobuf", shared_schema()),
                         {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})
        self.assertRaises(StatusError, decode_options, wrap("v1", "Pod", b""), "protobuf", shared_schema())
        self.assertRaises(StatusError, decode_options, b"{}", "protobuf", shared_schema())
