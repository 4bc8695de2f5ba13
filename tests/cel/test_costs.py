"""Costs of expressions: those of an evaluation, and those estimated before."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel import frame
from kube_twisted.cel.base import BASE
from kube_twisted.cel.errors import CostExceeded
from kube_twisted.cel.program import compile_expression
from kube_twisted.cel.rules import RuleCompiler
from kube_twisted.cel.schema_types import declared_type
from kube_twisted.cel.schema_values import to_value
from tests.cel.evaluating import run

INTEGER, NUMBER, TEXT, BOOLEAN = {"type": "integer"}, {"type": "number"}, {"type": "string"}, {"type": "boolean"}
INT_OR_STRING = {"x-kubernetes-int-or-string": True}
PAIR = {"type": "object", "properties": {"k": TEXT, "v": TEXT}}


def array(items: Any, most: int | None = None, **extra: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **({} if most is None else {"maxItems": most}), **extra}


def mapping(values: Any, most: int | None = None) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values, **({} if most is None else {"maxProperties": most})}


def text(most: int | None = None, **extra: Any) -> dict[str, Any]:
    return {"type": "string", **({} if most is None else {"maxLength": most}), **extra}


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


class RuntimeCostTests(SynchronousTestCase):
    """What an evaluation costs, as kube-apiserver counts it."""

    def assert_costs(self, schema: dict[str, Any], value: Any, costs: dict[str, int]) -> None:
        """Each rule holds for the value, at its cost."""
        declared = declared_type(schema)
        assert declared is not None
        compiler, own = RuleCompiler(declared), to_value(value, schema)
        for rule, cost in costs.items():
            compiled = compiler.compile({"rule": rule})
            self.assertIsNotNone(compiled.program, compiled.error)
            assert compiled.program is not None
            outcome = compiled.program.evaluate({"self": own})
            self.assertEqual((outcome.value, outcome.cost), (True, cost), rule)

    def test_numbers(self) -> None:
        """A name and a field cost one each, an operation one; constants nothing."""
        self.assert_costs(fields(a=INTEGER, b=NUMBER), {"a": 5, "b": 10.0}, {
            "double(self.a) < self.b": 6, "double(5) < 10.0": 1, "type(self.a) == int": 4, "self.a == 5": 3})

    def test_texts(self) -> None:
        """Functions of texts cost by what they go through."""
        self.assert_costs(fields(s=TEXT), {"s": "Rook takes 👑"}, {
            "self.s.startsWith('Rook')": 4, "self.s.matches('^[^0-9]*$')": 8, "size(self.s) == 12": 4,
            "self.s.charAt(3) == 'k'": 4, "self.s.replace(' ', 'x') == 'Rookxtakesx👑'": 7,
            "self.s.split(' ') == ['Rook', 'takes', '👑']": 6, "self.s.substring(4, 10).trim() == 'takes'": 6})

    def test_lists(self) -> None:
        """Folds cost at each turn, comparisons by the elements."""
        self.assert_costs(fields(a=array(INTEGER)), {"a": [1, 1, 2, 2, 3, 3, 4, 5]}, {
            "2 in self.a": 10, "self.a.all(e, e > 0)": 43, "self.a.exists(e, e > 2)": 36,
            "self.a.exists_one(e, e > 4)": 22, "size(self.a.filter(e, e%2 == 0)) == 3": 68,
            "self.a.map(e, e * 20).filter(e, e > 50).exists(e, e == 60)": 194})

    def test_lists_of_maps(self) -> None:
        """Lists that are maps by their keys are compared and added as such."""
        lists = [[{"k": "a", "v": "1"}, {"k": "b", "v": "2"}], [{"k": "b", "v": "2"}, {"k": "a", "v": "1"}],
                 [{"k": "b", "v": "3"}, {"k": "a", "v": "1"}]]
        keyed = array(PAIR, **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]})
        self.assert_costs(fields(l=array(keyed)), {"l": lists}, {
            "self.l[0] == self.l[1]": 7, "self.l[0] + self.l[2] == self.l[2]": 11,
            "self.l[0] == [self.l[0][1], self.l[0][0]]": 22})

    def test_presence_and_optionals(self) -> None:
        """Asking for presence costs as little as naming."""
        self.assert_costs(fields(o=fields(f=TEXT, g=TEXT), m=mapping(TEXT)), {"o": {"f": "a"}, "m": {"k": "v"}}, {
            "has(self.o.f)": 2, "!has(self.o.g)": 3, "self.o.?f == optional.of('a')": 5, "self.m[?'k'].hasValue()": 4,
            "self.o.?f.orValue('v') == 'a'": 4, "optional.of('a').optMap(v, v == 'value').hasValue()": 8})

    def test_limit(self) -> None:
        """An evaluation ends when it has cost too much."""
        program = compile_expression("[1, 2, 3].all(x, [1, 2, 3].all(y, x + y > 0))", BASE)
        outcome = program.evaluate({}, limit=50)
        self.assertIsInstance(outcome.error, CostExceeded)
        self.assertEqual(str(outcome.error), "operation cancelled: actual cost limit exceeded")
        self.assertIsNone(program.evaluate({}).error)

    def test_refused_before(self) -> None:
        """A call that costs too much isn't made."""
        outcome = run("x.distinct()", {"x": list(range(100_000))})
        self.assertEqual((str(outcome.error), outcome.cost),
                         ("operation cancelled: actual cost limit exceeded", 20_000_000_012))

    def test_time(self) -> None:
        """An evaluation that takes too long ends as well, and nothing absorbs that."""
        self.patch(frame, "MOST_TIME", -1.0)
        outcome = run("[1].all(x, x > 0) || true")
        self.assertIsInstance(outcome.error, CostExceeded)
        self.assertEqual(str(outcome.error), "operation interrupted")


class EstimatedCostTests(SynchronousTestCase):
    """What a rule may cost by what its schema allows, as kube-apiserver estimates it."""

    def assert_estimates(self, schema: dict[str, Any], costs: dict[str, int]) -> None:
        declared = declared_type(schema)
        assert declared is not None
        compiler = RuleCompiler(declared)
        for rule, cost in costs.items():
            compiled = compiler.compile({"rule": rule})
            self.assertIsNone(compiled.error)
            self.assertEqual(compiled.max_cost, cost, rule)

    def test_lists(self) -> None:
        """By the most elements, or by as many as fit into a request."""
        self.assert_estimates(array(NUMBER), {"self.all(x, true)": 4718591, "self[1] == 0.0": 2,
                                              "self.all(x, x == 0.0)": 6291454})
        self.assert_estimates(array(NUMBER, 10), {"self.all(x, true)": 32, "self.all(x, self.all(y, true))": 352,
                                                  "self.all(x, self.all(y, self.all(z, true)))": 3552})
        self.assert_estimates(array(array(NUMBER)), {"self.all(x, true)": 3145727, "self[0][0] == -1.0": 3})
        self.assert_estimates(array(INT_OR_STRING), {"self.all(x, true)": 4718591, "self[0] == 5": 3})

    def test_maps(self) -> None:
        """Likewise."""
        self.assert_estimates(mapping(NUMBER), {"self.all(x, true)": 1348169, "has(self.x)": 1, 'self["x"] == 0.0': 2})
        self.assert_estimates(mapping(text()), {"self.all(x, x.contains(self[x]))": 2752507})
        self.assert_estimates(mapping(text(10), 10), {"self.all(x, x.contains(self[x]))": 72})

    def test_texts(self) -> None:
        """By the most characters; a text of an enumeration is as long as the longest one."""
        self.assert_estimates(text(), {
            "self.contains('test')": 314574, "self.startsWith('test')": 2, 'self.matches("x")': 314574,
            "self.find('[0-9]+') == ''": 629147, "self.lowerAscii() == 'lower!'": 314575,
            '"".matches("(((((((((())))))))))[0-9]")': 7, 'size(self + "hello") > size("hello")': 314578})
        self.assert_estimates(text(50), {'self.matches("x")': 22})
        self.assert_estimates(text(enum=["A", "B", "C", "LongValue"]), {"self.contains('A')": 2})

    def test_library(self) -> None:
        """Functions of Kubernetes have costs of their own."""
        self.assert_estimates(array(text()), {"self.join(' ') == 'aa bb'": 329853068905,
                                              "self.isSorted() == true": 329854432052})
        self.assert_estimates(array(text(10), 10), {"self.join(' ') == 'aa bb'": 43, "self.isSorted() == true": 52})
        self.assert_estimates(fields(s=text(4), b=text(2), a=text(4)), {
            "self.s.replace(self.b, self.a) == 'does not matter'": 12})

    def test_formats(self) -> None:
        """Times and durations are of known size."""
        self.assert_estimates(array(text(format="duration")), {"self.all(x, true)": 2359295,
                                                               "self[0].getHours() == 2": 4})
        self.assert_estimates(array(text(format="date")), {"self.all(x, true)": 725936})
        self.assert_estimates(array(text(format="date-time")), {"self.all(x, true)": 428963})
