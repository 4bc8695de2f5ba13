"""Evaluate expressions in tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.base import BASE
from kube_twisted.cel.environment import Environment
from kube_twisted.cel.errors import CompilationFailed
from kube_twisted.cel.program import Outcome, check_expression, compile_expression
from kube_twisted.cel.types import DYN


def run(expression: str, variables: Mapping[str, Any] | None = None, env: Environment = BASE) -> Outcome:
    """Compile and evaluate; the variables are of any type."""
    variables = variables or {}
    return compile_expression(expression, env.with_variables(dict.fromkeys(variables, DYN))).evaluate(variables)


def issues(expression: str, env: Environment = BASE) -> str:
    """What the compiler says; empty when nothing is wrong."""
    try:
        check_expression(expression, env)
    except CompilationFailed as error:
        return str(error)
    return ""


class ExpressionCase(SynchronousTestCase):
    """Assertions about expressions."""

    def assert_true(self, *expressions: str) -> None:
        """Every expression evaluates to true."""
        for expression in expressions:
            outcome = run(expression)
            self.assertEqual((outcome.value, outcome.error and str(outcome.error)), (True, None), expression)

    def assert_fails(self, expression: str, message: str, variables: Mapping[str, Any] | None = None) -> None:
        """The evaluation ends with an error."""
        outcome = run(expression, variables)
        self.assertEqual(str(outcome.error), message, expression)
