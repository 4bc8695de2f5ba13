"""Lists and maps of devices and requests: limits of size, items, uniqueness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kube_twisted.api.field import FieldError, duplicate, too_many

Check = Callable[[str, Any], list[FieldError]]


def validate_items(path: str, items: list[Any], maximum: int, check: Check) -> list[FieldError]:
    """Not more than ``maximum`` items (a negative one is no limit), every one of them valid."""
    if 0 <= maximum < len(items):
        return [too_many(path, len(items), maximum)]
    return [error for index, item in enumerate(items) for error in check(f"{path}[{index}]", item)]


def validate_set(path: str, items: list[Any], maximum: int, check: Check,
                 key: Callable[[Any], Any] = lambda item: item) -> list[FieldError]:
    """As :func:`validate_items`, and no two items with the same key."""
    if 0 <= maximum < len(items):
        return [too_many(path, len(items), maximum)]
    errors = validate_items(path, items, -1, check)
    keys = [key(item) for item in items]
    return errors + [duplicate(f"{path}[{index}]", one) for index,
                     one in enumerate(keys) if one in keys[:index]]


def validate_map(path: str, items: dict[str, Any], maximum: int, check_key: Check,
                 check: Check, longest: int = 63) -> list[FieldError]:
    """Keys and values; a bad key is reported at the map, a bad value at its key.

    :param longest: how much of a key is shown in a path.
    """
    if 0 <= maximum < len(items):
        return [too_many(path, len(items), maximum)]
    errors: list[FieldError] = []
    for name, item in sorted(items.items()):
        errors += check_key(path, name) + check(f"{path}[{_shortened(name, longest)}]", item)
    return errors


def _shortened(key: str, longest: int) -> str:
    """A key with its middle left out if it is too long."""
    if len(key) <= longest:
        return key
    left = longest - len("...")
    return f"{key[:(left + 1) // 2]}...{key[len(key) - left // 2:]}"
