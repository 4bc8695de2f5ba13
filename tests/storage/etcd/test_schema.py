"""Protobuf messages as tables."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.etcd.messages import (
    Change,
    Header,
    KeyValue,
    PutRequest,
    RangeRequest,
    RangeResponse,
    RequestOp,
    TxnRequest,
    WatchResponse,
)
from kube_twisted.storage.etcd.schema import decode, encode


class SchemaTests(SynchronousTestCase):
    def test_bytes(self) -> None:
        """Fields are encoded as protobuf says, and what has its default is left out."""
        self.assertEqual(encode(RangeRequest(b"k", limit=300, keys_only=True)), b"\x0a\x01k\x18\xac\x02\x40\x01")
        self.assertEqual(encode(RangeRequest()), b"")

    def test_nested(self) -> None:
        """Messages are in messages; an empty one that is there is sent."""
        put = RequestOp(request_put=PutRequest(b"k", b"v"))
        self.assertEqual(encode(TxnRequest(success=(put, put))), b"\x12\x08\x12\x06\x0a\x01k\x12\x01v" * 2)
        self.assertEqual(encode(RequestOp(request_range=RangeRequest())), b"\x0a\x00")

    def test_there_and_back(self) -> None:
        """What is decoded is what was encoded."""
        change = Change(1, KeyValue(b"k", mod_revision=2**62), KeyValue(b"k", 1, 2, 1, b"\0" * 300, -5))
        answer = WatchResponse(Header(2**64 - 1, 7, 9), True, cancel_reason="caf\u00e9", events=[change, Change()])
        self.assertEqual(decode(WatchResponse, encode(answer)), answer)

    def test_negative(self) -> None:
        """A negative number takes ten bytes, as in Go."""
        self.assertEqual(encode(RangeRequest(revision=-1)), b"\x20" + b"\xff" * 9 + b"\x01")
        self.assertEqual(decode(RangeRequest, encode(RangeRequest(revision=-1))).revision, -1)

    def test_unknown(self) -> None:
        """Fields of later versions are passed over."""
        data = b"\xfa\x07\x03abc" + b"\xf8\x07\x05" + b"\xfd\x07" + bytes(4) + encode(RangeResponse(count=3))
        self.assertEqual(decode(RangeResponse, data), RangeResponse(count=3))

    def test_cut(self) -> None:
        """A message that is cut is no message, wherever."""
        data = encode(RangeResponse(Header(1, 2, 3), [KeyValue(b"key", 1, 2, 3, b"value")], count=1))  # type: ignore
        for length in (1, 3, len(data) - 1):
            self.assertRaises(ValueError, decode, RangeResponse, data[:length])
