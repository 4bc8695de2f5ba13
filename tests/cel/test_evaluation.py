"""Evaluating: operators, errors, folds, optionals."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.base import BASE
from kube_twisted.cel.errors import CelError, CostExceeded
from kube_twisted.cel.program import BadProgram, compile_expression
from kube_twisted.cel.types import INT
from kube_twisted.cel.values import INT_MAX, INT_MIN, Duration, Timestamp, UInt
from tests.cel.evaluating import ExpressionCase, run

_TERMS = ("true", "false", "1 / 0 == 1", "dyn(1)")
_NUMBERS = st.integers(INT_MIN, INT_MAX)


class OperatorTests(ExpressionCase):
    """Arithmetic and comparisons."""

    def test_arithmetic(self) -> None:
        """Division and remainder go towards zero, as in Go."""
        self.assert_true("7 / -2 == -3", "7 % -2 == 1", "-7 % 2 == -1", "2u * 3u == 6u", "1.0 / 0.0 > 1e308",
                         "'a' + 'b' == 'ab'", "b'a' + b'b' == b'ab'", "[1] + [2] == [1, 2]", "-(1.5) == -1.5",
                         "0.0 / 0.0 != 0.0 / 0.0")

    def test_overflow(self) -> None:
        """What leaves 64 bits is an error."""
        for expression, message in {
                "9223372036854775807 + 1": "integer overflow", "-9223372036854775808 - 1": "integer overflow",
                "9223372036854775807 * 2": "integer overflow", "-(-9223372036854775808)": "integer overflow",
                "-9223372036854775808 / -1": "integer overflow", "1u - 2u": "unsigned integer overflow",
                "1 / 0": "division by zero", "1 % 0": "modulus by zero",
                "timestamp('9999-12-31T23:59:59Z') + duration('1s')": "timestamp overflow",
                "duration('2562047h') + duration('2562047h')": "integer overflow"}.items():
            self.assert_fails(expression, message)

    def test_comparisons(self) -> None:
        """Numbers compare by value whatever their type; everything else only with its own kind."""
        self.assert_true("1 < 2.5", "2u > 1", "dyn(1) == 1.0", "dyn(1u) == 1", "'a' < 'b'", "b'a' <= b'a'",
                         "false < true", "dyn(1) != true", "dyn('1') != 1", "null == null", "dyn(null) != 0",
                         "[1, 2] == [1, 2]", "{'a': 1} == {'a': 1}", "dyn([1]) == [1.0]",
                         "9007199254740993 > 9007199254740992.0")
        self.assert_fails("dyn('a') < 1", "no such overload")
        self.assert_fails("x < 1", "no such overload: _<_", {"x": [1]})
        self.assert_fails("0.0 / 0.0 < 1.0", "NaN values cannot be ordered")

    def test_missing_operators(self) -> None:
        """An operator that the left operand doesn't know is named."""
        self.assert_fails("x + 1", "no such overload: _+_", {"x": True})
        self.assert_fails("x + 1", "no such overload", {"x": "a"})
        self.assert_fails("-x", "no such overload: -_", {"x": [1]})
        self.assert_fails("-x", "no such overload: -_", {"x": UInt(1)})
        self.assert_fails("x.size() > 1", "no such overload: size", {"x": 1})
        self.assert_fails("x.startsWith('a')", "no such overload", {"x": 1})
        self.assert_fails("x.substring(1) == ''", "no such overload: substring(int, int)", {"x": 1})

    def test_operators_of_values_with_methods(self) -> None:
        """Texts and times, which have methods, don't tell which operator they lack."""
        for value in ("a", Timestamp(0), Duration(0)):
            for expression in ("x % 1", "x * 1", "x / 1"):
                self.assert_fails(expression, "no such overload", {"x": value})
        self.assert_fails("-x", "no such overload", {"x": "a"})
        self.assert_fails("size(x)", "no such overload", {"x": Duration(0)})

    def test_differences_of_what_cannot_be_compared(self) -> None:
        """Values of libraries can't be compared with others, and differ from them."""
        self.assert_true("dyn(quantity('1')) != dyn(1)", "dyn(ip('1.1.1.1')) != dyn('1.1.1.1')")
        self.assert_fails("dyn(x) == dyn(1)", "no such overload", {"x": run("quantity('1')").value})

    @given(_NUMBERS, _NUMBERS)
    def test_integers(self, first: int, second: int) -> None:
        """Sums are exact or an error."""
        outcome = run("x + y", {"x": first, "y": second})
        exact = first + second
        self.assertEqual(outcome.value, exact if INT_MIN <= exact <= INT_MAX else None)


class LogicTests(ExpressionCase):
    """Errors that don't matter."""

    @given(st.sampled_from(_TERMS), st.sampled_from(_TERMS))
    def test_commutative(self, first: str, second: str) -> None:
        """&& and || give the same in either order, an error included."""
        for operator in ("&&", "||"):
            one, two = run(f"{first} {operator} {second}"), run(f"{second} {operator} {first}")
            self.assertEqual(one.value, two.value)
            self.assertEqual(one.error is None, two.error is None)

    def test_absorption(self) -> None:
        """One decisive operand makes the error of the other irrelevant; also in folds."""
        self.assert_true("1 / 0 == 1 || true", "!(1 / 0 == 1 && false)", "[0, 1].exists(x, 1 / x == 1)",
                         "![0, 1].all(x, 1 / x != 1)", "true ? true : 1 / 0 == 1")
        self.assert_fails("[0, 1].exists_one(x, 1 / x == 1)", "division by zero")
        self.assert_fails("[0, 1].map(x, 1 / x) == []", "division by zero")
        self.assert_fails("x || false", "no such overload", {"x": 1})
        self.assert_fails("x ? 1 : 2", "no such overload", {"x": 1})


class AccessTests(ExpressionCase):
    """Fields, entries and elements."""

    def test_missing(self) -> None:
        """What is not there is named."""
        self.assert_fails("{'a': 1}.b", "no such key: b")
        self.assert_fails("x.a.b.c", "no such key: b", {"x": {"a": {}}})
        self.assert_fails("[1][5]", "index out of bounds: 5")
        self.assert_fails("x[-1]", "index out of bounds: -1", {"x": [1]})
        self.assert_fails("x['a']", "unsupported index type 'string' in list", {"x": [1]})
        self.assert_fails("x.a", "no such key: a", {"x": 1})

    def test_presence(self) -> None:
        """has() and in tell what is there, by name, key or index."""
        self.assert_true("has({'a': 1}.a)", "!has({'a': 1}.b)", "'a' in {'a': 1}", "dyn(1) in [1.0, 2.0]",
                         "!(3 in [1, 2])",
                         "dyn(1.0) in {1: 'a'}", "{1: 'a'}[dyn(1u)] == 'a'", "[1, 2][dyn(1.0)] == 2")
        self.assert_fails("has(x.a.b)", "no such key: a", {"x": {}})
        self.assertEqual(run("has(x.a)", {"x": 1}).value, False)

    def test_optionals(self) -> None:
        """Behind a question mark, what is missing is nothing."""
        self.assert_true("{'a': {'b': 1}}.?a.b.orValue(0) == 1", "{'a': {'c': 1}}.?b.?c.orValue(5) == 5",
                         "[1][?5] == optional.none()", "optional.of(1).or(optional.of(2)).value() == 1",
                         "optional.of(3).optMap(x, x + 1) == optional.of(4)",
                         "optional.none().optMap(x, x + 1) == optional.none()",
                         "{?'a': optional.none(), 'b': 1} == {'b': 1}", "[?optional.of(1), 2] == [1, 2]",
                         "optional.ofNonZeroValue('') == optional.none()", "{'a': 1}.?a.hasValue()",
                         "optional.of({'a': 1}).a == optional.of(1)", "[1, 2].last().value() == 2",
                         "optional.unwrap([optional.of(1), optional.none()]) == [1]",
                         "{'k': {'s': 1}}.?k.optFlatMap(k, k.?s) == optional.of(1)")
        self.assert_fails("optional.none().value() == 1", "optional.none() dereference")

    def test_types(self) -> None:
        """Types are values."""
        self.assert_true("type(1) == int", "type('') == string", "type([]) == list", "type(null) == null_type",
                         "type(type(1)) == type", "type(duration('1s')) == google.protobuf.Duration",
                         "type(ip('::1')) == net.IP", "type(optional.none()) == optional_type")


class FoldTests(ExpressionCase):
    """Macros."""

    def test_lists(self) -> None:
        """Lists are gone through by element, or by index and element."""
        self.assert_true("[1, 2].all(x, x > 0)", "[1, 2].exists(x, x > 1)", "[1, 2, 2].exists_one(x, x == 1)",
                         "[1, 2].map(x, x * 2) == [2, 4]", "[1, 2, 3].map(x, x > 1, x * 2) == [4, 6]",
                         "[1, 2].filter(x, x > 1) == [2]", "[].all(x, false)", "[1, 2].all(i, v, v == i + 1)",
                         "[5, 6].transformList(i, v, i * v) == [0, 6]", "[1, 1].existsOne(i, v, i == 1)",
                         "[[1, 2], [3]].map(x, x.map(y, y + 1)) == [[2, 3], [4]]",
                         "['b', 'a'].transformMap(i, v, v) == {0: 'b', 1: 'a'}",
                         "[1, 2, 3].sortBy(x, -x) == [3, 2, 1]")

    def test_maps(self) -> None:
        """Maps are gone through by key, or by key and value."""
        self.assert_true("{'a': 1}.all(k, k == 'a')", "{'a': 1}.exists(k, v, v == 1)", "{'a': 1}.map(k, k) == ['a']",
                         "{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 2) == {'b': 4}",
                         "{'a': 1}.transformMapEntry(k, v, {v: k}) == {1: 'a'}")
        self.assert_fails("{'a': 1, 'b': 1}.transformMapEntry(k, v, {v: k})",
                          "insert failed: key 1 already exists")

    def test_scopes(self) -> None:
        """An inner variable hides an outer one of the same name; results are new every time."""
        self.assert_true("[1, 2].map(x, [10].map(x, x)) == [[10], [10]]",
                         "[1, 2].map(x, [10].map(y, x + y)) == [[11], [12]]")
        program = compile_expression("[1, 2].map(x, x)", BASE)
        self.assertEqual(program.evaluate({}).value, program.evaluate({}).value)

    def test_wrong_range(self) -> None:
        """Only lists and maps can be gone through; the complaint tells the original's class of anything else."""
        self.assert_fails("x.all(y, true)", "got 'types.Int', expected iterable type", {"x": 1})
        self.assert_fails("x.all(y, true)", "got '*types.Type', expected iterable type", {"x": run("int").value})
        self.assert_fails("x.all(y, z, true)", "unsupported comprehension range type: types.Null", {"x": None})
        self.assert_fails("x.map(y, 1)", "got 'cel.URL', expected iterable type", {"x": run("url('http://a')").value})


class ProgramTests(SynchronousTestCase):
    """Running."""

    def test_cost_limit(self) -> None:
        """An evaluation that costs too much is given up, and no operator absorbs that."""
        program = compile_expression("lists.range(1000).all(x, x >= 0) || true", BASE)
        outcome = program.evaluate({}, limit=100)
        self.assertIsInstance(outcome.error, CostExceeded)
        self.assertEqual(str(outcome.error), "operation cancelled: actual cost limit exceeded")

    def test_missing_variable(self) -> None:
        """A variable without a value is an error, as is one whose value is an error."""
        self.assertEqual(str(run("x", {"x": CelError("broken")}).error), "broken")
        program = compile_expression("x", BASE.with_variables({"x": INT}))
        self.assertEqual(str(program.evaluate({}).error), "no such attribute(s): x")

    def test_constants(self) -> None:
        """A constant conversion that fails makes the expression unusable."""
        with self.assertRaises(BadProgram) as caught:
            compile_expression("'a'.findAll('(', 1)", BASE)
        self.assertEqual(str(caught.exception), "error parsing regexp: missing closing ): `(`")
        with self.assertRaises(BadProgram) as caught:
            compile_expression("int('x') == 1", BASE)
        self.assertEqual(str(caught.exception), "type conversion error from 'string' to 'int'")
