"""Types made ready for walking objects: a node per type, with the path element of every field.

Nodes are made on first use, because types are recursive and mostly never touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from kube_twisted.api.field import go_quote
from kube_twisted.schema.apply.elements import ElementError, json_text, key_element, scalar_text, value_element
from kube_twisted.schema.apply.fieldset import SELF, FieldSet
from kube_twisted.schema.apply.open import Deduced, OpenStruct
from kube_twisted.schema.shapes import Keys, Shapes
from kube_twisted.schema.types import List, Map, Scalar, Struct, Type, Untyped


class Node:
    """What walkers ask about a type.

    :ivar leaf: the value is owned as a whole: scalars, atomic lists, maps and structs, untyped values.
    """

    __slots__ = ("leaf",)

    def __init__(self, leaf: bool) -> None:
        self.leaf = leaf


class ScalarNode(Node):
    """A scalar.

    :ivar kind: as in the type; ``any`` for values that are not looked into.
    """

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        super().__init__(leaf=True)
        self.kind = kind


class Shape(NamedTuple):
    """What is known of objects of one type from their keys alone.

    :ivar fields: name, path element and node of each known key, sorted.
    :ivar below: those of them that may have something below.
    :ivar blank: the set of an object whose fields have nothing below, itself included.
    """

    fields: tuple[tuple[str, str, Node], ...]
    below: tuple[tuple[str, str, Node], ...]
    blank: FieldSet


class MapNode(Node):
    """An object: named fields, and the node of all other keys (None: there are none).

    :ivar shapes: by the keys of an object.
    """

    __slots__ = ("_fields", "_hidden", "_load", "deduced", "rest", "shapes")

    def __init__(self, load: Callable[[], dict[str, tuple[str, Node]]], rest: Node | None,
                 atomic: bool = False, hidden: frozenset[str] = frozenset()) -> None:
        super().__init__(leaf=atomic)
        self._hidden = hidden
        self._load = load
        self._fields: dict[str, tuple[str, Node]] | None = None
        self.rest = rest
        self.deduced = False
        self.shapes = Shapes(self._shape)

    @property
    def fields(self) -> dict[str, tuple[str, Node]]:
        """Name to path element and node."""
        if self._fields is None:
            self._fields = self._load()
        return self._fields

    def child(self, name: str) -> tuple[str, Node] | None:
        """The path element and the node of a key; None if there is no such field."""
        known = self.fields.get(name)
        if known is None and self.rest is not None and name not in self._hidden:
            return f"f:{name}", self.rest
        return known

    def _shape(self, keys: Keys) -> Shape:
        known = [(name, *child) for name in sorted(keys) if (child := self.child(name)) is not None]
        return Shape(tuple(known), tuple(one for one in known if not one[2].leaf),
                     {SELF: {}, **{element: {} for _, element, _ in known}})

    def excluding(self, *paths: tuple[str, ...]) -> MapNode:
        """The same object without the fields at the paths given, as if there could be no such fields."""
        hidden = self._hidden.union(path[0] for path in paths if len(path) == 1)
        return MapNode(lambda: self._without(paths), self.rest, self.leaf, hidden)

    def _without(self, paths: tuple[tuple[str, ...], ...]) -> dict[str, tuple[str, Node]]:
        fields = dict(self.fields)
        below: dict[str, list[tuple[str, ...]]] = {}
        for path in paths:
            if len(path) == 1:
                fields.pop(path[0], None)
            else:
                below.setdefault(path[0], []).append(path[1:])
        for name, inner in below.items():
            element, node = fields.get(name, ("", None))
            if isinstance(node, MapNode):
                fields[name] = element, node.excluding(*inner)
        return fields


class ListNode(Node):
    """A list.

    :ivar relation: ``atomic``, ``set`` or ``map``.
    :ivar keys: of a ``map`` list, sorted.
    """

    __slots__ = ("_names", "defaults", "item", "keys", "relation")

    def __init__(self, item: Node, relation: str, keys: Iterable[str] = (),
                 defaults: dict[str, Any] | None = None) -> None:
        super().__init__(leaf=relation == "atomic")
        self.item = item
        self.relation = relation
        self.keys = tuple(keys)
        self.defaults = {key: value for key, value in (defaults or {}).items() if value is not None}
        self._names = tuple(sorted(self.keys))

    def element(self, item: Any) -> str:
        """The path element of an item of a ``set`` or ``map`` list.

        :raises ElementError: if the item has the wrong type or none of the keys.
        """
        if self.relation == "set":
            return value_element(item)
        try:
            values = [item[key] for key in self._names]
            if values:
                return key_element(self._names, *values)
        except (KeyError, TypeError):
            pass
        return self._unusual_element(item)

    def _unusual_element(self, item: Any) -> str:
        """The element of an item without some of the keys, or with keys that are no scalars."""
        if not isinstance(item, dict):
            raise ElementError("associative list with keys may not have " + (
                "a null element" if item is None else "non-map elements"))
        texts = [f"{json_text(key)}:{_key_text(item[key] if key in item else self.defaults[key])}"
                 for key in self._names if key in item or key in self.defaults]
        if not texts:
            quoted = " ".join(map(go_quote, self.keys))
            raise ElementError("associative list with keys has an element that omits all key fields "
                               f"[{quoted}] (and doesn't have default values for any key fields)")
        return "k:{" + ",".join(texts) + "}"


def _key_text(value: Any) -> str:
    return json_text(value) if isinstance(value, (dict, list)) else scalar_text(value)


class Plans:
    """Makes and keeps the nodes of types; share one to share the nodes of types that several kinds use."""

    def __init__(self) -> None:
        self._nodes: dict[int, tuple[Type, Node]] = {}
        self._deduced = MapNode(dict, None)
        self._deduced.rest = self._deduced
        self._deduced.deduced = True

    def of(self, type_: Type) -> Node:
        """The node of a type."""
        known = self._nodes.get(id(type_))
        if known is None:
            known = self._nodes[id(type_)] = (type_, self._make(type_))
        return known[1]

    def root(self, struct: Struct) -> MapNode:
        """The node of a kind."""
        node = self.of(struct)
        assert isinstance(node, MapNode), struct
        return node

    def _make(self, type_: Type) -> Node:
        if isinstance(type_, Scalar):
            return ScalarNode(type_.kind)
        if isinstance(type_, Deduced):
            return self._deduced
        if isinstance(type_, Untyped):
            return ScalarNode("any")
        if isinstance(type_, Map):
            return MapNode(dict, self.of(type_.value), type_.atomic)
        if isinstance(type_, List):
            return ListNode(self.of(type_.item), type_.relation, type_.keys, type_.key_defaults)
        assert isinstance(type_, Struct), type_
        rest = self.of(type_.rest) if isinstance(type_, OpenStruct) else None
        return MapNode(lambda: self._fields(type_), rest, type_.atomic)

    def _fields(self, struct: Struct) -> dict[str, tuple[str, Node]]:
        return {name: (f"f:{name}", self.of(field.type)) for name, field in struct.fields.items()}
