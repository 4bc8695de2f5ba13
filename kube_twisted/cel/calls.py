"""Calls of functions and operators: choose the overload, run it, count its cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kube_twisted.cel import folds
from kube_twisted.cel.ast import Call, Node
from kube_twisted.cel.costs.runtime import FAILED, Cost, call_cost, needs_result
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.frame import Frame, Step
from kube_twisted.cel.functions import Function, Implementation, Overload
from kube_twisted.cel.typenames import fits, type_name
from kube_twisted.cel.values import MISSING, Optional
from kube_twisted.util.regexp import RegexpError, compile_regexp

if TYPE_CHECKING:
    from kube_twisted.cel.evaluator import Compiler

_CONVERSIONS = frozenset(("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"))


def step(compiler: Compiler, node: Call) -> Step:
    name = compiler.checked.functions[node.id]
    if folds.is_append(node):
        return folds.append(compiler, node)
    if name == "@not_strictly_false":
        return _not_strictly_false(compiler.compile(node.args[0]))
    target = compiler.checked.target(node)
    args = [compiler.compile(one) for one in ([target] if target is not None else []) + node.args]
    if name in ("or", "orValue") and len(args) == 2:
        return _alternative(args[0], args[1], name == "orValue")
    _check_pattern(compiler, name, node, target)
    function = compiler.env.functions[name]
    overloads = compiler.checked.overloads[node.id]
    overload = overloads[0] if len(overloads) == 1 else ""
    if overload == "in_list" and (members := _members(compiler, node)) is not None:
        return _membership(args[0], members)
    implementation = _implementation(function, overload)
    return _call(args, implementation, call_cost(name, overload))


def _check_pattern(compiler: Compiler, name: str, node: Call, target: Node | None) -> None:
    """Refuse a constant pattern that isn't one.

    :raises CelError: the text says why.
    """
    if name not in ("find", "findAll") or target is None:
        return
    pattern = compiler.constant(node.args[0])
    if isinstance(pattern, str):
        try:
            compile_regexp(pattern)
        except RegexpError as error:
            raise CelError(str(error)) from None


def constant(compiler: Compiler, node: Call) -> Any:
    """The value of a conversion of a constant, and of ``x in []``; ``MISSING`` for any other call."""
    name = compiler.checked.functions.get(node.id, "")
    overloads = compiler.checked.overloads.get(node.id, [])
    if name in _CONVERSIONS and len(node.args) == 1 and node.target is None:
        value = compiler.constant(node.args[0])
        if value is not MISSING:
            overload = overloads[0] if len(overloads) == 1 else ""
            return _implementation(compiler.env.functions[name], overload)(value)
    if overloads == ["in_list"] and compiler.constant(node.args[1]) == []:
        return False
    return MISSING


def _call(args: list[Step], implementation: Implementation, cost: Cost) -> Step:
    """Evaluate the arguments, then call. A failed call costs as well, even when an argument is what failed.

    Where possible the cost is counted first, so that a call that costs too much doesn't take its time.
    """
    several, late = len(args) > 2, needs_result(cost)

    def run(frame: Frame) -> Any:
        values: list[Any] = []
        error: CelError | None = None
        for arg in args:
            try:
                values.append(arg(frame))
            except CelError as caught:
                if several:
                    raise
                error = error or caught
                values.append(FAILED)
        if late and error is None:
            return _costed_late(frame, values, implementation, cost)
        frame.spend(cost(values, None))
        if error is not None:
            raise error
        return implementation(*values)
    return run


def _costed_late(frame: Frame, values: list[Any], implementation: Implementation, cost: Cost) -> Any:
    """Call, then count the cost by the result."""
    try:
        result = implementation(*values)
    except CelError:
        frame.spend(cost(values, None))
        raise
    frame.spend(cost(values, result))
    return result


def _not_strictly_false(arg: Step) -> Step:
    """True for everything but false, errors too."""
    def run(frame: Frame) -> bool:
        try:
            value = arg(frame)
        except CelError:
            value = True
        frame.spend(1)
        return value is not False
    return run


def _alternative(first: Step, second: Step, unwrap: bool) -> Step:
    """``a.or(b)`` and ``a.orValue(b)``: the second is evaluated only when needed. They cost nothing themselves."""
    def run(frame: Frame) -> Any:
        value = first(frame)
        if not isinstance(value, Optional):
            return value
        if value.present:
            return value.value if unwrap else value
        return second(frame)
    return run


def _members(compiler: Compiler, node: Call) -> frozenset[Any] | None:
    """The elements of a constant list of numbers or strings, for looking values up."""
    values = compiler.constant(node.args[1])
    if not isinstance(values, list) or not all(isinstance(one, (int, float, str)) for one in values):
        return None
    return frozenset((isinstance(one, bool), one) for one in values)


def _membership(arg: Step, members: frozenset[Any]) -> Step:
    """``x in [1, 2]``, which costs nothing when the list is constant."""
    def run(frame: Frame) -> bool:
        value = arg(frame)
        return isinstance(value, (int, float, str)) and (isinstance(value, bool), value) in members
    return run


def _implementation(function: Function, overload: str) -> Implementation:
    """What runs: for one overload with a look at the arguments' types, or for whichever overload they fit."""
    if function.shared is not None:
        return function.shared
    chosen = [one for one in function.overloads if one.id in function.implementations and overload in ("", one.id)]
    pairs = [(one, function.implementations[one.id]) for one in chosen]
    return _guarded(function.name, pairs)


def _guarded(name: str, overloads: list[tuple[Overload, Implementation]]) -> Implementation:
    def dispatch(*values: Any) -> Any:
        for overload, implementation in overloads:
            if len(values) == len(overload.params) and all(map(fits, values, overload.params)):
                return implementation(*values)
        raise CelError(f"no such overload: {name}({', '.join(map(type_name, values))})")
    return dispatch
