"""Which objects a list or watch is about: a scope of keys, and predicates over labels and fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kube_twisted.storage.cached import CachedObject

Predicate = Callable[[Mapping[str, str]], bool]
#: Values of the selectable fields of an object, metadata apart.
FieldsOf = Callable[[dict[str, Any]], dict[str, str]]


class Selection:
    """A filter over cached objects.

    :param namespace: only this namespace; empty for all.
    :param name: only the object of this name; empty for all.
    :param labels: a predicate over the labels, None for all.
    :param fields: a predicate over the selectable fields and ``metadata.name``/``metadata.namespace``, None for all.
    :param fields_of: computes the selectable fields of a parsed object.
    """

    __slots__ = ("_fields", "_fields_of", "_labels", "everything", "name", "namespace")

    def __init__(self, namespace: str = "", name: str = "", labels: Predicate | None = None,
                 fields: Predicate | None = None, fields_of: FieldsOf | None = None) -> None:
        self.namespace = namespace
        self.name = name
        self._labels = labels
        self._fields = fields
        self._fields_of = fields_of
        #: whether every object in the namespace is meant
        self.everything = not name and labels is None and fields is None

    def matches(self, item: CachedObject) -> bool:
        """Whether the object is meant; its namespace is looked at too."""
        if self.namespace and item.namespace != self.namespace:
            return False
        return self.everything or self.matches_content(item)

    def matches_content(self, item: CachedObject) -> bool:
        """Like :meth:`matches` for an object known to be in the namespace."""
        if self.name and item.name != self.name:
            return False
        if self._labels is not None and not self._labels(item.labels):
            return False
        return self._fields is None or self._fields(self._field_values(item))

    def _field_values(self, item: CachedObject) -> dict[str, str]:
        known = item.fields
        if known is not None and known[0] == self._fields_of:
            return known[1]
        fields = self._fields_of(item.parse()) if self._fields_of is not None else {}
        fields = {**fields, "metadata.name": item.name, "metadata.namespace": item.namespace}
        item.fields = self._fields_of, fields
        return fields
