"""Comprehensions: go through a list or map and fold it into one value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kube_twisted.cel.ast import ACCUMULATOR, Call, Comprehension, Ident, ListLiteral, Literal, MapLiteral, Node
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.frame import Frame, Step
from kube_twisted.cel.typenames import go_type_name
from kube_twisted.cel.values import MISSING, Lists, Maps, entries

if TYPE_CHECKING:
    from kube_twisted.cel.evaluator import Compiler

#: After so many rounds a fold looks whether it has taken too long.
_PAUSE = 64
_ABSORBING = ("_&&_", "_||_")


def is_binding(node: Comprehension) -> bool:
    """Whether the comprehension only gives a name to a value, as ``optMap`` does."""
    return (isinstance(node.range, ListLiteral) and not node.range.elements and isinstance(node.condition, Literal)
            and node.condition.value is False)


def step(compiler: Compiler, node: Comprehension) -> Step:
    over = compiler.compile(node.range)
    initial = _initial(compiler, node.initial)
    if is_binding(node):
        return _binding(compiler, node, initial)
    (accumulator,) = compiler.enter(node.accumulator)
    variables = compiler.enter(*([node.variable, node.variable2] if node.variable2 else [node.variable]))
    condition, fold = compiler.compile(node.condition), compiler.compile(node.step)
    compiler.leave()
    result = compiler.compile(node.result)
    compiler.leave()
    loop = _Loop(accumulator, variables, condition, fold, _absorbs(node.step))

    def run(frame: Frame) -> Any:
        values = _rounds(over(frame), len(variables))
        frame.slots[accumulator] = initial(frame)
        loop.run(frame, values)
        return result(frame)
    return run


class _Loop:
    """The rounds of a fold. An error becomes the result so far, as a later round of ``all`` may make it irrelevant."""

    def __init__(self, accumulator: int, variables: list[int], condition: Step, fold: Step, absorbs: bool) -> None:
        self._accumulator = accumulator
        self._variables = variables
        self._condition = condition
        self._fold = fold
        self._absorbs = absorbs

    def run(self, frame: Frame, values: Iterable[tuple[Any, ...]]) -> None:
        slots = frame.slots
        for round_, value in enumerate(values):
            if round_ % _PAUSE == 0:
                frame.look_at_time()
            for number, one in zip(self._variables, value, strict=True):
                slots[number] = one
            if self._condition(frame) is False:
                return
            try:
                slots[self._accumulator] = self._fold(frame)
            except CelError as error:
                if not self._absorbs:
                    raise
                slots[self._accumulator] = error


def _absorbs(node: Node) -> bool:
    """Whether another round can make up for an error."""
    return isinstance(node, Call) and node.function in _ABSORBING


def _initial(compiler: Compiler, node: Node) -> Step:
    """What a fold starts with: a new list or map every time, as it is filled in place."""
    if isinstance(node, ListLiteral) and not node.elements:
        return lambda frame: []
    if isinstance(node, MapLiteral) and not node.entries:
        return lambda frame: {}
    return compiler.compile(node)


def _binding(compiler: Compiler, node: Comprehension, initial: Step) -> Step:
    """A name for a value, which is found out when it is first used."""
    (number,) = compiler.enter(node.accumulator)
    compiler.lazy[number] = initial
    result = compiler.compile(node.result)
    compiler.leave()

    def run(frame: Frame) -> Any:
        frame.slots[number] = MISSING
        return result(frame)
    return run


def is_append(node: Call) -> bool:
    """Whether a call adds elements to the list that a fold collects."""
    return (node.function == "_+_" and isinstance(node.args[0], Ident) and node.args[0].name == ACCUMULATOR
            and isinstance(node.args[1], ListLiteral))


def append(compiler: Compiler, node: Call) -> Step:
    """Add elements in place."""
    collected, added = compiler.compile(node.args[0]), compiler.compile(node.args[1])

    def run(frame: Frame) -> Any:
        values = collected(frame)
        values += added(frame)
        frame.spend(1)
        return values
    return run


def _rounds(container: Any, variables: int) -> Iterable[tuple[Any, ...]]:
    if isinstance(container, Maps):
        return entries(container) if variables == 2 else ((key,) for key in container)
    if isinstance(container, Lists):
        return enumerate(container) if variables == 2 else ((value,) for value in container)
    found = go_type_name(container)
    raise CelError(f"unsupported comprehension range type: {found}" if variables == 2 else
                   f"got '{found}', expected iterable type")
