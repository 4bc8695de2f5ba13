"""Types of expressions, and what is said when they don't fit."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.base import BASE
from kube_twisted.cel.declared import DeclaredTypes
from kube_twisted.cel.program import check_expression
from kube_twisted.cel.schema_types import declared_type
from tests.cel.evaluating import issues

_SCHEMA = {"type": "object", "properties": {
    "a": {"type": "integer"}, "s": {"type": "string"}, "l": {"type": "array", "items": {"type": "string"}},
    "m": {"type": "object", "additionalProperties": {"type": "number"}}, "namespace": {"type": "string"},
    "a-b": {"type": "boolean"}, "either": {"x-kubernetes-int-or-string": True}}}
#: expression -> column and complaint
_COMPLAINTS = {
    "self.b > 1": (5, "undefined field 'b'"),
    "self.a == 'x'": (8, "found no matching overload for '_==_' applied to '(int, string)'"),
    "nosuch(self.a)": (7, "undeclared reference to 'nosuch' (in container '')"),
    "self.s.foo()": (11, "undeclared reference to 'foo' (in container '')"),
    "self.s.size(1)": (12, "found no matching overload for 'size' applied to 'string.(int)'"),
    "x": (1, "undeclared reference to 'x' (in container '')"),
    "self.a.b": (7, "type 'int' does not support field selection"),
    "self.a.all(x, true)": (5, "expression of type 'int' cannot be range of a comprehension (must be list, map, or "
                               "dynamic)"),
    "[1, 'a']": (5, "expected type 'int' but found 'string'"),
    "{1: 'a', 2: 3}": (13, "expected type 'string' but found 'int'"),
    "[1, dyn('a')]": (8, "expected type 'int' but found 'dyn'"),
    "self.a && true": (5, "expected type 'bool' but found 'int'"),
    "self.l.exists(x, x == 1)": (20, "found no matching overload for '_==_' applied to '(string, int)'"),
    "self.m == self.l": (8, "found no matching overload for '_==_' applied to '(map(string, double), list(string))'"),
    "self + 1": (6, "found no matching overload for '_+_' applied to '(selfType, int)'"),
    "duration('1x')": (10, "invalid duration argument"),
    "timestamp('x')": (11, "invalid timestamp argument"),
    "self.s.matches('(')": (16, "invalid matches argument"),
    "'%d'.format(['a'])": (14, "error during formatting: decimal clause can only be used on integers, was given "
                               "string"),
    "'%d'.format([1, 2])": (12, "too many arguments supplied to string.format (expected 1, got 2)"),
    "'%d'.format([])": (12, "index 0 out of range"),
    "[?1]": (3, "expected type 'optional_type(int)' but found 'int'"),
    "int{a: 1}": (4, "'int' is not a message type"),
}
_TYPES = {
    "self.a + 1": "int", "self.m['x']": "double", "self.l.map(x, size(x))": "list(int)", "self.__namespace__": "string",
    "self.namespace": "string", "self.a__dash__b": "bool", "self.either": "dyn", "[]": "list(dyn)",
    "true ? 1 : dyn('a')": "dyn", "self.?a": "optional_type(int)", "self.?a.orValue(1)": "int",
    "self.l[?0].optMap(x, x + 'a')": "optional_type(string)", "type(1)": "type(int)", "duration('1s') + timestamp(0)":
    "timestamp", "{'a': [1u]}": "map(string, list(uint))",
    "self.m.transformMap(k, v, [k])": "map(string, list(string))",
    "[[1]].flatten()": "list(int)", "null": "null", "quantity('1')": "kubernetes.Quantity",
}


class CheckerTests(SynchronousTestCase):
    """Checking with a variable whose type comes from a schema."""

    def setUp(self) -> None:
        declared = declared_type(_SCHEMA)
        assert declared is not None
        named = declared.named("selfType")
        self.env = BASE.with_variables({"self": named.type}, DeclaredTypes.of(named))

    def test_complaints(self) -> None:
        """Each complaint names the place and the types."""
        for expression, (column, message) in _COMPLAINTS.items():
            self.assertEqual(issues(expression, self.env).splitlines()[:1],
                             [f"ERROR: <input>:1:{column}: {message}"], expression)

    def test_macros_with_one_variable(self) -> None:
        """``existsOne`` is there with two variables only; with one it is ``exists_one``."""
        self.assertIn("undeclared reference to 'existsOne'", issues("[1].existsOne(x, x == 1)"))
        self.assertEqual(issues("[1].existsOne(i, x, x == 1) && [1].exists_one(x, x == 1)"), "")

    def test_mixed_lists(self) -> None:
        """What lists and maps mix is told only of an expression whose names and types are right otherwise."""
        self.assertEqual(issues("[1, 'a'].nope()").splitlines()[0],
                         "ERROR: <input>:1:14: undeclared reference to 'nope' (in container '')")
        self.assertEqual(issues("'%d %s'.format([1, 'a'])"), "")
        self.assertIn("expected type 'int' but found 'string'", issues("{'a': 1, 'b': 'c'}"))

    def test_all_complaints(self) -> None:
        """All that is wrong is told of, in the order of the text."""
        lines = [line for line in issues("y + x.z(w)", self.env).splitlines() if line.startswith("ERROR")]
        self.assertEqual(lines, [
            f"ERROR: <input>:1:{column}: undeclared reference to '{name}' (in container '')"
            for column, name in ((1, "y"), (5, "x"), (8, "z"), (9, "w"))])

    def test_types(self) -> None:
        """The result's type, with type parameters found out."""
        for expression, expected in _TYPES.items():
            self.assertEqual(str(check_expression(expression, self.env).result), expected, expression)

    def test_names(self) -> None:
        """It is known which variables an expression refers to; a variable of a macro hides others."""
        self.assertTrue(check_expression("self.a > 1", self.env).refers_to("self"))
        self.assertFalse(check_expression("[1].all(x, x > 1)", self.env).refers_to("self"))
