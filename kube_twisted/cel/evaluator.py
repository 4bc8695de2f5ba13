"""Turn a checked expression into Python closures.

Each node becomes a function of the frame. A node counts its cost as kube-apiserver's interpreter does: nothing for
constants, one for a variable and for each field or index, and what ``costs.runtime`` says for calls.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.cel import attributes, calls, folds
from kube_twisted.cel.ast import (
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
from kube_twisted.cel.checker import Checked
from kube_twisted.cel.environment import Environment
from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.frame import Frame, Step
from kube_twisted.cel.typenames import type_name
from kube_twisted.cel.values import MISSING, Optional, TypeValue

LIST_COST, MAP_COST, STRUCT_COST = 10, 30, 40
_ATTRIBUTES = ("_[_]", "_[?_]", "_?._", "_?_:_")


class Compiler:
    """Compiles one expression.

    :ivar slots: how many variables its comprehensions have.
    """

    def __init__(self, checked: Checked, env: Environment) -> None:
        self.checked = checked
        self.env = env
        self.slots = 0
        #: number of a variable that only names a value -> what gives the value
        self.lazy: dict[int, Step] = {}
        self._scopes: list[dict[str, int]] = []

    def compile(self, node: Node) -> Step:
        constant = self.constant(node)
        if constant is not MISSING:
            return lambda frame: constant
        match node:
            case Ident() | Select():
                return attributes.step(self, node)
            case Call(function="_&&_"):
                return _logical([self.compile(one) for one in node.args], False)
            case Call(function="_||_"):
                return _logical([self.compile(one) for one in node.args], True)
            case Call(function=function) if function in _ATTRIBUTES:
                return attributes.step(self, node)
            case Call():
                return calls.step(self, node)
            case ListLiteral():
                return self._list(node)
            case MapLiteral():
                return self._map(node)
            case StructLiteral():
                return self._struct(node)
            case Comprehension():
                return folds.step(self, node)
        raise TypeError(node)

    def constant(self, node: Node) -> Any:
        """The value of what needs no evaluation, ``MISSING`` otherwise: it costs nothing at run time."""
        match node:
            case Literal(value=value):
                return value
            case Ident() | Select() if self._is_type(node):
                return TypeValue(self.checked.types[node.id].params[0].name)
            case ListLiteral(elements=elements, optional=optional) if not optional:
                values = [self.constant(one) for one in elements]
                return MISSING if any(one is MISSING for one in values) else values
            case MapLiteral(entries=entries) if not any(one.optional for one in entries):
                pairs = [(self.constant(one.key), self.constant(one.value)) for one in entries]
                return MISSING if any(MISSING is one for pair in pairs for one in pair) else dict(pairs)
            case Call():
                return calls.constant(self, node)
        return MISSING

    def _is_type(self, node: Node) -> bool:
        found = self.checked.types[node.id]
        return found.kind == "type" and bool(found.params) and node.id in self.checked.names and \
            self.slot(self.checked.names[node.id]) is None and self.env.find(self.checked.names[node.id]) is not None

    # Variables of comprehensions

    def slot(self, name: str) -> int | None:
        """The number of a comprehension's variable; None for a variable of the expression."""
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def enter(self, *names: str) -> list[int]:
        """Declare variables of a comprehension; ``leave`` ends it."""
        numbers = list(range(self.slots, self.slots + len(names)))
        self._scopes.append(dict(zip(names, numbers, strict=True)))
        self.slots += len(names)
        return numbers

    def leave(self) -> None:
        self._scopes.pop()

    # Literals

    def _list(self, node: ListLiteral) -> Step:
        steps = [self.compile(one) for one in node.elements]
        optional = node.optional

        def plain(frame: Frame) -> list[Any]:
            values = [step(frame) for step in steps]
            frame.spend(LIST_COST)
            return values

        def with_optional(frame: Frame) -> list[Any]:
            values = [step(frame) for step in steps]
            frame.spend(LIST_COST)
            checked = [_optional(value, "list element") if index in optional else value
                       for index, value in enumerate(values)]
            return [value for value in checked if value is not MISSING]
        return with_optional if optional else plain

    def _map(self, node: MapLiteral) -> Step:
        steps = [(self.compile(one.key), self.compile(one.value), one.optional) for one in node.entries]

        def run(frame: Frame) -> dict[Any, Any]:
            values: dict[Any, Any] = {}
            for key_step, value_step, optional in steps:
                key, value = key_step(frame), value_step(frame)
                if optional:
                    value = _optional(value, "entry")
                _put(values, key, value)
            frame.spend(MAP_COST)
            return values
        return run

    def _struct(self, node: StructLiteral) -> Step:
        steps = [(one.name, self.compile(one.value), one.optional) for one in node.fields]
        name = self.checked.names[node.id]
        construct = self.env.construct

        def run(frame: Frame) -> Any:
            values: dict[str, Any] = {}
            for field, step, optional in steps:
                value = step(frame)
                _put(values, field, _optional(value, "entry") if optional else value)
            frame.spend(STRUCT_COST)
            return construct(name, values)
        return run


def _optional(value: Any, what: str) -> Any:
    if not isinstance(value, Optional):
        raise CelError(f"cannot initialize optional {what} from non-optional value {type_name(value)}")
    return value.value


def _put(values: dict[Any, Any], key: Any, value: Any) -> None:
    if isinstance(key, (list, dict)):
        raise CelError("unsupported key type")
    if value is MISSING:
        values.pop(key, None)
    else:
        values[key] = value


def _logical(steps: list[Step], decisive: bool) -> Step:
    """``&&`` and ``||``: one decisive operand decides, whatever is wrong with the other."""
    first, second = steps

    def run(frame: Frame) -> Any:
        error: CelError | None = None
        for step in (first, second):
            try:
                value = step(frame)
            except CelError as caught:
                error = error or caught
                continue
            if value is decisive:
                return decisive
            if not isinstance(value, bool):
                error = error or no_such_overload()
        if error is not None:
            raise error
        return not decisive
    return run
