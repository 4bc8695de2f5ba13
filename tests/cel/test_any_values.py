"""Every function with arguments of any type: what doesn't fit is an error of the language, never another one."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.base import BASE
from kube_twisted.cel.errors import CelError, CostExceeded
from kube_twisted.cel.functions import Function
from kube_twisted.cel.program import Program, compile_expression
from kube_twisted.cel.types import DYN
from kube_twisted.cel.values import INT_MAX, INT_MIN, UInt
from tests.cel.evaluating import run

_MADE = ("timestamp('2024-01-01T00:00:00Z')", "timestamp('9999-12-31T23:59:59Z')", "duration('1h')",
         "duration('-9223372036s')", "quantity('1Gi')", "ip('::1')", "cidr('10.0.0.0/8')", "url('https://a')",
         "semver('1.2.3')", "optional.none()", "optional.of(1)", "int", "format.dns1123Label()")
_VALUES: list[Any] = [
    0, 1, -1, INT_MAX, INT_MIN, UInt(0), UInt(2**64 - 1), 0.0, 1.5, float("nan"), float("inf"), 1e300, True, False,
    None, "", "a", "10.0.0.1", "2024-01-01T00:00:00Z", "(", "%s %d", "\U0001f600x", "1h", b"", b"\xff", [], [1, 2],
    ["a"], [1, "a", None], [[1], [2]], {}, {"a": 1}, {1: 2}, *(run(one).value for one in _MADE)]
_OTHERS = ("x[y]", "x ? y : z", "x in y", "x.?a[?y].orValue(z)", "x.all(i, i > y)", "x.map(i, i + y)", "x.a.b",
           "x.transformMap(k, v, v + y)", "x.sortBy(i, i)", "{x: y}[z]", "'%s %d %x'.format([x, y, z])", "has(x.a)")
_NAMES = "xyzw"


def _calls(name: str, function: Function) -> set[str]:
    """A call for each number of arguments."""
    found = set()
    for overload in function.overloads:
        args = _NAMES[:len(overload.params)]
        if not re.fullmatch(r"[\w.]+", name):
            if re.fullmatch(r"_[^\[?]+_", name):
                found.add(f"x {name[1:-1]} y")
        elif overload.is_method:
            found.add(f"{args[0]}.{name}({', '.join(args[1:])})")
        else:
            found.add(f"{name}({', '.join(args)})")
    return found


@cache
def _program(text: str) -> Program:
    return compile_expression(text, BASE.with_variables(dict.fromkeys(_NAMES, DYN)))


_TEXTS = sorted({text for name, function in BASE.functions.items() if not name.startswith("@")
                 for text in _calls(name, function)} | set(_OTHERS))


class AnyValueTests(SynchronousTestCase):
    """Values of any type for variables of any type."""

    def test_functions(self) -> None:
        """There are calls of all kinds among those that are tried."""
        self.assertLessEqual({"x.startsWith(y)", "x + y", "sets.contains(x, y)", "duration(x)"}, set(_TEXTS))

    @given(st.sampled_from(_TEXTS), st.lists(st.sampled_from(_VALUES), min_size=4, max_size=4))
    def test_any_values(self, text: str, values: list[Any]) -> None:
        """There is a value, or an error of the language."""
        outcome = _program(text).evaluate(dict(zip(_NAMES, values, strict=True)))
        self.assertIsInstance(outcome.error, (type(None), CelError, CostExceeded))
        self.assertGreaterEqual(outcome.cost, 0)

    def test_single_arguments(self) -> None:
        """Likewise for each value by itself."""
        for text in _TEXTS:
            for value in _VALUES:
                outcome = _program(text).evaluate(dict.fromkeys(_NAMES, value))
                self.assertIsInstance(outcome.error, (type(None), CelError, CostExceeded))
