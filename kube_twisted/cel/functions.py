"""Declarations of functions, written as text: ``size string_size: string.() -> int``.

A line names the function, the overload, the receiver of a method, the parameters and the result. Types are written as
messages write them; a single capital letter is a type parameter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import frozen

from kube_twisted.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Type,
    list_of,
    map_of,
    opaque,
    optional_of,
    param,
    struct,
    type_of,
)

Implementation = Callable[..., Any]

_SIMPLE = {"bool": BOOL, "bytes": BYTES, "double": DOUBLE, "duration": DURATION, "dyn": DYN, "int": INT, "null": NULL,
           "string": STRING, "timestamp": TIMESTAMP, "type": TYPE, "uint": UINT,
           "IP": opaque("net.IP"), "CIDR": opaque("net.CIDR")}
_LINE = re.compile(r"(?P<function>\S+) (?P<overload>[\w.-]+): (?:(?P<receiver>\S.*?)\.)?\((?P<params>.*)\)"
                   r" -> (?P<result>.+)")
_WORD = re.compile(r"[\w.]+|[(),]")


@frozen
class Overload:
    """One signature of a function. The receiver of a method is its first parameter."""

    id: str
    params: tuple[Type, ...]
    result: Type
    is_method: bool
    type_params: tuple[Type, ...]


@frozen
class Function:
    """A function with its signatures, and what runs for each.

    :ivar shared: what runs for all of them; it tells the types of its arguments apart by itself.
    """

    name: str
    overloads: tuple[Overload, ...]
    implementations: Mapping[str, Implementation]
    shared: Implementation | None = None

    def merged(self, other: Function) -> Function:
        """The function with the signatures of both."""
        known = {one.id for one in self.overloads}
        added = tuple(one for one in other.overloads if one.id not in known)
        return Function(self.name, self.overloads + added, {**self.implementations, **other.implementations},
                        self.shared or other.shared)


Library = dict[str, Function]


def library(declarations: str, implementations: Mapping[str, Implementation]) -> Library:
    """The functions of a text of declarations.

    :param implementations: by the overload's name, or by the function's when one does for all its overloads.
    """
    found: dict[str, list[Overload]] = {}
    for line in declarations.splitlines():
        if line.strip():
            name, overload = _read(line.strip())
            found.setdefault(name, []).append(overload)
    return {name: Function(name, tuple(overloads),
                           {one.id: implementations[one.id] for one in overloads if one.id in implementations},
                           implementations.get(name))
            for name, overloads in found.items()}


def _read(line: str) -> tuple[str, Overload]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"not a declaration: {line}")
    receiver = match["receiver"]
    params = ([parse_type(receiver)] if receiver else []) + _list_of_types(_WORD.findall(match["params"]))
    result = parse_type(match["result"])
    names = sorted({one for part in [*params, result] for one in _parameters(part)}, key=lambda one: one.name)
    return match["function"], Overload(match["overload"], tuple(params), result, bool(receiver), tuple(names))


def _parameters(found: Type) -> Iterator[Type]:
    if found.kind == "param":
        yield found
    for one in found.params:
        yield from _parameters(one)


def parse_type(text: str) -> Type:
    """The type that a text such as ``map(string, list(A))`` names."""
    return _list_of_types(_WORD.findall(text))[0]


def _list_of_types(words: list[str]) -> list[Type]:
    found = []
    words = list(words)
    while words:
        found.append(_take_type(words))
        if words and words.pop(0) != ",":
            raise ValueError("types are not separated by commas")
    return found


def _take_type(words: list[str]) -> Type:
    name = words.pop(0)
    params: list[Type] = []
    if words and words[0] == "(":
        words.pop(0)
        while True:
            params.append(_take_type(words))
            if words.pop(0) == ")":
                break
    if name == "type" and params:
        return type_of(params[0])
    if name in _SIMPLE:
        return _SIMPLE[name]
    if name == "list":
        return list_of(params[0])
    if name == "map":
        return map_of(params[0], params[1])
    if name == "optional":
        return optional_of(params[0])
    return param(name) if len(name) == 1 else struct(name)
