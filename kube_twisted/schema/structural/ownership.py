"""The types of a custom kind for field ownership (server-side apply), as its schema says how things merge.

Rules: the Kubernetes page "Server-Side Apply", section "Merge strategy"; kube-openapi's ``pkg/schemaconv``.
"""

from __future__ import annotations

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.schema.apply.open import Deduced, OpenStruct
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.types import Field, List, Map, Scalar, Struct, Type, Untyped

_STRING = Scalar("string")
#: Any scalar fits: what a text with a format counts as.
_ANY_SCALAR = Scalar("quantity")
_SCALARS = {"integer": Scalar("int64"), "number": Scalar("float64"), "boolean": Scalar("bool")}


def ownership(node: Structural, gvk: GroupVersionKind, meta: Struct) -> Struct:
    """The struct of a custom kind in one version.

    :param meta: the struct of ``io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta``.
    """
    name = f"{'.'.join(reversed(gvk.group.split('.')))}.{gvk.version}.{gvk.kind}"
    return _Types(meta).struct(node, name, gvk.kind, node.preserve, whole=True)


class _Types:
    """Makes types; ``open_`` says that unknown fields are kept, which everything below inherits."""

    def __init__(self, meta: Struct) -> None:
        self._whole = {"apiVersion": _field("apiVersion", _STRING), "kind": _field("kind", _STRING),
                       "metadata": Field("metadata", meta)}

    def of(self, node: Structural, open_: bool) -> Type:
        open_ = open_ or node.preserve
        match node.type:
            case "object":
                return self._object(node, open_)
            case "array":
                return self._list(node, open_)
            case "string":
                return _STRING if node.schema.get("format", "") in ("", "byte") else _ANY_SCALAR
            case "":
                return self._object(node, open_) if node.properties or node.additional is not None else Deduced()
        return _SCALARS[node.type]

    def _object(self, node: Structural, open_: bool) -> Type:
        if node.properties or node.embedded or (node.keeps_additional and not _allows_additional(node)):
            return self.struct(node, "", "", open_, whole=node.embedded)
        return Map(self._rest(node, open_) or Deduced(), node.map_type == "atomic")

    def struct(self, node: Structural, name: str, go_name: str, open_: bool, *, whole: bool) -> Struct:
        """An object with fields; a whole one has an apiVersion, a kind and metadata, whatever the schema says."""
        def load() -> dict[str, Field]:
            known = {key: _field(key, self.of(child, open_)) for key, child in node.properties.items()}
            return {**known, **self._whole} if whole else known

        atomic = node.map_type == "atomic"
        rest = self._rest(node, open_ or not (node.properties or whole))
        if rest is None:
            return Struct(name, go_name=go_name, atomic=atomic, load=load)
        return OpenStruct(name, go_name=go_name, atomic=atomic, load=load, rest=rest)

    def _rest(self, node: Structural, open_: bool) -> Type | None:
        """The type of fields that are not named; None if there can't be any."""
        if node.additional is not None:
            return self.of(node.additional, open_)
        if node.keeps_additional:
            return Deduced() if _allows_additional(node) else None
        return Deduced() if open_ else None

    def _list(self, node: Structural, open_: bool) -> List:
        if node.items is None:
            return List(Untyped())
        item = self.of(node.items, open_)
        if node.list_type == "set":
            return List(item, "set")
        if node.list_type == "map":
            known = node.items.properties
            defaults = {key: known[key].default for key in node.list_keys
                        if key in known and known[key].default is not None}
            return List(item, "map", node.list_keys, defaults)
        return List(item)


def _allows_additional(node: Structural) -> bool:
    return node.schema.get("additionalProperties") is not False


def _field(name: str, type_: Type) -> Field:
    return Field(name, type_, pointer=True)
