"""Evaluates the expressions of one policy or webhook, which share variables and a budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from kube_twisted.cel.admission import Composition, Names
from kube_twisted.cel.errors import CelError, CompilationFailed
from kube_twisted.cel.escaping import unescape
from kube_twisted.cel.program import BadProgram, Program
from kube_twisted.cel.types import Type
from kube_twisted.cel.values import MISSING, MapValue

#: What the expressions of one kind in a policy may cost together; match conditions may cost less.
BUDGET, CONDITIONS_BUDGET = 10_000_000, 2_500_000
_SPENT = "validation failed due to running out of cost budget, no further validation rules will be run"


class BudgetSpent(Exception):
    """The expressions together cost too much: none of them counts."""

    def __init__(self) -> None:
        super().__init__(_SPENT)


@frozen
class Expression:
    """A compiled expression.

    :ivar program: None when it does not compile.
    :ivar problem: why it does not.
    """

    text: str
    program: Program | None
    problem: str = ""

    @classmethod
    def compile(cls, text: str, within: Composition, names: Names, wanted: tuple[Type, ...] = ()) -> Expression:
        """Compile what was accepted when it was written; that it does not compile any more is kept for later.

        :param within: the policy whose variables it may use.
        :param wanted: the types that it may have; any, when there are none.
        """
        try:
            return cls(text, within.compile(text, names, wanted))
        except CompilationFailed as error:
            return cls(text, None, f"compilation failed: {error}")
        except TypeError as error:
            return cls(text, None, str(error))
        except BadProgram as error:
            return cls(text, None, f"program instantiation failed: {error}")


@frozen
class Result:
    """What an expression gave.

    :ivar error: what went wrong; empty when nothing did.
    """

    value: Any
    error: str = ""


class Evaluation:
    """Runs expressions one after the other; each variable is evaluated at most once.

    :param variables: the policy's own, by name.
    :param values: of the names that every expression may use.
    :param budget: what all may cost together.
    """

    def __init__(self, variables: Mapping[str, Expression], values: Mapping[str, Any], budget: int) -> None:
        self.left = budget
        self._composed = _Variables(variables, self)
        self._values = {**values, "variables": self._composed}
        self._pending = 0

    def evaluate(self, expression: Expression) -> Result:
        """Run one expression.

        :raises BudgetSpent: what was run so far costs too much.
        """
        if expression.program is None:
            return Result(None, f"compilation error: {expression.problem}")
        outcome = expression.program.evaluate(self._values)
        self._spend(self._pending)
        self._pending = 0
        self._spend(outcome.cost)
        if outcome.error is not None:
            return Result(None, f"expression '{expression.text}' resulted in error: {outcome.error}")
        return Result(outcome.value)

    def run_variable(self, name: str, expression: Expression) -> Any:
        """The value of a variable.

        :raises CelError: when it has none.
        """
        if expression.program is None:
            raise CelError(f'composited variable "{name}" fails to compile: {expression.problem}')
        outcome = expression.program.evaluate(self._values)
        self._pending += outcome.cost
        if outcome.error is not None:
            raise CelError(f'composited variable "{name}" fails to evaluate: {outcome.error}')
        return outcome.value

    def _spend(self, cost: int) -> None:
        if cost > self.left:
            raise BudgetSpent
        self.left -= cost


class _Variables(MapValue):
    """The variables of a policy: a map whose values are found out when they are first asked for."""

    __slots__ = ("_evaluation", "_expressions", "_known")

    def __init__(self, expressions: Mapping[str, Expression], evaluation: Evaluation) -> None:
        self._expressions = expressions
        self._evaluation = evaluation
        self._known: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self._expressions)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._expressions)

    def find(self, key: Any) -> Any:
        name = unescape(key) if isinstance(key, str) else None
        if name is None or name not in self._expressions:
            return MISSING
        if name not in self._known:
            try:
                self._known[name] = self._evaluation.run_variable(name, self._expressions[name])
            except CelError as error:
                self._known[name] = error
        value = self._known[name]
        if isinstance(value, CelError):
            raise value
        return value

    def equals(self, other: Any) -> bool:
        return other is self
