"""A structural schema, compiled once per version of a CustomResourceDefinition into a tree for walking objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from kube_twisted.schema.structural.checks import Checks

Schema = Mapping[str, Any]


@frozen(eq=False)
class Structural:
    """One node.

    :ivar schema: the ``openAPIV3Schema`` that the node was compiled from.
    :ivar properties: by name.
    :ivar items: of a list.
    :ivar additional: the node of the values of other keys; None if ``additionalProperties`` is absent or a bool.
    :ivar keeps_additional: whether ``additionalProperties`` is there, whatever it says: other keys are not pruned.
    :ivar preserve: ``x-kubernetes-preserve-unknown-fields``.
    :ivar embedded: ``x-kubernetes-embedded-resource``: a whole object with its own metadata.
    :ivar default: None if there is none.
    :ivar list_type: ``atomic``, ``set``, ``map`` or "".
    :ivar list_keys: of a ``map`` list.
    :ivar map_type: ``granular``, ``atomic`` or "".
    :ivar defaults_below: whether anything below the node has a default.
    :ivar lists_below: whether the node, or anything below it, is a set or a map list.
    :ivar embedded_below: whether the node, or anything below it, is an embedded resource.
    :ivar checks: the validations of values, of the node and of all below.
    """

    schema: Schema
    type: str
    properties: Mapping[str, Structural]
    items: Structural | None
    additional: Structural | None
    keeps_additional: bool
    preserve: bool
    embedded: bool
    int_or_string: bool
    nullable: bool
    default: Any
    list_type: str
    list_keys: tuple[str, ...]
    map_type: str
    defaults_below: bool
    lists_below: bool
    embedded_below: bool
    checks: Checks = field(repr=False)

    def child(self, key: str) -> Structural | None:
        """The node of the value of a key; None if the schema says nothing about it."""
        known = self.properties.get(key)
        return self.additional if known is None else known


def compile_schema(schema: Schema) -> Structural:
    """Compile an ``openAPIV3Schema`` that is structural, or any schema inside it."""
    properties = {name: compile_schema(one) for name, one in (schema.get("properties") or {}).items()}
    items = schema.get("items")
    additional = schema.get("additionalProperties")
    item_node = compile_schema(items) if isinstance(items, Mapping) else None
    value_node = compile_schema(additional) if isinstance(additional, Mapping) else None
    below = [*properties.values(), *(one for one in (item_node, value_node) if one is not None)]
    list_type, embedded = schema.get("x-kubernetes-list-type") or "", _flag(schema, "x-kubernetes-embedded-resource")
    return Structural(
        schema=schema, type=schema.get("type") or "", properties=properties, items=item_node, additional=value_node,
        keeps_additional=additional is not None, preserve=_flag(schema, "x-kubernetes-preserve-unknown-fields"),
        embedded=embedded, int_or_string=_flag(schema, "x-kubernetes-int-or-string"),
        nullable=_flag(schema, "nullable"), default=schema.get("default"), list_type=list_type,
        list_keys=tuple(schema.get("x-kubernetes-list-map-keys") or ()),
        map_type=schema.get("x-kubernetes-map-type") or "",
        defaults_below=any(one.defaults_below or one.default is not None for one in below),
        lists_below=list_type in ("set", "map") or any(one.lists_below for one in below),
        embedded_below=embedded or any(one.embedded_below for one in below), checks=Checks(schema))


def _flag(schema: Schema, key: str) -> bool:
    return bool(schema.get(key))
