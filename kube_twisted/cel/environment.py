"""What an expression may name: variables, functions, and the fields of object types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import evolve, field, frozen

from kube_twisted.cel.functions import Function, Library
from kube_twisted.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Type,
    list_of,
    map_of,
    optional_of,
    param,
    struct,
    type_of,
)

_TYPES = {one.name: type_of(one) for one in (
    BOOL, BYTES, DOUBLE, DURATION, INT, list_of(param("A")), map_of(param("A"), param("B")), NULL, STRING, TIMESTAMP,
    TYPE, UINT, optional_of(param("V")))}


class ObjectTypes(Protocol):
    """Knows object types by name."""

    def has_type(self, name: str) -> bool: ...

    def field_type(self, name: str, field: str) -> Type | None:
        """The type of a field; None when the type has no such field."""

    def construct(self, name: str, fields: dict[str, Any]) -> Any:
        """A value of an object type, from a literal such as ``Object{name: 'x'}``."""


@frozen
class Identifier:
    """What a name stands for: a variable, or a type."""

    name: str
    type: Type


@frozen
class Environment:
    """Everything that is declared. Never changed; extended copies are cheap.

    :ivar binds: whether there is the macro ``cel.bind``.
    """

    functions: Mapping[str, Function] = field(factory=dict)
    variables: Mapping[str, Type] = field(factory=lambda: dict(_TYPES))
    objects: tuple[ObjectTypes, ...] = ()
    binds: bool = False

    def with_libraries(self, *libraries: Library) -> Environment:
        functions = dict(self.functions)
        for one in libraries:
            for name, function in one.items():
                functions[name] = functions[name].merged(function) if name in functions else function
        return evolve(self, functions=functions)

    def with_variables(self, variables: Mapping[str, Type], *objects: ObjectTypes) -> Environment:
        """More variables, and the object types that they mention."""
        return evolve(self, variables={**self.variables, **variables}, objects=objects + self.objects)

    def find(self, name: str) -> Identifier | None:
        """What a name, which may be qualified, stands for."""
        name = name.removeprefix(".")
        found = self.variables.get(name)
        if found is not None:
            return Identifier(name, found)
        return Identifier(name, type_of(struct(name))) if self.has_type(name) else None

    def function(self, name: str) -> Function | None:
        return self.functions.get(name.removeprefix("."))

    def has_type(self, name: str) -> bool:
        return any(one.has_type(name) for one in self.objects)

    def field_type(self, name: str, field_name: str) -> Type | None:
        for one in self.objects:
            if one.has_type(name):
                return one.field_type(name, field_name)
        return None

    def construct(self, name: str, fields: dict[str, Any]) -> Any:
        """A value of an object type."""
        owner = next(one for one in self.objects if one.has_type(name))
        return owner.construct(name, fields)
