"""Validating policies: compiled, and evaluated for one write with one object as parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from kube_twisted.admission.expressions.expression import Expression
from kube_twisted.admission.expressions.inputs import Inputs
from kube_twisted.admission.expressions.pace import Pace
from kube_twisted.admission.policies.policy import Head, Policy
from kube_twisted.cel.activation import Activation, Evaluation, OutOfBudget
from kube_twisted.cel.program import PER_CALL_LIMIT
from kube_twisted.cel.typenames import type_name
from kube_twisted.cel.types import BOOL, NULL, STRING

Obj = dict[str, Any]
_LONGEST_MESSAGE = 5 * 1024
INVALID = "Invalid"
#: How far one evaluation may get beyond its limit.
_OVERRUN = 500_000


@frozen
class Validation:
    """One of a policy's expressions that must be true.

    :ivar dynamic: gives the message; None without a ``messageExpression``.
    """

    expression: Expression
    message: str
    reason: str
    dynamic: Expression | None


@frozen
class Denial:
    """A validation that does not hold, or has no value.

    :ivar index: of the validation.
    :ivar error: whether something is wrong with the policy, rather than with what is written.
    """

    index: int
    message: str
    reason: str = INVALID
    error: bool = False


@frozen
class Verdict:
    """What a policy says of a write.

    :ivar denials: what is wrong; errors are left out where they don't count.
    :ivar ignored: those that were.
    :ivar annotations: key and text for the audit log, in order.
    :ivar broken: why annotations that are needed could not be made.
    """

    denials: Sequence[Denial] = ()
    ignored: Sequence[Denial] = ()
    annotations: Sequence[tuple[str, str]] = ()
    broken: Sequence[str] = ()


@frozen(eq=False, kw_only=True)
class ValidatingPolicy(Policy):
    """A ValidatingAdmissionPolicy.

    :ivar annotations: by key; what gives a text for the audit log, or null for none.
    """

    validations: tuple[Validation, ...] = ()
    annotations: Mapping[str, Expression] = field(factory=dict)

    async def judge(self, inputs: Inputs, pace: Pace) -> Verdict:
        """What the policy says of a write that it is about."""
        try:
            verdict = self._sorted(await _Judging(self, inputs, pace).denials())
            found, broken = await self._annotated(inputs.without_authorizer(), pace)
        except OutOfBudget as error:
            return self.unsure(error)
        return evolve(verdict, annotations=found, broken=broken if self.fails else ())

    def unsure(self, why: Exception) -> Verdict:
        """The verdict when the policy can't be evaluated."""
        return self._sorted([Denial(0, str(why), error=True)])

    def _sorted(self, denials: list[Denial]) -> Verdict:
        """Errors are denials only for a policy that must not fail."""
        if self.fails:
            return Verdict(denials)
        return Verdict([one for one in denials if not one.error], [one for one in denials if one.error])

    async def _annotated(self, inputs: Inputs, pace: Pace) -> tuple[list[tuple[str, str]], list[str]]:
        """The texts for the audit log, and what is wrong with others."""
        found: list[tuple[str, str]] = []
        broken: list[str] = []
        if self.annotations:
            activation = Activation(inputs.values(), self.variables)
            for key, expression in self.annotations.items():
                result = await pace.run(expression, activation)
                if result.error is not None:
                    broken.append(result.error)
                elif isinstance(result.value, str):
                    if result.value.strip():
                        found.append((key, result.value.strip()))
                elif result.value is not None:
                    broken.append(f"valueExpression '{expression.text}' resulted in unsupported return type: "
                                  f"{type_name(result.value)}. Return type must be either string or null.")
        return found, broken


class _Judging:
    """Evaluates the validations of a policy for one write."""

    def __init__(self, policy: ValidatingPolicy, inputs: Inputs, pace: Pace) -> None:
        self._policy = policy
        self._inputs = inputs
        self._pace = pace

    async def denials(self) -> list[Denial]:
        """
        :raises OutOfBudget: when the validations cost too much.
        """
        policy = self._policy
        activation = Activation(self._inputs.values(), policy.variables)
        results = [await self._pace.run(one.expression, activation) for one in policy.validations]
        if all(one.value is True for one in results) and not self._messages_may_cost_too_much(activation.budget):
            return []
        try:
            texts = await self._texts(activation.budget)
        except OutOfBudget as error:
            return [Denial(index, result.error or f"failed messageExpression: {error}", error=True)
                    for index, result in enumerate(results)]
        return [denial for index, result in enumerate(results)
                if (denial := self._denial(index, result, texts[index])) is not None]

    def _messages_may_cost_too_much(self, left: int) -> bool:
        """Whether there is a need to evaluate messages that nobody reads: running out of budget is an error."""
        most = sum(one.dynamic is not None for one in self._policy.validations) + len(self._policy.variables)
        return most * (PER_CALL_LIMIT + _OVERRUN) > left

    async def _texts(self, budget: int) -> list[str]:
        """The messages that expressions give for each validation; empty where there is none that can be used.

        :raises OutOfBudget: when they cost too much.
        """
        activation = Activation(self._inputs.without_authorizer().values(), self._policy.variables, budget)
        return ["" if one.dynamic is None else _usable(await self._pace.run(one.dynamic, activation))
                for one in self._policy.validations]

    def _denial(self, index: int, result: Evaluation, text: str) -> Denial | None:
        validation = self._policy.validations[index]
        if result.error is not None:
            return Denial(index, result.error, "", True)
        if result.value is True:
            return None
        message = text or validation.message.strip() or f"failed expression: {validation.expression.text.strip()}"
        return Denial(index, message, validation.reason)


def _usable(result: Evaluation) -> str:
    """A message, unless it is too long or has several lines."""
    if not isinstance(result.value, str):
        return ""
    text = result.value.strip()
    return "" if "\n" in text or len(text.encode()) > _LONGEST_MESSAGE else text


def compile_validating(obj: Obj) -> ValidatingPolicy:
    """A policy as it is stored."""
    spec = obj["spec"]
    head = Head.compile(spec)
    names, within = head.names, head.within
    return ValidatingPolicy(
        **head.facts(obj), validations=tuple(_validation(one, head) for one in spec.get("validations") or ()),
        annotations={one["key"]: Expression.compile(one["valueExpression"], within, names, (STRING, NULL))
                     for one in spec.get("auditAnnotations") or ()})


def _validation(one: Mapping[str, Any], head: Head) -> Validation:
    dynamic = one.get("messageExpression")
    names = evolve(head.names, authorizer=False)
    return Validation(
        Expression.compile(one["expression"], head.within, head.names, (BOOL,)), one.get("message") or "",
        one.get("reason") or INVALID,
        Expression.compile(dynamic, head.within, names, (STRING,)) if dynamic else None)
