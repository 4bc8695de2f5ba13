"""Macros: calls such as ``has(a.b)`` or ``list.all(x, x > 0)`` that stand for other expressions."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from attrs import evolve

from kube_twisted.cel.ast import (
    ACCUMULATOR,
    Call,
    Comprehension,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Node,
    Select,
    StructLiteral,
)

_OLD_ACCUMULATOR = "__result__"
#: The variable of a comprehension that never runs; it only binds a name.
UNUSED = "#unused"
_SORTED = "@__sortBy_input__"


class BadMacro(Exception):
    """A macro's arguments are of no use."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.at = node.at


class Maker:
    """Numbers nodes.

    :ivar binds: whether ``cel.bind`` is a macro too.
    """

    def __init__(self, binds: bool = False) -> None:
        self.binds = binds
        self._last = 0

    def number(self) -> int:
        self._last += 1
        return self._last

    def copy(self, node: Node) -> Node:
        """The same tree with new numbers."""
        match node:
            case Select():
                return evolve(node, id=self.number(), operand=self.copy(node.operand))
            case Call():
                return evolve(node, id=self.number(), args=[self.copy(one) for one in node.args],
                              target=None if node.target is None else self.copy(node.target))
            case ListLiteral():
                return evolve(node, id=self.number(), elements=[self.copy(one) for one in node.elements])
            case MapLiteral():
                entries = [evolve(one, id=self.number(), key=self.copy(one.key), value=self.copy(one.value))
                           for one in node.entries]
                return evolve(node, id=self.number(), entries=entries)
            case StructLiteral():
                fields = [evolve(one, id=self.number(), value=self.copy(one.value)) for one in node.fields]
                return evolve(node, id=self.number(), fields=fields)
            case Comprehension():
                return evolve(node, id=self.number(), range=self.copy(node.range), initial=self.copy(node.initial),
                              condition=self.copy(node.condition), step=self.copy(node.step),
                              result=self.copy(node.result))
        renumbered = copy(node)
        renumbered.id = self.number()
        return renumbered


class _Expansion:
    """Makes the nodes of one expansion; all of them are at the place of the call."""

    def __init__(self, maker: Maker, at: int) -> None:
        self.maker = maker
        self.at = at

    def literal(self, value: Any) -> Node:
        return Literal(self.maker.number(), self.at, value)

    def ident(self, name: str = ACCUMULATOR) -> Node:
        return Ident(self.maker.number(), self.at, name)

    def list(self, *elements: Node) -> Node:
        return ListLiteral(self.maker.number(), self.at, list(elements))

    def map(self) -> Node:
        return MapLiteral(self.maker.number(), self.at, [])

    def call(self, function: str, *args: Node) -> Node:
        return Call(self.maker.number(), self.at, function, list(args))

    def method(self, function: str, target: Node, *args: Node) -> Node:
        return Call(self.maker.number(), self.at, function, list(args), target)

    def bind(self, name: str, value: Node, result: Node) -> Node:
        """A result that may use a value by name."""
        return Comprehension(self.maker.number(), self.at, self.list(), UNUSED, "", name, value, self.literal(False),
                             self.ident(name), result)

    def fold(self, over: Node, names: tuple[str, str], initial: Node, condition: Node, step: Node,
             result: Node | None = None) -> Node:
        return Comprehension(self.maker.number(), self.at, over, *names, ACCUMULATOR, initial, condition, step,
                             self.ident() if result is None else result)

    def when(self, condition: Node | None, step: Node) -> Node:
        """``step``, if the condition holds for this element; what was collected before otherwise."""
        return step if condition is None else self.call("_?_:_", condition, step, self.ident())


Expander = Callable[[_Expansion, Node, list[Node]], Node]


def expand(maker: Maker, at: int, name: str, target: Node | None, args: list[Node]) -> Node | None:
    """What a call stands for; None when it is no macro.

    :param at: the place of the call's opening parenthesis.
    :raises BadMacro: it is one, but its arguments don't fit.
    """
    made = _Expansion(maker, at)
    if target is None:
        return _has(made, args[0]) if name == "has" and len(args) == 1 else None
    if maker.binds and name == "bind" and len(args) == 3 and isinstance(target, Ident) and target.name == "cel":
        return made.bind(_variable(args[0], "cel.bind() variable names must be simple identifiers"), args[1], args[2])
    expander = _MACROS.get((name, len(args)))
    return None if expander is None else expander(made, target, args)


def _has(made: _Expansion, argument: Node) -> Node:
    if not isinstance(argument, Select):
        raise BadMacro(argument, "invalid argument to has() macro")
    return Select(made.maker.number(), made.at, argument.operand, argument.field, test_only=True)


def _variable(node: Node, message: str = "argument must be a simple name") -> str:
    if not isinstance(node, Ident):
        raise BadMacro(node, message)
    return node.name


def _variables(args: list[Node], count: int, message: str = "argument must be a simple name") -> tuple[str, str]:
    """The names that a fold binds to each element, or to its index or key and its value."""
    names = [_variable(node, message) for node in args[:count]]
    if count == 2 and names[0] == names[1]:
        raise BadMacro(args[1], f"duplicate variable name: {names[0]}")
    for name, node in zip(names, args, strict=False):
        if name in (ACCUMULATOR, _OLD_ACCUMULATOR):
            raise BadMacro(node, "iteration variable overwrites accumulator variable")
    return names[0], names[1] if count == 2 else ""


def _all(count: int) -> Expander:
    def expander(made: _Expansion, target: Node, args: list[Node]) -> Node:
        names = _variables(args, count)
        return made.fold(target, names, made.literal(True), made.call("@not_strictly_false", made.ident()),
                         made.call("_&&_", made.ident(), args[count]))
    return expander


def _exists(count: int) -> Expander:
    def expander(made: _Expansion, target: Node, args: list[Node]) -> Node:
        names = _variables(args, count)
        condition = made.call("@not_strictly_false", made.call("!_", made.ident()))
        return made.fold(target, names, made.literal(False), condition,
                         made.call("_||_", made.ident(), args[count]))
    return expander


def _exists_one(count: int) -> Expander:
    def expander(made: _Expansion, target: Node, args: list[Node]) -> Node:
        names = _variables(args, count)
        step = made.when(args[count], made.call("_+_", made.ident(), made.literal(1)))
        return made.fold(target, names, made.literal(0), made.literal(True), step,
                         made.call("_==_", made.ident(), made.literal(1)))
    return expander


def _collect(count: int, message: str, filtered: bool) -> Expander:
    """A list of transformed elements."""
    def expander(made: _Expansion, target: Node, args: list[Node]) -> Node:
        names = _variables(args, count, message)
        condition = args[count] if filtered else None
        step = made.when(condition, made.call("_+_", made.ident(), made.list(args[-1])))
        return made.fold(target, names, made.list(), made.literal(True), step)
    return expander


def _filter(made: _Expansion, target: Node, args: list[Node]) -> Node:
    names = _variables(args, 1, "argument is not an identifier")
    step = made.when(args[1], made.call("_+_", made.ident(), made.list(args[0])))
    return made.fold(target, names, made.list(), made.literal(True), step)


def _transform_map(filtered: bool, entries: bool) -> Expander:
    """A map of transformed values, or of the entries that the transformation makes."""
    def expander(made: _Expansion, target: Node, args: list[Node]) -> Node:
        names = _variables(args, 2)
        inserted = [args[-1]] if entries else [made.ident(names[0]), args[-1]]
        step = made.call("cel.@mapInsert", made.ident(), *inserted)
        return made.fold(target, names, made.map(), made.literal(True), made.when(args[2] if filtered else None, step))
    return expander


def _opt_map(name: str, wrapped: bool) -> Expander:
    """A computation on the value of an optional, if it has one."""
    def expander(made: _Expansion, target: Node, args: list[Node]) -> Node:
        variable = _variable(args[0], f"{name}() variable name must be a simple identifier")
        bound = made.bind(variable, made.method("value", made.maker.copy(target)), args[1])
        return made.call("_?_:_", made.method("hasValue", target),
                         made.call("optional.of", bound) if wrapped else bound, made.call("optional.none"))
    return expander


def _sort_by(made: _Expansion, target: Node, args: list[Node]) -> Node:
    """Sort a list by what is computed of each element."""
    if not isinstance(target, (ListLiteral, Select, Ident, Comprehension, Call)):
        raise BadMacro(target, "sortBy can only be applied to a list, identifier, comprehension, call or select "
                               "expression")
    keys = _MACROS["map", 2](made, made.ident(_SORTED), args)
    return made.bind(_SORTED, target, made.method("@sortByAssociatedKeys", made.ident(_SORTED), keys))


_NOT_IDENT = "argument is not an identifier"
_SIMPLE = "argument must be a simple name"
#: method, number of arguments -> what makes its expansion
_MACROS: dict[tuple[str, int], Expander] = {
    ("all", 2): _all(1), ("all", 3): _all(2),
    ("exists", 2): _exists(1), ("exists", 3): _exists(2),
    ("exists_one", 2): _exists_one(1), ("exists_one", 3): _exists_one(2),
    ("existsOne", 3): _exists_one(2),
    ("map", 2): _collect(1, _NOT_IDENT, False), ("map", 3): _collect(1, _NOT_IDENT, True),
    ("filter", 2): _filter,
    ("transformList", 3): _collect(2, _SIMPLE, False), ("transformList", 4): _collect(2, _SIMPLE, True),
    ("transformMap", 3): _transform_map(False, False), ("transformMap", 4): _transform_map(True, False),
    ("transformMapEntry", 3): _transform_map(False, True), ("transformMapEntry", 4): _transform_map(True, True),
    ("sortBy", 2): _sort_by, ("optMap", 2): _opt_map("optMap", True), ("optFlatMap", 2): _opt_map("optFlatMap", False),
}
