"""The shape of Kubernetes types: what decoding, patches, defaulting and field ownership ask about a field.

A tree of these is what both built-in kinds and custom resources are described by. Values are plain JSON
data (dict, list, str, int, float, bool, None); a type never wraps a value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from attrs import define, field

#: How a scalar is decoded; the Go type that the original decodes into.
ScalarKind = Literal[
    "string", "bool", "int32", "int64", "float64", "quantity", "int-or-string", "time", "micro-time", "duration",
    "bytes",
]


@define(eq=False)
class Type:
    """Base of all types."""


@define(eq=False)
class Scalar(Type):
    """A leaf."""

    kind: ScalarKind


@define(eq=False)
class Untyped(Type):
    """Any JSON value, kept as it is (RawExtension, JSON, FieldsV1): one leaf for field ownership."""


@define(eq=False)
class Map(Type):
    """A map from strings to values of one type.

    :ivar atomic: the map is owned and replaced as a whole (``x-kubernetes-map-type: atomic``).
    """

    value: Type
    atomic: bool = False


@define(eq=False)
class List(Type):
    """A list.

    :ivar relation: ``x-kubernetes-list-type``: how server-side apply merges it.
    :ivar keys: the key fields of a ``map`` list.
    :ivar key_defaults: values of key fields that may be left out, such as ``{"protocol": "TCP"}``.
    """

    item: Type
    relation: Literal["atomic", "set", "map"] = "atomic"
    keys: tuple[str, ...] = ()
    key_defaults: dict[str, Any] = field(factory=dict)


@define(eq=False)
class Field:
    """One field of a struct, with the flags of the Go field that the original decodes into.

    :ivar pointer: a Go pointer: a zero value is kept.
    :ivar omit_empty: left out of the output when empty.
    :ivar omit_zero: left out when the struct is zero (``creationTimestamp``).
    :ivar patch_strategy: of strategic merge patch, any of ``merge``, ``replace``, ``retainKeys``.
    :ivar patch_merge_key: the key of strategic merge lists of objects.
    """

    name: str
    type: Type
    pointer: bool = False
    omit_empty: bool = True
    omit_zero: bool = False
    patch_strategy: tuple[str, ...] = ()
    patch_merge_key: str = ""
    default: Any = None


@define(eq=False)
class Struct(Type):
    """An object with known fields.

    :ivar name: the definition's name, such as ``io.k8s.api.core.v1.PodSpec``.
    :ivar go_name: as Go error messages name it, such as ``PodSpec``; ``go_type`` is with its package, ``v1.PodSpec``.
    :ivar atomic: owned as a whole (``x-kubernetes-map-type: atomic``).
    """

    name: str
    go_name: str = ""
    go_type: str = ""
    atomic: bool = False
    load: Callable[[], dict[str, Field]] | None = field(default=None, repr=False)
    _fields: dict[str, Field] | None = field(default=None, repr=False)

    @property
    def fields(self) -> dict[str, Field]:
        """The fields by JSON name in Go order, made on first use: types are recursive and mostly never touched."""
        if self._fields is None:
            self._fields = self.load() if self.load is not None else {}
        return self._fields
