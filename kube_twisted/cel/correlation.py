"""Old values beside new ones: what was where an element or field is now, and whether it has changed (KEP-4008)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kube_twisted.cel.schema_types import Schema

Key = str | int


class Correlation:
    """A value with the value that it replaces. Comparisons are remembered."""

    def __init__(self, value: Any, old: Any, schema: Schema) -> None:
        self.value = value
        self.old = old
        self.schema = schema
        self._children: dict[Key, Correlation | None] = {}
        self._equal: bool | None = None
        self._old_elements: OldElements | None = None

    def field(self, name: str) -> Correlation | None:
        """That of a field or of a map's entry; None when there is nothing to compare it with."""
        if name not in self._children:
            self._children[name] = self._field(name)
        return self._children[name]

    def _field(self, name: str) -> Correlation | None:
        if not isinstance(self.value, dict) or not isinstance(self.old, dict):
            return None
        below = (self.schema.get("properties") or {}).get(name) or self.schema.get("additionalProperties")
        if name not in self.value or name not in self.old or not isinstance(below, Mapping):
            return None
        return Correlation(self.value[name], self.old[name], below)

    def element(self, index: int) -> Correlation | None:
        """That of a list's element, which only lists of type map can find again."""
        if index not in self._children:
            self._children[index] = self._element(index)
        return self._children[index]

    def _element(self, index: int) -> Correlation | None:
        items = self.schema.get("items")
        if not isinstance(self.value, list) or not items:
            return None
        if self._old_elements is None:
            self._old_elements = OldElements(self.schema, self.old)
        old = self._old_elements.find(self.value[index])
        return None if old is None else Correlation(self.value[index], old, items)

    def unchanged(self) -> bool:
        """Whether the value equals the old one; lists of type map may be in another order."""
        if self._equal is None:
            self._equal = self._compare()
        return self._equal

    def _compare(self) -> bool:
        if isinstance(self.value, dict) and isinstance(self.old, dict):
            return len(self.value) == len(self.old) and all(
                (child := self.field(name)) is not None and child.unchanged() for name in self.value)
        if isinstance(self.value, list) and isinstance(self.old, list):
            if self.schema.get("x-kubernetes-list-type") != "map":
                return _identical(self.value, self.old)
            return len(self.value) == len(self.old) and all(
                (child := self.element(index)) is not None and child.unchanged() for index in range(len(self.value)))
        return self.value is not None and self.old is not None and _identical(self.value, self.old)


class OldElements:
    """The elements of an old list of type map, by their keys; of any other list none."""

    def __init__(self, schema: Schema, old: Any) -> None:
        is_map = schema.get("x-kubernetes-list-type") == "map" and isinstance(old, list)
        self._keys: list[str] = schema.get("x-kubernetes-list-map-keys") or []
        self._found: dict[Any, Any] = {}
        for element in old if is_map and self._keys else ():
            self._found.setdefault(self._key(element), element)
        self._found.pop(None, None)

    def _key(self, element: Any) -> Any:
        """The values of all keys; None when one is missing or no scalar."""
        if not isinstance(element, dict):
            return None
        values = [element.get(name) for name in self._keys]
        if not all(isinstance(one, (bool, int, float, str)) for one in values):
            return None
        return tuple((type(one), one) for one in values)

    def find(self, element: Any) -> Any:
        """The old element with the same keys; None when there is none."""
        return self._found.get(self._key(element))


def _identical(first: Any, second: Any) -> bool:
    """Equality of JSON that tells ``true`` from ``1``, and ``1`` from ``1.0``."""
    if type(first) is not type(second):
        return False
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(_identical(one, second[name]) for name, one in first.items())
    if isinstance(first, list):
        return len(first) == len(second) and all(map(_identical, first, second))
    return bool(first == second)
