"""Types that a schema declares: what an expression may do with a value, and how large the value may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen

from kube_twisted.cel.costs.estimate import Path, Sizes
from kube_twisted.cel.costs.ranges import Range
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.parser import RESERVED
from kube_twisted.cel.types import Type, list_of, map_of, struct

_UNNAMED = "object"


@frozen(eq=False)
class DeclaredType:
    """A type with bounds.

    :ivar fields: escaped name -> type, of an object; None for anything else.
    :ivar max_elements: the greatest length of a text, list or map.
    :ivar min_size: the fewest bytes that a value takes as JSON.
    """

    type: Type
    fields: Mapping[str, DeclaredType] | None = None
    key: DeclaredType | None = None
    element: DeclaredType | None = None
    max_elements: int = 0
    min_size: int = 2

    def named(self, name: str) -> DeclaredType:
        """The same with names for the object types in it, made from their places."""
        if self.fields is not None:
            own = name if self.type.name == _UNNAMED else self.type.name
            fields = {one: held.named(f"{own}.{one}") for one, held in self.fields.items()}
            return evolve(self, type=struct(own), fields=fields)
        if self.element is None:
            return self
        element = self.element.named(f"{name}.{'@elem' if self.key else '@idx'}")
        return evolve(self, element=element,
                      type=map_of(self.key.type, element.type) if self.key else list_of(element.type))

    def objects(self) -> Iterator[DeclaredType]:
        """The object types in it, itself included."""
        if self.fields is not None:
            yield self
            for held in self.fields.values():
                yield from held.objects()
        elif self.element is not None:
            yield from self.element.objects()

    def sizes(self) -> Sizes:
        """Sizes by path. Whatever the path's variable is, it is taken for a value of this type."""
        return self._size_at

    def _size_at(self, path: Path) -> Range | None:
        current = self
        for step in path[1:]:
            if step in ("@items", "@values"):
                found = current.element
            elif step == "@keys":
                found = current.key
            else:
                found = (current.fields or {}).get(step)
            if found is None:
                return None
            current = found
        return Range(0, current.max_elements)


@frozen(eq=False)
class DeclaredTypes:
    """The object types of a schema, for the environment."""

    _types: Mapping[str, DeclaredType] = field(alias="types")

    @classmethod
    def of(cls, *roots: DeclaredType) -> DeclaredTypes:
        return cls({one.type.name: one for root in roots for one in root.objects()})

    def has_type(self, name: str) -> bool:
        return name in self._types

    def field_type(self, name: str, field_name: str) -> Type | None:
        fields = self._types[name].fields or {}
        found = fields.get(field_name)
        if found is None and field_name in RESERVED:
            found = fields.get(f"__{field_name}__")
        return None if found is None else found.type

    def construct(self, name: str, fields: dict[str, Any]) -> Any:
        raise CelError(f"unknown type '{name}'")
