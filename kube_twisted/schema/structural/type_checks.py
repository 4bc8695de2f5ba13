"""``type`` and ``nullable``: is a value of the right JSON type?"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import go_quote
from kube_twisted.schema.structural.keywords import Keywords
from kube_twisted.schema.structural.plans import Check, Part
from kube_twisted.schema.structural.problems import At, Outcome, Problem

#: What the types of values are called; and the format that the original sees in a value by itself.
_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
_OWN_FORMATS = {int: "int64", float: "float64"}
_LARGEST_EXACT = float((1 << 53) - 1)


def wrong_type(name: str, wanted: str, found: str) -> Problem:
    """A value of another type; also a text that has not the format asked for."""
    return Problem(f"{name} in body must be of type {wanted}: {go_quote(found)}", name, found, "TypeInvalid")


def null_check(keywords: Keywords) -> Part:
    """Null is fine where it is allowed or where anything is."""
    if keywords.nullable or not keywords.types:
        return None, 1
    return _refusal(keywords.types, "null"), 0


def type_check(keywords: Keywords, kind: type) -> Part:
    """The score is what the type check and its being there count."""
    types, form, name = keywords.types, keywords.format, _NAMES[kind]
    if not types and not form:
        return None, 0
    numeric = "number" in types or "integer" in types
    if name in types or (kind is int and "number" in types):
        return None, 2
    if kind is float and "integer" in types:
        return _whole_check(types, form), 1
    if form and kind in (str, list):
        return (_refusal(types, name), 1) if numeric else (None, 2)
    return _refusal((form,), _OWN_FORMATS.get(kind, "")) if form else _refusal(types, name), 1


def _refusal(types: tuple[str, ...], found: str) -> Check:
    wanted = ",".join(types)

    def refuse(_: Any, at: At, outcome: Outcome) -> None:
        outcome.add(wrong_type(at[2], wanted, found), at)

    return refuse


def _whole_check(types: tuple[str, ...], form: str) -> Check:
    """A number with a fraction is no integer; one without is."""
    refuse = _refusal((form,), "float64") if form else _refusal(types, "number")

    def check(value: float, at: At, outcome: Outcome) -> None:
        if is_whole(value):
            outcome.score += 1
        else:
            refuse(value, at, outcome)

    return check


def is_whole(value: float) -> bool:
    """Whether a number counts as an integer: exactly, or but for a rounding error."""
    if not abs(value) <= _LARGEST_EXACT:
        return False
    rest = abs(value - int(value))
    return rest == 0 or rest / (abs(value) + abs(int(value))) < 1e-9
