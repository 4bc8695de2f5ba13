"""Numbers: ``minimum``, ``maximum``, ``multipleOf``, and the ranges of ``int32``, ``int64`` and ``float``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from kube_twisted.api.jsonvalue import go_print
from kube_twisted.schema.structural.keywords import Keywords
from kube_twisted.schema.structural.plans import Part
from kube_twisted.schema.structural.problems import At, Outcome, Problem
from kube_twisted.schema.structural.type_checks import is_whole

Number: TypeAlias = "int | float"
#: What is wrong with a number at a path.
_Test: TypeAlias = Callable[[Number, str], "Problem | None"]
#: Makes the test of a limit.
_MakeTest: TypeAlias = Callable[[Number], _Test]

_INT64 = (-(1 << 63), (1 << 63) - 1)
_INT32 = (-(1 << 31), (1 << 31) - 1)
#: From here on a number is infinite as a 32 bit float.
_FLOAT32_OVERFLOW = 3.4028235677973366e38


def number_check(keywords: Keywords, kind: type) -> Part:
    if kind not in (int, float):
        return None, 0
    tests = _tests(keywords, kind)
    if not tests:
        return None, 2

    def check(value: Number, at: At, outcome: Outcome) -> None:
        for test in tests:
            problem = test(value, at[2])
            if problem is not None:
                outcome.add(problem, at)

    return check, 2


def _tests(keywords: Keywords, kind: type) -> list[_Test]:
    schema = keywords.schema
    tests = []
    if _may_be_outside(keywords, kind):
        tests.append(_range_test(keywords))
    for keyword, title, make in _CONSTRAINTS:
        if schema.get(keyword) is not None:
            tests += _constraint_tests(keywords, kind, float(schema[keyword]), title, make(schema))
    return tests


def _constraint_tests(keywords: Keywords, kind: type, limit: float, title: str, make: _MakeTest) -> list[_Test]:
    """A limit that the schema's own type can't hold is reported, and then compared as a float."""
    if not _fits(keywords, limit):
        text = _range_text(keywords, title)
        return [lambda value, name: Problem(text + name, kind="Text"), _as_float(make(limit))]
    return [make(_whole_limit(limit) if kind is int else limit)]


def _as_float(test: _Test) -> _Test:
    return lambda value, name: test(float(value), name)


def _whole_limit(limit: float) -> int:
    """Integers are compared with the limit without its fraction, in 64 bits."""
    return max(_INT64[0], min(_INT64[1], int(limit)))


def _may_be_outside(keywords: Keywords, kind: type) -> bool:
    return (keywords.type == "integer" and (kind is float or keywords.format == "int32")) or keywords.format == "float"


def _range_test(keywords: Keywords) -> _Test:
    text = _range_text(keywords, "Checked")
    return lambda value, name: None if _fits(keywords, value) else Problem(text + name, kind="Text")


def _range_text(keywords: Keywords, title: str) -> str:
    form = f"with format {keywords.format}" if keywords.format else "(default format)"
    return f"{title} value must be of type {keywords.type} {form} in "


def _fits(keywords: Keywords, value: Number) -> bool:
    if keywords.type == "integer":
        low, high = _INT32 if keywords.format == "int32" else _INT64
        return (isinstance(value, int) or value.is_integer()) and low <= int(value) <= high
    return keywords.format != "float" or abs(value) < _FLOAT32_OVERFLOW


def _multiple_test(_: Any) -> _MakeTest:
    def make(factor: Number) -> _Test:
        def test(value: Number, name: str) -> Problem | None:
            if factor <= 0:
                text = f"factor MultipleOf declared for {name} must be positive: {go_print(factor)}"
                return Problem(text, name, factor)
            if _is_multiple(value, factor):
                return None
            return Problem(f"{name} in body should be a multiple of {go_print(factor)}", name, value)
        return test
    return make


def _is_multiple(value: Number, factor: Number) -> bool:
    if isinstance(value, int):
        return value % factor == 0
    return is_whole(1 / factor * value if factor < 1 else value / factor)


def _bound_test(word: str, exclusive_keyword: str, sign: int) -> Callable[[Any], _MakeTest]:
    """``sign`` is 1 for an upper bound, and -1 for a lower one."""
    def of(schema: Any) -> _MakeTest:
        exclusive = bool(schema.get(exclusive_keyword))
        relation = f"{word} than" if exclusive else f"{word} than or equal to"

        def make(limit: Number) -> _Test:
            def test(value: Number, name: str) -> Problem | None:
                if sign * value < sign * limit or (value == limit and not exclusive):
                    return None
                return Problem(f"{name} in body should be {relation} {go_print(limit)}", name, value)
            return test
        return make
    return of


#: In the original's order: keyword, what it is called in messages, what makes the test.
_CONSTRAINTS: tuple[tuple[str, str, Callable[[Any], _MakeTest]], ...] = (
    ("multipleOf", "MultipleOf", _multiple_test),
    ("minimum", "Minimum boundary", _bound_test("greater", "exclusiveMinimum", -1)),
    ("maximum", "Maximum boundary", _bound_test("less", "exclusiveMaximum", 1)),
)
