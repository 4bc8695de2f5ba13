"""Pruning of a schema's own defaults: a default sets no fields that nobody could send."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from kube_twisted.api.jsonvalue import deep_copy, same
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.structural.objectmeta import coerce_embedded
from kube_twisted.schema.structural.pruning import prune
from kube_twisted.schema.structural.surroundings import Steps, inside, surround
from kube_twisted.schema.types import Struct


def prune_defaults(root: Structural, meta: Struct) -> Structural:
    """The schema of a resource with defaults that have no unknown fields; the same object if none has.

    :param meta: the struct of ``io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta``.
    """
    return _pruned(root, (), evolve(root, embedded=True, embedded_below=True), meta)


def _pruned(node: Structural, steps: Steps, root: Structural, meta: Struct) -> Structural:
    changes: dict[str, Any] = {}
    if node.default is not None:
        default = _known(node.default, steps, root, meta)
        if not same(default, node.default):
            changes["default"] = default
    if not node.defaults_below:
        return evolve(node, **changes) if changes else node
    for name, child, step in (("additional", node.additional, "*"), ("items", node.items, None)):
        below = None if child is None else _pruned(child, (*steps, step), root, meta)
        if below is not child:
            changes[name] = below
    properties = {key: _pruned(child, (*steps, key), root, meta) for key, child in node.properties.items()}
    if any(properties[key] is not child for key, child in node.properties.items()):
        changes["properties"] = properties
    return evolve(node, **changes) if changes else node


def _known(default: Any, steps: Steps, root: Structural, meta: Struct) -> Any:
    """What is left of a default in an object of its own."""
    obj = surround(deep_copy(default), steps)
    coerce_embedded(obj, root, meta, drop_invalid=True)
    prune(obj, root, is_resource=True)
    return inside(obj, steps)
