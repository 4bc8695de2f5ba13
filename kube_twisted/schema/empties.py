"""Empty lists that are always written: the original's storage does not tell them from null."""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.types import List, Map, Struct, Type


def null_empty_lists(kind: Type, value: Any) -> None:
    """Replace, in place, empty lists and maps of fields that are neither omitted nor pointers by null."""
    if isinstance(kind, Struct) and isinstance(value, dict):
        for name, field in kind.fields.items():
            inner = value.get(name)
            if inner:
                null_empty_lists(field.type, inner)
            elif inner is not None and isinstance(field.type, List | Map) and not (field.omit_empty or field.pointer):
                value[name] = None
    elif isinstance(kind, List) and isinstance(value, list):
        for item in value:
            null_empty_lists(kind.item, item)
    elif isinstance(kind, Map) and isinstance(value, dict):
        for item in value.values():
            null_empty_lists(kind.value, item)
