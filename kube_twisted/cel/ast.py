"""The nodes of a parsed expression. Each has a number, and the offset of the text that it came from."""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

#: The hidden variable that comprehensions collect their result in.
ACCUMULATOR = "@result"


@define(eq=False)
class Node:
    """Any part of an expression. The number is unique within the expression."""

    id: int
    at: int


@define(eq=False)
class Literal(Node):
    """A constant: None, bool, int, ``UInt``, float, str or bytes."""

    value: Any


@define(eq=False)
class Ident(Node):
    name: str


@define(eq=False)
class Select(Node):
    """``operand.field``, or with ``test_only`` what ``has(operand.field)`` asks."""

    operand: Node
    field: str
    test_only: bool = False


@define(eq=False)
class Call(Node):
    """A function, an operator (``_+_``) or, with a target, a method."""

    function: str
    args: list[Node]
    target: Node | None = None


@define(eq=False)
class ListLiteral(Node):
    elements: list[Node]
    optional: frozenset[int] = frozenset()


@frozen(eq=False)
class Entry:
    """One entry of a map literal."""

    id: int
    at: int
    key: Node
    value: Node
    optional: bool


@define(eq=False)
class MapLiteral(Node):
    entries: list[Entry]


@frozen(eq=False)
class FieldInit:
    """One field of an object literal."""

    id: int
    at: int
    name: str
    value: Node
    optional: bool


@define(eq=False)
class StructLiteral(Node):
    type_name: str
    fields: list[FieldInit] = field(factory=list)


@define(eq=False)
class Comprehension(Node):
    """A fold over a list or map, as the macros make them."""

    range: Node
    variable: str
    variable2: str
    accumulator: str
    initial: Node
    condition: Node
    step: Node
    result: Node


def children(node: Node) -> list[Node]:
    """The nodes right below, in the order of their evaluation."""
    match node:
        case Select(operand=operand):
            return [operand]
        case Call(args=args, target=target):
            return args if target is None else [target, *args]
        case ListLiteral(elements=elements):
            return elements
        case MapLiteral(entries=entries):
            return [part for entry in entries for part in (entry.key, entry.value)]
        case StructLiteral(fields=fields):
            return [one.value for one in fields]
        case Comprehension():
            return [node.range, node.initial, node.condition, node.step, node.result]
    return []
