"""Run the expressions of an admission policy: its variables are evaluated when first named, and all share a budget.

Source: KEP-3488.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import define, field, frozen

from kube_twisted.api.field import go_quote
from kube_twisted.cel.admission import VARIABLES, Composition, Names
from kube_twisted.cel.errors import CelError, CompilationFailed
from kube_twisted.cel.escaping import unescape
from kube_twisted.cel.program import BadProgram, Program
from kube_twisted.cel.values import MISSING, Foreign, MapValue

#: What the expressions of one policy may cost for one request.
BUDGET = 10_000_000
#: What all match conditions of one webhook or policy may cost for one request.
CONDITIONS_BUDGET = 2_500_000

#: A variable's expression; the text says why there is none.
Variable = Program | str


class OutOfBudget(Exception):
    """The expressions cost too much; no further one is to be evaluated."""

    def __init__(self) -> None:
        super().__init__("validation failed due to running out of cost budget, no further validation rules will be run")


@frozen
class Evaluation:
    """What an expression gave.

    :ivar error: what went wrong; ``value`` means nothing then.
    """

    value: Any = None
    error: str | None = None


@define
class Activation:
    """What the expressions of a policy name while they are evaluated.

    Values are JSON as Python holds it; see ``library.authorization`` for the authorizer's.

    :ivar values: of the variables that ``Names`` stands for, by name.
    :ivar variables: of the policy; None where there can't be any.
    :ivar budget: what may still be spent.
    """

    values: Mapping[str, Any]
    variables: Mapping[str, Variable] | None = None
    budget: int = BUDGET
    _named: dict[str, Any] = field(init=False)
    _composed: _Variables | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._named = dict(self.values)
        if self.variables is not None:
            self._composed = _Variables(self.variables, self._named)
            self._named["variables"] = self._composed

    def evaluate(self, program: Program) -> Evaluation:
        """Evaluate an expression.

        :raises OutOfBudget: it, or a variable that it named first, cost too much.
        """
        outcome = program.evaluate(self._named)
        if self._composed is not None:
            self._pay(self._composed.spent())
        self._pay(outcome.cost)
        if outcome.error is not None:
            return Evaluation(error=f"expression '{program.expression}' resulted in error: {outcome.error}")
        return Evaluation(outcome.value)

    def _pay(self, cost: int) -> None:
        if cost > self.budget:
            raise OutOfBudget
        self.budget -= cost


class _Variables(MapValue, Foreign):
    """The value of ``variables``: evaluates a variable when it is first named."""

    __slots__ = ("_cost", "_found", "_named", "_variables")
    type_name = VARIABLES

    def __init__(self, variables: Mapping[str, Variable], named: Mapping[str, Any]) -> None:
        self._variables = variables
        self._named = named
        self._found: dict[str, Any] = {}
        self._cost = 0

    def __len__(self) -> int:
        return len(self._variables)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variables)

    def find(self, key: Any) -> Any:
        name = unescape(key) if isinstance(key, str) else None
        if name is None or name not in self._variables:
            return MISSING
        if name not in self._found:
            self._found[name] = self._evaluate(name, self._variables[name])
        found = self._found[name]
        if isinstance(found, CelError):
            raise found
        return found

    def _evaluate(self, name: str, program: Variable) -> Any:
        if isinstance(program, str):
            return CelError(f"composited variable {go_quote(name)} fails to compile: {program}")
        outcome = program.evaluate(self._named)
        self._cost += outcome.cost
        if outcome.error is not None:
            return CelError(f"composited variable {go_quote(name)} fails to evaluate: {outcome.error}")
        return outcome.value

    def equals(self, other: Any) -> bool:
        return self is other

    def spent(self) -> int:
        """What variables have cost since this was last asked."""
        cost, self._cost = self._cost, 0
        return cost


def compile_variables(variables: Iterable[tuple[str, str]], composition: Composition,
                      names: Names) -> dict[str, Variable]:
    """Compile a policy's variables in their order; each may name those before it, and later expressions all of them.

    :param variables: names and expressions.
    """
    compiled: dict[str, Variable] = {}
    for name, expression in variables:
        found: Variable
        try:
            found = composition.compile(expression, names)
        except CompilationFailed as error:
            found = f"compilation failed: {error}"
        except BadProgram as error:
            found = f"program instantiation failed: {error}"
        composition.declare(name, None if isinstance(found, str) else found.result)
        compiled[name] = found
    return compiled
