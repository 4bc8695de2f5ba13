"""Operations of the store as a transaction of etcd's, and its answer."""

from __future__ import annotations

from collections.abc import Sequence

from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.messages import (
    Compare,
    CompareTarget,
    DeleteRangeRequest,
    KeyValue,
    PutRequest,
    RangeRequest,
    RequestOp,
    TxnRequest,
    TxnResponse,
)
from kube_twisted.storage.interfaces import Check, Create, Delete, Entry, Operation, PreconditionFailed
from kube_twisted.storage.preconditions import first_mismatch

#: A revision that no key has.
_NEVER = -1


def request(keys: Keys, operations: Sequence[Operation], leases: dict[int, int]) -> TxnRequest:
    """The transaction; when it does not apply, its answer has what the keys hold.

    :param leases: the lease for each time to live.
    """
    return TxnRequest(
        tuple(Compare(CompareTarget.MOD, keys.stored(one.key), mod_revision=_required(one)) for one in operations),
        tuple(_write(keys, one, leases) for one in operations if not isinstance(one, Check)),
        tuple(RequestOp(request_range=RangeRequest(keys.stored(one.key))) for one in operations))


def _required(operation: Operation) -> int:
    if isinstance(operation, Create):
        return 0
    if isinstance(operation, Check):
        return operation.revision
    return operation.revision or _NEVER


def _write(keys: Keys, operation: Operation, leases: dict[int, int]) -> RequestOp:
    assert not isinstance(operation, Check)
    key = keys.stored(operation.key)
    if isinstance(operation, Delete):
        return RequestOp(request_delete_range=DeleteRangeRequest(key))
    lease = leases[operation.ttl] if operation.ttl else 0
    return RequestOp(request_put=PutRequest(key, operation.value, lease))


def failure(operations: Sequence[Operation], answer: TxnResponse) -> PreconditionFailed:
    """Why a transaction did not apply."""
    found: dict[str, Entry] = {}
    for operation, response in zip(operations, answer.responses, strict=True):
        if response.response_range is not None and response.response_range.kvs:
            found[operation.key] = entry(operation.key, response.response_range.kvs[0])

    def revision_of(key: str) -> int:
        return found[key].revision if key in found else 0

    index = first_mismatch(operations, revision_of)
    assert index is not None, "etcd says that one does not apply"
    return PreconditionFailed(index, found.get(operations[index].key))


def entry(key: str, value: KeyValue) -> Entry:
    """What a key holds, as the store shows it."""
    return Entry(key, value.value, value.mod_revision, value.create_revision)
