"""Sets and map lists: no item, and no key, comes twice (``x-kubernetes-list-type``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kube_twisted.api.field import FieldError, duplicate, invalid
from kube_twisted.api.jsonvalue import identity
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.structural.shown import shown


def validate_lists(obj: Any, node: Structural, old: Any = None) -> list[FieldError]:
    """All that comes twice.

    :param old: the stored object; if that one has duplicates, the new one may.
    """
    errors = list(_errors("", obj, node))
    if errors and old is not None and any(_errors("", old, node)):
        return []
    return errors


def _errors(path: str, value: Any, node: Structural) -> Iterator[FieldError]:
    if isinstance(value, dict):
        for key, item in value.items():
            known = node.child(key)
            if known is not None and known.lists_below:
                here = f"{path}[{key}]" if known is node.additional else f"{path}.{key}" if path else key
                yield from _errors(here, item, known)
    elif isinstance(value, list):
        if node.list_type == "set":
            yield from (duplicate(f"{path}[{index}]", shown(value[index])) for index in _repeated(value))
        elif node.list_type == "map":
            yield from _map_errors(path, value, node.list_keys)
        if node.items is not None and node.items.lists_below:
            for index, item in enumerate(value):
                yield from _errors(f"{path}[{index}]", item, node.items)


def _map_errors(path: str, value: list[Any], keys: Sequence[str]) -> Iterator[FieldError]:
    for index, item in enumerate(value):
        if item is not None and not isinstance(item, dict):
            yield invalid(f"{path}[{index}]", shown(item), "must be an object for an array of list-type map")
            return
    found = [{key: item[key] for key in keys if key in item} if item else {} for item in value]
    for index in _repeated(found):
        yield duplicate(f"{path}[{index}]", shown(found[index]))


def _repeated(items: Sequence[Any]) -> Iterator[int]:
    """Where something comes for the second time."""
    seen: dict[Any, int] = {}
    for index, item in enumerate(items):
        key = identity(item)
        times = seen[key] = seen.get(key, 0) + 1
        if times == 2:
            yield index
