"""Compile an expression, and run it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kube_twisted.cel.checker import Checked, check
from kube_twisted.cel.environment import Environment
from kube_twisted.cel.errors import CelError, CompilationFailed, CostExceeded, Issue
from kube_twisted.cel.evaluator import Compiler
from kube_twisted.cel.frame import Frame, Step
from kube_twisted.cel.parser import MAX_DEPTH, parse
from kube_twisted.cel.source import Source
from kube_twisted.cel.types import Type
from kube_twisted.cel.validators import validate

#: What one evaluation may cost.
PER_CALL_LIMIT = 1_000_000


class BadProgram(Exception):
    """The expression is well typed but can't be run: a constant part of it has no value."""


@frozen
class Outcome:
    """What an evaluation gave.

    :ivar value: the result, when nothing went wrong.
    :ivar error: what went wrong: an error value, or that it cost too much.
    :ivar cost: what it has cost until its end.
    """

    value: Any
    error: CelError | CostExceeded | None
    cost: int


@frozen
class Program:
    """A compiled expression. It may be run any number of times."""

    expression: str
    checked: Checked
    run: Step
    slots: int

    @property
    def result(self) -> Type:
        """The type of the result."""
        return self.checked.result

    def evaluate(self, variables: Mapping[str, Any], limit: int = PER_CALL_LIMIT) -> Outcome:
        """Run with the given variables.

        :param limit: what the evaluation may cost.
        """
        frame = Frame(variables, self.slots, limit)
        try:
            return Outcome(self.run(frame), None, frame.cost)
        except (CelError, CostExceeded) as error:
            return Outcome(None, error, frame.cost)
        except RecursionError:
            return Outcome(None, CelError("expression nests too deeply"), frame.cost)


def check_expression(expression: str, env: Environment) -> Checked:
    """Parse and check the types of an expression.

    :raises CompilationFailed: the text lists what is wrong and where.
    """
    source = Source(expression)
    root = parse(source, binds=env.binds)
    try:
        checked = check(root, env, source)
        issues = validate(checked)
    except RecursionError:
        raise CompilationFailed(
            source, [Issue(-1, f"expression recursion limit exceeded: {MAX_DEPTH}")]) from None
    if issues:
        raise CompilationFailed(source, issues)
    return checked


def instantiate(expression: str, checked: Checked, env: Environment) -> Program:
    """Make a checked expression runnable.

    :raises BadProgram: a constant part of it, such as ``int('x')``, has no value.
    """
    compiler = Compiler(checked, env)
    try:
        run = compiler.compile(checked.root)
    except CelError as error:
        raise BadProgram(str(error)) from None
    return Program(expression, checked, run, compiler.slots)


def compile_expression(expression: str, env: Environment) -> Program:
    """Both at once.

    :raises CompilationFailed: it is no expression, or its types don't fit.
    :raises BadProgram: it can't be run.
    """
    return instantiate(expression, check_expression(expression, env), env)
