"""Texts: ``maxLength``, ``minLength``, ``pattern``, ``format``."""

from __future__ import annotations

from collections.abc import Callable

from kube_twisted.schema.structural.formats import FORMATS
from kube_twisted.schema.structural.keywords import Keywords
from kube_twisted.schema.structural.plans import Part
from kube_twisted.schema.structural.problems import At, Outcome, Problem
from kube_twisted.schema.structural.type_checks import wrong_type
from kube_twisted.util.regexp import RegexpError, compile_regexp


def string_check(keywords: Keywords, kind: type) -> Part:
    """Lengths are in characters. The first thing wrong is the only one reported."""
    schema = keywords.schema
    if kind is not str:
        return None, 0
    longest, shortest, pattern = schema.get("maxLength"), schema.get("minLength"), schema.get("pattern")
    if longest is None and shortest is None and not pattern:
        return None, 1
    matches = _matcher(pattern)

    def check(value: str, at: At, outcome: Outcome) -> None:
        start = f"{at[2]} in body should"
        if longest is not None and len(value) > longest:
            outcome.add(Problem(f"{start} be at most {longest} chars long", at[2], value, "TooLong", longest), at)
        elif shortest is not None and len(value) < shortest:
            outcome.add(Problem(f"{start} be at least {shortest} chars long", at[2], value), at)
        elif not matches(value):
            outcome.add(Problem(f"{start} match '{pattern}'", at[2], value), at)

    return check, 1


def _matcher(pattern: str | None) -> Callable[[str], bool]:
    """Finds a pattern; one that is no expression matches nothing."""
    if not pattern:
        return lambda _: True
    try:
        return compile_regexp(pattern).matches
    except RegexpError:
        return lambda _: False


def format_check(keywords: Keywords, kind: type) -> Part:
    test = FORMATS.get(keywords.format.replace("-", "")) if kind is str and keywords.format else None
    if test is None:
        return None, 0

    def check(value: str, at: At, outcome: Outcome) -> None:
        if not test(value):
            outcome.add(wrong_type(at[2], keywords.format, value), at)

    return check, 1
