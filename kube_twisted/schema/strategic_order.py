"""The order of lists after a strategic merge.

Items that the patch names stand in the order of the patch (or of ``$setElementOrder``), the others in the
order they had; both sequences are then merged, new items before old ones. Source: the design proposal
"Preserve Order in Strategic Merge Patch".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from kube_twisted.api.errors import plain_internal
from kube_twisted.api.jsonvalue import go_print, identity
from kube_twisted.schema.strategic_rules import no_merge_key, no_object

DIRECTIVE = "$patch"
DELETE = "delete"


def find(items: list[Any], key: str, value: Any) -> int:
    """The index of the first object whose ``key`` has this value, or -1.

    :raises StatusError: 500 when something else than an object comes first.
    """
    wanted = identity(value)
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            raise plain_internal(f"value for key {index} is not a map")
        if key in item and identity(item[key]) == wanted:
            return index
    return -1


def key_of(item: Any, key: str) -> Any:
    """The value of the merge key.

    :raises StatusError: 500 when there is none.
    """
    if not isinstance(item, dict):
        raise no_object(item)
    if key not in item:
        raise no_merge_key(item, key)
    return item[key]


def arrange(items: list[Any], order: list[Any], live: list[Any], key: str) -> list[Any]:
    """Put a merged list in order.

    :param order: the items that the patch names, in its order.
    :param live: the list before the patch.
    :param key: the merge key; empty for a list of scalars.
    """
    if key:
        named = [find(order, key, key_of(item, key)) >= 0 for item in items]
    else:
        known = set(map(identity, order))
        named = [identity(item) in known for item in items]
    patched = [item for item, is_named in zip(items, named, strict=True) if is_named]
    others = [item for item, is_named in zip(items, named, strict=True) if not is_named]
    positions = _positions(live, key)
    return _merged(_sorted(others, live, key), _sorted(patched, order, key), positions, key)


def _token(item: Any, key: str) -> Hashable:
    if not key:
        return identity(item)
    return identity(item.get(key) if isinstance(item, dict) else None)


def _positions(order: Iterable[Any], key: str) -> dict[Hashable, int]:
    positions: dict[Hashable, int] = {}
    for index, item in enumerate(order):
        positions.setdefault(_token(item, key), index)
    return positions


def _sorted(items: list[Any], order: list[Any], key: str) -> list[Any]:
    """Items in the order of ``order``, deleted ones last."""
    deleted: list[Any] = []
    if key:
        for item in (*items, *order):
            key_of(item, key)
        deleted = [item for item in items if item.get(DIRECTIVE) == DELETE]
        items = [item for item in items if item.get(DIRECTIVE) != DELETE]
    positions = _positions(order, key)
    tokens = [_token(item, key) for item in items]
    if positions.keys() >= set(tokens):
        return sorted(items, key=lambda item: positions[_token(item, key)]) + deleted
    return _inserted(items, [positions.get(token) for token in tokens]) + deleted


def _inserted(items: list[Any], places: list[int | None]) -> list[Any]:
    """Sort by insertion where not all places are known: an unknown one goes before whatever it meets."""
    result: list[tuple[int | None, Any]] = []
    for place, item in zip(places, items, strict=True):
        index = len(result)
        while index and _precedes(place, result[index - 1][0]):
            index -= 1
        result.insert(index, (place, item))
    return [item for _, item in result]


def _precedes(one: int | None, other: int | None) -> bool:
    return one is None or other is None or one < other


def _merged(others: list[Any], patched: list[Any], positions: dict[Hashable, int], key: str) -> list[Any]:
    """Merge both; where the old order does not say otherwise, what the patch names comes first."""
    result: list[Any] = []
    rest = list(reversed(others))
    for item in patched:
        place = positions.get(_token(item, key))
        while rest and place is not None:
            other = positions.get(_token(rest[-1], key))
            if other is None or other >= place:
                break
            result.append(rest.pop())
        result.append(item)
    return result + rest[::-1]


def check_order(patch: list[Any], order: list[Any], key: str) -> None:
    """The items of a patch's list must stand in ``$setElementOrder``, in the same order.

    :raises StatusError: 500 otherwise.
    """
    if not order or not patch:
        return
    waiting = [item for item in patch if not _has_directive(item)] if key else list(patch)
    index = 0
    for item in order:
        if index < len(waiting) and _equal(waiting[index], item, key):
            index += 1
    if index < len(waiting):
        raise plain_internal(f"The order in patch list:\n{go_print(patch)}\n doesn't match $setElementOrder "
                             f"list:\n{go_print(order)}\n")


def _has_directive(item: Any) -> bool:
    if not isinstance(item, dict):
        raise no_object(item)
    return DIRECTIVE in item


def _equal(one: Any, other: Any, key: str) -> bool:
    if key:
        return identity(key_of(one, key)) == identity(key_of(other, key))
    return identity(one) == identity(other)
