"""Expressions that are compiled when a policy changes."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.admission.expressions.expression import Expression
from kube_twisted.cel.activation import Activation, Evaluation
from kube_twisted.cel.admission import Composition, Names
from kube_twisted.cel.types import BOOL


def compiled(text: str) -> Expression:
    return Expression.compile(text, Composition(True), Names(), (BOOL,))


class ExpressionTests(SynchronousTestCase):
    def test_value(self) -> None:
        """It has a value, or an error that shows the expression."""
        activation = Activation({"object": {"a": 1}})
        self.assertEqual(compiled("object.a == 1").run(activation), Evaluation(True))
        self.assertEqual(compiled(" object.b == 1").run(activation).error,
                         "expression ' object.b == 1' resulted in error: no such key: b")

    def test_does_not_compile(self) -> None:
        """One that does not compile, or has the wrong type, says so when it is run."""
        activation = Activation({})
        for text, problem in (
                ("nothing", "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nothing' (in container "
                            "'')\n | nothing\n | ^"),
                ("1", "must evaluate to bool but got int"),
                ("int('x') == 1", "program instantiation failed: type conversion error from 'string' to 'int'")):
            self.assertEqual(compiled(text).run(activation), Evaluation(error=f"compilation error: {problem}"))
