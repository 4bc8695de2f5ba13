"""The messages of etcd's API that the store needs, with the numbers of their fields.

Source: etcd's ``rpc.proto`` and ``kv.proto`` (https://etcd.io/docs/v3.5/dev-guide/api_reference_v3/).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Generic, TypeVar

from attrs import frozen

from kube_twisted.storage.etcd.schema import boolean, integer, message, messages, raw, text, unsigned

Q = TypeVar("Q")
A = TypeVar("A")


@frozen
class Header:
    """Stands in every answer.

    :ivar revision: the newest one of the member that answers.
    """

    cluster_id: int = unsigned(1)
    member_id: int = unsigned(2)
    revision: int = integer(3)


@frozen
class KeyValue:
    key: bytes = raw(1)
    create_revision: int = integer(2)
    mod_revision: int = integer(3)
    version: int = integer(4)
    value: bytes = raw(5)
    lease: int = integer(6)


@frozen
class RangeRequest:
    """The keys from ``key`` on, to before ``range_end``; only ``key`` without one."""

    key: bytes = raw(1)
    range_end: bytes = raw(2)
    limit: int = integer(3)
    revision: int = integer(4)
    keys_only: bool = boolean(8)
    count_only: bool = boolean(9)


@frozen
class RangeResponse:
    """:ivar count: of the keys in the range, whatever the limit."""

    header: Header | None = message(1, Header)
    kvs: tuple[KeyValue, ...] = messages(2, KeyValue)
    more: bool = boolean(3)
    count: int = integer(4)


@frozen
class PutRequest:
    key: bytes = raw(1)
    value: bytes = raw(2)
    lease: int = integer(3)


@frozen
class DeleteRangeRequest:
    key: bytes = raw(1)


@frozen
class RequestOp:
    """One of its fields."""

    request_range: RangeRequest | None = message(1, RangeRequest)
    request_put: PutRequest | None = message(2, PutRequest)
    request_delete_range: DeleteRangeRequest | None = message(3, DeleteRangeRequest)


@frozen
class ResponseOp:
    response_range: RangeResponse | None = message(1, RangeResponse)


class CompareTarget(IntEnum):
    VERSION = 0
    MOD = 2


@frozen
class Compare:
    """Whether what ``target`` names of a key is equal to the field of that name; all are 0 for a missing key."""

    target: int = integer(2)
    key: bytes = raw(3)
    version: int = integer(4)
    mod_revision: int = integer(6)


@frozen
class TxnRequest:
    """``success`` when all comparisons hold, ``failure`` otherwise."""

    compare: tuple[Compare, ...] = messages(1, Compare)
    success: tuple[RequestOp, ...] = messages(2, RequestOp)
    failure: tuple[RequestOp, ...] = messages(3, RequestOp)


@frozen
class TxnResponse:
    header: Header | None = message(1, Header)
    succeeded: bool = boolean(2)
    responses: tuple[ResponseOp, ...] = messages(3, ResponseOp)


@frozen
class CompactionRequest:
    """:ivar physical: answer only when the room is free."""

    revision: int = integer(1)
    physical: bool = boolean(2)


@frozen
class CompactionResponse:
    header: Header | None = message(1, Header)


@frozen
class WatchCreateRequest:
    key: bytes = raw(1)
    range_end: bytes = raw(2)
    start_revision: int = integer(3)
    prev_kv: bool = boolean(6)


@frozen
class WatchRequest:
    create_request: WatchCreateRequest | None = message(1, WatchCreateRequest)


class ChangeType(IntEnum):
    PUT = 0
    DELETE = 1


@frozen
class Change:
    """etcd's Event. A deletion's ``kv`` has the key and the revision alone."""

    type: int = integer(1)
    kv: KeyValue | None = message(2, KeyValue)
    prev_kv: KeyValue | None = message(3, KeyValue)


@frozen
class WatchResponse:
    """:ivar compact_revision: why it is canceled, when the history does not reach back so far."""

    header: Header | None = message(1, Header)
    created: bool = boolean(3)
    canceled: bool = boolean(4)
    compact_revision: int = integer(5)
    cancel_reason: str = text(6)
    events: tuple[Change, ...] = messages(11, Change)


@frozen
class LeaseGrantRequest:
    """:ivar ttl: in seconds."""

    ttl: int = integer(1)


@frozen
class LeaseGrantResponse:
    header: Header | None = message(1, Header)
    id: int = integer(2)
    ttl: int = integer(3)


@frozen
class Method(Generic[Q, A]):
    """A procedure, and the kinds of its messages."""

    path: str
    request: type[Q]
    answer: type[A]


RANGE = Method("/etcdserverpb.KV/Range", RangeRequest, RangeResponse)
TXN = Method("/etcdserverpb.KV/Txn", TxnRequest, TxnResponse)
COMPACT = Method("/etcdserverpb.KV/Compact", CompactionRequest, CompactionResponse)
WATCH = Method("/etcdserverpb.Watch/Watch", WatchRequest, WatchResponse)
LEASE_GRANT = Method("/etcdserverpb.Lease/LeaseGrant", LeaseGrantRequest, LeaseGrantResponse)
