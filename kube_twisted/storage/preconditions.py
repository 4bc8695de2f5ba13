"""What a transaction requires of the keys that it touches; the same rules for every backend."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kube_twisted.storage.interfaces import Check, Create, Operation

#: The most operations that one transaction of a store of its own may have.
MAX_OPERATIONS = 4096


def require_sound(operations: Sequence[Operation], most: int = MAX_OPERATIONS) -> None:
    """Refuse what no state of the store could make right.

    :param most: how many operations the store takes at a time.
    :raises ValueError: no operations, too many, two that write the same key, or a key with half a character.
    """
    for operation in operations:
        if not operation.key.isascii():
            operation.key.encode()
    if len(operations) == 1:
        return
    if not 0 < len(operations) <= most:
        raise ValueError(f"a transaction has 1 to {most} operations, not {len(operations)}")
    written = [operation.key for operation in operations if not isinstance(operation, Check)]
    if len(set(written)) != len(written):
        raise ValueError("a transaction may write a key only once")


def first_mismatch(operations: Sequence[Operation], revision_of: Callable[[str], int]) -> int | None:
    """The index of the first operation that does not apply; None when all do.

    :param revision_of: the last revision of a key, 0 when it does not exist.
    """
    for index, operation in enumerate(operations):
        if not _applies(operation, revision_of(operation.key)):
            return index
    return None


def _applies(operation: Operation, revision: int) -> bool:
    if isinstance(operation, Create):
        return revision == 0
    if isinstance(operation, Check):
        return revision == operation.revision
    return revision == operation.revision != 0
