"""The grammar of protobuf, by the examples of its documentation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.codec.protobuf import wire
from kube_twisted.codec.protobuf.wire import BYTES, VARINT, WireError, read_fields, read_varint, sized, tag, varint


class NumberTests(SynchronousTestCase):
    def test_documented_examples(self) -> None:
        """150 takes two bytes, a negative number ten."""
        self.assertEqual(varint(150), b"\x96\x01")
        self.assertEqual(varint(0), b"\0")
        self.assertEqual(varint(-2), b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01")
        self.assertEqual(tag(1, VARINT), b"\x08")
        self.assertEqual(tag(16, BYTES), b"\x82\x01")

    @given(st.integers(0, 2**64 - 1), st.binary(max_size=3))
    def test_numbers_are_read_back(self, value: int, rest: bytes) -> None:
        """Reading a number gives it and the offset behind it."""
        raw = varint(value)
        self.assertEqual(read_varint(raw + rest, 0), (value, len(raw)))

    def test_too_long(self) -> None:
        """A number of more than ten bytes is an error."""
        self.assertRaisesRegex(WireError, "proto: integer overflow", read_varint, b"\xff" * 11, 0)


class FieldTests(SynchronousTestCase):
    def test_fields(self) -> None:
        """Numbers and bytes come with the numbers of their fields; fixed sizes are known."""
        raw = b"\x08\x96\x01" + b"\x12" + sized(b"testing") + b"\x19" + bytes(8) + b"\x25abcd"
        self.assertEqual(list(read_fields(raw, 0, len(raw))), [(1, 150), (2, b"testing"), (3, bytes(8)), (4, b"abcd")])

    def test_cut_off(self) -> None:
        """Bytes that end within a field are an error."""
        raw = b"\x12" + sized(b"testing")
        self.assertRaisesRegex(WireError, "unexpected EOF", lambda: list(read_fields(raw, 0, len(raw) - 1)))

    def test_unknown_types(self) -> None:
        """Groups are not skipped, and no field has the number 0."""
        self.assertRaisesRegex(WireError, "proto: illegal wireType 3", wire.skip, b"", 0, 3)
        self.assertRaisesRegex(WireError, "illegal tag 0", lambda: list(read_fields(b"\0\0", 0, 2)))
