"""Objects to bytes and back."""

from __future__ import annotations

import contextlib
from base64 import b64encode
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.codec.protobuf.decode import decode_message
from kube_twisted.codec.protobuf.encode import message_writer
from kube_twisted.codec.protobuf.envelope import encode_object, unwrap
from kube_twisted.codec.protobuf.messages import fields_of, message_of
from kube_twisted.codec.protobuf.wire import WireError, sized
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.decode import decode
from tests.codec.protobuf.objects import OBJECTS, POD
from tests.schema.shared_schema import shared_schema


def gvk_of(obj: dict[str, Any]) -> GroupVersionKind:
    return GroupVersion.parse(obj["apiVersion"]).kind(obj["kind"])


def through(obj: dict[str, Any], schema: BuiltinSchema) -> dict[str, Any]:
    """An object as it arrives when it is sent as protobuf."""
    envelope = unwrap(encode_object(obj))
    message = message_of(envelope.gvk)
    assert message is not None
    sent = {"kind": envelope.kind, "apiVersion": envelope.api_version, **decode_message(message, envelope.raw)}
    return decode(schema.kind(envelope.gvk), sent)


class ObjectTests(SynchronousTestCase):
    def test_objects_arrive_as_sent(self) -> None:
        """Times, quantities, maps, raw JSON, zeros behind pointers: all is there on the other side."""
        schema = shared_schema()
        for obj in OBJECTS:
            canonical = decode(schema.kind(gvk_of(obj)), obj)
            self.assertEqual(through(canonical, schema), canonical, obj["kind"])

    def test_empty_lists_arrive_as_none(self) -> None:
        """The format can't tell an empty list from none."""
        role = {"kind": "Role", "apiVersion": "rbac.authorization.k8s.io/v1", "metadata": {"name": "r"}, "rules": []}
        self.assertIsNone(through(role, shared_schema())["rules"])

    def test_what_a_client_of_the_original_sends(self) -> None:
        """Go writes the zeros of all fields that are no pointers; they mean nothing."""
        raw = bytes.fromhex("6b3873000a0c0a0276311206536563726574121e0a120a02733112001a0022002a0032003800420012060a01"
                            "611201621a001a002200")
        envelope = unwrap(raw)
        self.assertEqual(envelope.gvk, GroupVersionKind("", "v1", "Secret"))
        sent = decode_message("core.v1.Secret", envelope.raw)
        self.assertEqual(sent["metadata"]["namespace"], "")
        self.assertEqual(decode(shared_schema().kind(envelope.gvk), sent),
                         {"metadata": {"name": "s1"}, "data": {"a": b64encode(b"b").decode()}})

    def test_known_bytes(self) -> None:
        """Tags, lengths and entries of maps are where every other implementation expects them."""
        obj = {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "x"}, "data": {"a": "b"}}
        self.assertEqual(encode_object(obj), b"k8s\0" b"\n\x0f" b"\n\x02v1" b"\x12\x09ConfigMap"
                         b"\x12\x0d" b"\n\x03\n\x01x" b"\x12\x06\n\x01a\x12\x01b" b"\x1a\x00\x22\x00")

    def test_unknown_fields_are_read_over(self) -> None:
        """A newer client may send more than is known here, of any type."""
        raw = b"\xfa\x01\x03abc" + b"\xf8\x01\x05" + b"\xf9\x01" + bytes(8) + b"\xfd\x01" + bytes(4)
        self.assertEqual(decode_message("core.v1.Secret", raw + b"\x1a\x01t"), {"type": "t"})

    def test_numbers_in_one_run(self) -> None:
        """Lists of numbers may be packed."""
        packed = b"\x22" + sized(b"\x01\x96\x01")
        self.assertEqual(decode_message("core.v1.PodSecurityContext", packed), {"supplementalGroups": [1, 150]})

    def test_parts_of_a_message_are_merged(self) -> None:
        """A message that comes twice is one."""
        raw = b"\n\x03\n\x01a" + b"\n\x03\x1a\x01n"
        self.assertEqual(decode_message("core.v1.Secret", raw), {"metadata": {"name": "a", "namespace": "n"}})

    def test_zero_time(self) -> None:
        """A time without seconds is no time."""
        sent = decode_message("meta.v1.ObjectMeta", b"\x42\x00\x4a\x04\x08\x00\x10\x00")
        self.assertEqual(sent, {"creationTimestamp": None, "deletionTimestamp": None})


class BrokenTests(SynchronousTestCase):
    def refuse(self, message: str, raw: bytes, why: str) -> None:
        error = self.assertRaises(WireError, decode_message, message, raw)
        self.assertEqual(str(error), why)

    def test_wrong_types(self) -> None:
        """A known field must be of its type."""
        self.refuse("core.v1.Secret", b"\x08\x01", "proto: wrong wireType = 0 for field Metadata")
        self.refuse("meta.v1.ObjectMeta", b"\x3a\x01a", "proto: wrong wireType = 2 for field Generation")
        self.refuse("core.v1.Secret", b"\x12\x02\x08\x01", "proto: wrong wireType = 0 for a map entry")

    def test_cut_off(self) -> None:
        """A message that ends too early, anywhere in it, is refused or is a shorter one; nothing else happens."""
        raw = message_writer("core.v1.Pod")(POD)
        refused = 0
        for size in range(len(raw)):
            try:
                decode_message("core.v1.Pod", raw[:size])
            except WireError:
                refused += 1
        self.assertGreater(refused, len(raw) - 10)

    def test_lengths_beyond_the_message(self) -> None:
        """A field can't be longer than the message that it is in."""
        self.refuse("core.v1.Secret", b"\n\x02\n\x05abcdefgh", "unexpected EOF")

    def test_no_field(self) -> None:
        """There is no field 0."""
        self.refuse("core.v1.Secret", b"\0", "proto: Secret: illegal tag 0 (wire type 0)")

    def test_time_beyond_the_calendar(self) -> None:
        """Years have four digits."""
        self.refuse("meta.v1.ObjectMeta", b"\x42\x07\x08\xff\xff\xff\xff\xff\x7f",
                    "Time.MarshalJSON: year outside of range [0,9999]")

    def test_nested_too_deeply(self) -> None:
        """A schema of many thousand levels is refused, not a crash."""
        raw = b""
        for _ in range(20_000):
            raw = b"\xe2\x01" + sized(raw)  # the field "not"
        self.refuse("apiextensions.v1.JSONSchemaProps", raw, "proto: messages are nested too deeply")

    @given(st.binary(max_size=200))
    def test_noise(self, raw: bytes) -> None:
        """Any bytes are a message or an error."""
        with contextlib.suppress(ValueError):
            decode_message("core.v1.Pod", raw)


# -- objects made up from the table -----------------------------------------------------------------------------------

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
_JSON = st.dictionaries(_TEXT, st.none() | st.booleans() | _TEXT | st.lists(_TEXT, max_size=2), max_size=2)
_LEAVES: dict[str, st.SearchStrategy[Any]] = {
    "text": _TEXT,
    "bytes": st.binary(max_size=4).map(lambda raw: b64encode(raw).decode()),
    "bool": st.booleans(),
    "int32": st.integers(-2**31, 2**31 - 1),
    "int64": st.integers(-2**63, 2**63 - 1),
    "double": st.floats(allow_nan=False, allow_infinity=False),
    "quantity": st.sampled_from(["0", "1", "100m", "1Gi", "-5k"]),
    "int-or-string": st.integers(-2**31, 2**31 - 1) | _TEXT,
    "time": st.sampled_from(["2026-01-02T03:04:05Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z"]),
    "micro-time": st.sampled_from(["2026-01-02T03:04:05.000006Z", "1969-12-31T23:59:59.999999Z"]),
    "raw": _JSON,
    "strings": st.lists(_TEXT, max_size=2),
    "schema-or-bool": st.booleans() | st.just({"type": "string"}),
    "schema-or-array": st.just({"type": "string"}) | st.just([{"type": "string"}]),
    "schema-or-strings": st.lists(_TEXT, min_size=1, max_size=2) | st.just({"type": "string"}),
}
_DEEPEST = 3


@st.composite
def messages(draw: st.DrawFn, message: str, depth: int = 0) -> dict[str, Any]:
    """An object with some of a message's fields."""
    fields = fields_of(message)
    chosen = draw(st.lists(st.sampled_from(fields), max_size=4, unique_by=lambda field: field.number)) if fields else []
    obj: dict[str, Any] = {}
    for field in chosen:
        if field.is_message and depth == _DEEPEST:
            continue
        value = messages(field.type, depth + 1) if field.is_message else _LEAVES[field.type]
        if field.inlined:
            obj.update(draw(value))
        elif field.how_many == "one":
            obj[field.name] = draw(value)
        elif field.how_many == "list":
            obj[field.name] = draw(st.lists(value, min_size=1, max_size=2))
        else:
            obj[field.name] = draw(st.dictionaries(_TEXT, value, min_size=1, max_size=2))
    return obj


_KINDS = sorted(filter(None, {message_of(kind) for kind in shared_schema().kinds()}))


class PropertyTests(SynchronousTestCase):
    @given(st.sampled_from(_KINDS).flatmap(lambda name: st.tuples(st.just(name), messages(name))))
    def test_any_object_is_read_back(self, sent: tuple[str, dict[str, Any]]) -> None:
        """Whatever fields an object of whatever kind has, they come back as they were."""
        message, obj = sent
        self.assertEqual(decode_message(message, message_writer(message)(obj)), obj)
