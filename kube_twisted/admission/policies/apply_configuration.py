"""Lays ``Object{...}`` over an object, as server-side apply does (KEP-3962); who owns the fields is not noted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kube_twisted.admission.expressions.inputs import Inputs
from kube_twisted.admission.policies.patched import Patched, PatchFailed, TypeOf
from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.mutation import misplaced, native
from kube_twisted.schema.apply.elements import ElementError
from kube_twisted.schema.apply.merge import copied, merge
from kube_twisted.schema.apply.plan import ListNode, MapNode, Node, ScalarNode
from kube_twisted.schema.apply.typecheck import misfits, summary


def apply_configuration(value: Any, inputs: Inputs, type_of: TypeOf) -> Patched:
    """The object with the fields of ``value``.

    :raises PatchFailed: when they don't fit its type, or would replace a whole that must not be replaced.
    :raises StatusError: 503 when the type is not known.
    """
    complaints = misplaced(value)
    if complaints:
        raise PatchFailed("type mismatch: " + "\n".join(complaints))
    assert inputs.obj is not None
    kind = inputs.kind
    if inputs.attributes.operation == "CONNECT":
        raise PatchFailed("error applying patch: failed to convert patch object to typed object: "
                          f"no corresponding type for {_named(kind)}")
    node = type_of(kind)
    if node is None:
        raise errors.service_unavailable(
            f"Resource kind {_named(kind)} not found. There can be a delay between when CustomResourceDefinitions are "
            "created and when they are available.")
    try:
        patch = {**native(value), "apiVersion": kind.api_version, "kind": kind.kind}
        return Patched(_merged(node, inputs, patch), strict=False)
    except (CelError, ElementError) as error:
        raise PatchFailed(f"error applying patch: {error}") from None


def _merged(node: MapNode, inputs: Inputs, patch: dict[str, Any]) -> Any:
    found = misfits(node, patch)
    if found:
        raise PatchFailed(f"error applying patch: failed to convert patch object to typed object: {summary(found)}")
    atomic = list(_atomic(node, patch, ""))
    if atomic:
        raise PatchFailed("error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or "
                          f"structs: {', '.join(atomic)}")
    found = misfits(node, inputs.obj, allow_repeated=True)
    if found:
        raise PatchFailed(f"error applying patch: failed to convert original object to typed object: {summary(found)}")
    return copied(merge(node, inputs.obj, patch))


def _atomic(node: Node, value: Any, path: str) -> Iterator[str]:
    """The paths of what has values that can only be replaced as a whole, so that their other fields would be lost."""
    if isinstance(value, dict):
        if isinstance(node, MapNode):
            if node.leaf:
                yield path
            for name, one in value.items():
                known = node.fields.get(name)
                if known is not None:
                    yield from _atomic(known[1], one, f"{path}.{name}")
        elif isinstance(node, ScalarNode) and node.kind == "any":
            yield path
    elif isinstance(value, list):
        if isinstance(node, ListNode):
            if node.leaf:
                yield path
            for index, one in enumerate(value):
                yield from _atomic(node.item, one, f"{path}[{index}]")
        elif not isinstance(node, ScalarNode) or node.kind == "any":
            yield path


def _named(kind: GroupVersionKind) -> str:
    return f"{kind.group}/{kind.version}, Kind={kind.kind}"
