"""Pruning: what the schema does not know is dropped from an object.

Rules: the Kubernetes page "Extend the Kubernetes API with CustomResourceDefinitions", section "Field pruning".
"""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.structural.model import Structural

#: What every whole object has, whether its schema says so or not.
META_FIELDS = ("apiVersion", "kind", "metadata")


def prune(obj: Any, node: Structural | None, *, is_resource: bool) -> list[str]:
    """Drop unknown fields, in place.

    :param is_resource: the value is a whole object: its apiVersion, kind and metadata are not looked at.
    :returns: the paths of what was dropped, sorted: ``spec.list[0].x``. The three fields above are dropped without
        a word at the top of other values.
    """
    unknown: list[str] = []
    if isinstance(obj, dict) and (node is None or not node.preserve):
        _prune_object(obj, node, "", unknown, is_resource)
    elif isinstance(obj, dict) and node is not None:
        _prune_known(obj, node, "", unknown, is_resource)
    else:
        _prune(obj, node, "", unknown)
    return sorted(unknown)


def _prune(value: Any, node: Structural | None, path: str, unknown: list[str]) -> None:
    if isinstance(value, dict):
        if node is not None and node.preserve:
            _prune_known(value, node, path, unknown, node.embedded)
        else:
            _prune_object(value, node, path, unknown, node is not None and node.embedded)
    elif isinstance(value, list):
        preserving = node is not None and node.preserve
        items = None if node is None else node.items
        if not (preserving and items is None):
            _prune_items(value, items, path, unknown, preserving)


def _prune_object(value: dict[str, Any], node: Structural | None, path: str, unknown: list[str],
                  is_resource: bool) -> None:
    dropped = []
    for key, item in value.items():
        if is_resource and key in META_FIELDS:
            continue
        child = None if node is None else node.properties.get(key)
        if child is None and (node is None or not node.keeps_additional):
            dropped.append(key)
        elif isinstance(item, (dict, list)):
            _prune(item, child or (node.additional if node else None), _below(path, key), unknown)
    for key in dropped:
        if path or key not in META_FIELDS or node is None:
            unknown.append(_below(path, key))
        del value[key]


def _prune_known(value: dict[str, Any], node: Structural, path: str, unknown: list[str], is_resource: bool) -> None:
    """Prune inside of the fields that the schema describes; the others are kept whole."""
    for key, item in value.items():
        if isinstance(item, (dict, list)) and not (is_resource and key in META_FIELDS):
            child = node.properties.get(key)
            if child is not None or node.keeps_additional:
                _prune(item, child or node.additional, _below(path, key), unknown)


def _prune_items(value: list[Any], items: Structural | None, path: str, unknown: list[str],
                 preserving: bool) -> None:
    for index, item in enumerate(value):
        here = f"{path}[{index}]"
        if not preserving:
            _prune(item, items, here, unknown)
        elif isinstance(item, dict) and items is not None:
            _prune_known(item, items, here, unknown, items.embedded)
        elif isinstance(item, list) and items is not None and items.items is not None:
            _prune_items(item, items.items, here, unknown, True)


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
