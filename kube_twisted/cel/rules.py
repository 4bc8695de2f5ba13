"""The rules of x-kubernetes-validations at one place of a schema, compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kube_twisted.cel.base import BASE
from kube_twisted.cel.costs.estimate import estimate
from kube_twisted.cel.declared import DeclaredType, DeclaredTypes
from kube_twisted.cel.environment import Environment
from kube_twisted.cel.errors import CompilationFailed
from kube_twisted.cel.program import BadProgram, Program, check_expression, instantiate
from kube_twisted.cel.schema_types import MAX_REQUEST
from kube_twisted.cel.types import BOOL, STRING, Type, optional_of

SELF, OLD_SELF = "self", "oldSelf"
_SELF_TYPE = "selfType"


@frozen
class CompiledRule:
    """One rule.

    :ivar error: why it can't be used; ``program`` is None then, and also for an empty rule.
    :ivar max_cost: an estimate of what evaluating it once may cost.
    :ivar message: gives the message for a rule that doesn't hold.
    """

    rule: Mapping[str, Any]
    program: Program | None = None
    error: str | None = None
    uses_old_self: bool = False
    max_cost: int = 0
    message: Program | None = None
    message_error: str | None = None
    message_max_cost: int = 0


class RuleCompiler:
    """Compiles rules on values of one type."""

    def __init__(self, declared: DeclaredType) -> None:
        self._sizes = declared.sizes()
        named = declared.named(_SELF_TYPE)
        types = DeclaredTypes.of(named)
        self._plain = _environment(types, named.type, named.type)
        self._optional = _environment(types, named.type, optional_of(named.type))

    def compile(self, rule: Mapping[str, Any]) -> CompiledRule:
        text = rule.get("rule") or ""
        if not text.strip():
            return CompiledRule(rule)
        env = self._optional if rule.get("optionalOldSelf") else self._plain
        program, error, cost = self._program(text, env, BOOL, "compilation failed: ",
                                             "cel expression must evaluate to a bool", "program instantiation failed: ")
        uses = program is not None and program.checked.refers_to(OLD_SELF)
        if program is None:
            return CompiledRule(rule, error=error)
        message = rule.get("messageExpression") or ""
        if not message:
            return CompiledRule(rule, program, None, uses, cost)
        start = "messageExpression "
        return CompiledRule(rule, program, None, uses, cost, *self._program(
            message, env, STRING, f"{start}compilation failed: ", f"{start}must evaluate to a string",
            f"{start}instantiation failed: "))

    def _program(self, text: str, env: Environment, wanted: Type, failed: str, mistyped: str,
                 broken: str) -> tuple[Program | None, str | None, int]:
        """The program, or what is wrong with it, and its estimated cost."""
        try:
            checked = check_expression(text, env)
        except CompilationFailed as error:
            return None, f"{failed}{error}", 0
        if checked.result != wanted:
            return None, mistyped, 0
        try:
            program = instantiate(text, checked, env)
        except BadProgram as error:
            return None, f"{broken}{error}", 0
        return program, None, estimate(checked, self._sizes).high


def _environment(types: DeclaredTypes, own: Type, old: Type) -> Environment:
    return BASE.with_variables({SELF: own, OLD_SELF: old}, types)


def max_cardinality(declared: DeclaredType) -> int:
    """How often a value of the type may occur in an object, when nothing else bounds it."""
    return MAX_REQUEST // (declared.min_size + 1)
