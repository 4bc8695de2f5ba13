"""Defaults of a schema, and what becomes of nulls.

Rules: the Kubernetes page "Extend the Kubernetes API with CustomResourceDefinitions", section "Defaulting and
Nullable".
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.jsonvalue import deep_copy
from kube_twisted.schema.structural.model import Structural


def default(value: Any, node: Structural) -> None:
    """Set what is missing, and nulls that may not be null, to the defaults; in place.

    This is done to requests, and to what is read from the store.
    """
    if not node.defaults_below:
        return
    if isinstance(value, dict):
        _default_fields(value, node)
    elif isinstance(value, list) and node.items is not None:
        for index, item in enumerate(value):
            if item is None and not node.items.nullable:
                item = value[index] = deep_copy(node.items.default)
            default(item, node.items)


def _default_fields(value: dict[str, Any], node: Structural) -> None:
    for key, child in node.properties.items():
        if child.default is not None and (key not in value or (value[key] is None and not child.nullable)):
            value[key] = deep_copy(child.default)
    for key, item in value.items():
        known = node.child(key)
        if known is None:
            continue
        if item is None and known is node.additional and not known.nullable:
            item = value[key] = deep_copy(known.default)
        if known.defaults_below:
            default(item, known)


def prune_nulls(value: Any, node: Structural | None) -> None:
    """Drop nulls of fields that are neither nullable nor have a default; in place."""
    if node is None:
        return
    if isinstance(value, dict):
        dropped = []
        for key, item in value.items():
            known = node.child(key)
            if known is None:
                continue
            if isinstance(item, (dict, list)):
                prune_nulls(item, known)
            elif item is None and not known.nullable and known.default is None:
                dropped.append(key)
        for key in dropped:
            del value[key]
    elif isinstance(value, list) and node.items is not None:
        for item in value:
            prune_nulls(item, node.items)
