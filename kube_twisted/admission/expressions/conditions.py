"""Match conditions: named expressions, all of which must be true for a policy or webhook to apply (KEP-3716)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from kube_twisted.admission.expressions.expression import Expression
from kube_twisted.admission.expressions.inputs import Inputs
from kube_twisted.admission.expressions.pace import Pace
from kube_twisted.admission.refusal import aggregate
from kube_twisted.cel.activation import CONDITIONS_BUDGET, Activation, OutOfBudget, Variable
from kube_twisted.cel.admission import Composition, Names
from kube_twisted.cel.types import BOOL


class ConditionsFailed(Exception):
    """Whether the conditions hold can't be found out.

    :ivar failures: how many of them have no value.
    """

    def __init__(self, text: str, failures: int) -> None:
        super().__init__(text)
        self.failures = failures


@frozen
class MatchConditions:
    """The conditions of one policy or webhook.

    :ivar variables: that they may use, by name.
    """

    expressions: tuple[Expression, ...]
    variables: Mapping[str, Variable] = field(factory=dict)

    @classmethod
    def compile(cls, conditions: tuple[Mapping[str, Any], ...], within: Composition, names: Names,
                variables: Mapping[str, Variable]) -> MatchConditions:
        """As they stand in a policy or configuration."""
        return cls(tuple(Expression.compile(one["expression"], within, names, (BOOL,)) for one in conditions),
                   variables)

    async def hold(self, inputs: Inputs, pace: Pace) -> bool:
        """Whether all are true; one that is false decides, whatever is wrong with others.

        :raises ConditionsFailed: when none is false, and one has no value.
        """
        activation = Activation(inputs.values(), self.variables, CONDITIONS_BUDGET)
        try:
            results = [await pace.run(one, activation) for one in self.expressions]
        except OutOfBudget as error:
            raise ConditionsFailed(str(error), 0) from None
        if any(one.value is False for one in results):
            return False
        errors = [one.error for one in results if one.error]
        if errors:
            raise ConditionsFailed(aggregate(errors), len(errors))
        return True
