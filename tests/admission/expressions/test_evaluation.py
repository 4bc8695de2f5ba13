"""Expressions with variables and a budget."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.admission.expressions.evaluation import BUDGET, BudgetSpent, Evaluation, Expression, Result
from kube_twisted.cel.admission import Composition, Names
from kube_twisted.cel.types import BOOL


class EvaluationTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.within = Composition(True)
        self.variables: dict[str, Expression] = {}

    def variable(self, name: str, text: str) -> None:
        compiled = Expression.compile(text, self.within, Names())
        self.within.declare(name, compiled.program.result if compiled.program else None)
        self.variables[name] = compiled

    def expression(self, text: str) -> Expression:
        return Expression.compile(text, self.within, Names(), (BOOL,))

    def evaluation(self, obj: Any = None, budget: int = BUDGET) -> Evaluation:
        return Evaluation(self.variables, {"object": obj}, budget)

    def test_value(self) -> None:
        """An expression has a value."""
        self.assertEqual(self.evaluation({"a": 1}).evaluate(self.expression("object.a == 1")), Result(True))

    def test_does_not_compile(self) -> None:
        """One that does not compile says why when it is evaluated."""
        error = self.evaluation().evaluate(self.expression("nothing")).error
        self.assertEqual(error, "compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to "
                                "'nothing' (in container '')\n | nothing\n | ^")
        self.assertEqual(self.evaluation().evaluate(self.expression("1")).error,
                         "compilation error: must evaluate to bool but got int")

    def test_variable_that_does_not_compile(self) -> None:
        """A variable that does not compile is an error where it is used."""
        self.variable("a", "nothing")
        error = self.evaluation().evaluate(self.expression("variables.a == 1")).error
        self.assertIn('composited variable "a" fails to compile: compilation failed: ERROR', error)

    def test_nested_errors(self) -> None:
        """Errors tell the way through variables."""
        self.variable("a", "object.x")
        self.variable("b", "variables.a + 1")
        error = self.evaluation({}).evaluate(self.expression("variables.b == 1")).error
        self.assertEqual(error, "expression 'variables.b == 1' resulted in error: composited variable \"b\" fails to "
                                'evaluate: composited variable "a" fails to evaluate: no such key: x')

    def test_once(self) -> None:
        """A variable is evaluated, and paid for, once for all expressions."""
        self.variable("a", "object.list.all(x, x > 0)")
        evaluation = self.evaluation({"list": [1] * 100})
        spent = []
        for _ in range(2):
            before = evaluation.left
            evaluation.evaluate(self.expression("variables.a"))
            spent.append(before - evaluation.left)
        self.assertEqual(spent[1], 2)
        self.assertTrue(spent[0] > 100)

    def test_budget(self) -> None:
        """What all expressions and variables cost together must not exceed the budget."""
        self.variable("a", "object.list.all(x, x > 0)")
        evaluation = self.evaluation({"list": [1] * 100}, 10)
        self.assertEqual(evaluation.evaluate(self.expression("object.list != null")), Result(True))
        self.assertRaises(BudgetSpent, evaluation.evaluate, self.expression("variables.a"))

    def test_presence(self) -> None:
        """Variables can be looked for."""
        self.variable("a", "1")
        self.assertEqual(self.evaluation().evaluate(self.expression("has(variables.a)")), Result(True))
