"""One requirement of a label selector: how it matches, how it is written, what can be wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from attrs import frozen

from kube_twisted.api.field import FieldError, invalid
from kube_twisted.api.names import label_value, qualified_name

Labels = Mapping[str, str]
Predicate = Callable[[Labels], bool]

IN, NOT_IN, EXISTS, DOES_NOT_EXIST = "in", "notin", "exists", "!"
EQUALS, DOUBLE_EQUALS, NOT_EQUALS, GREATER, LESS = "=", "==", "!=", "gt", "lt"
_SYMBOLS = {EQUALS: "=", DOUBLE_EQUALS: "==", NOT_EQUALS: "!=", GREATER: ">", LESS: "<"}
_SET_BASED = (IN, NOT_IN)


@frozen
class Requirement:
    """A key, an operator and the values it compares with."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.operator == EXISTS:
            return self.key
        if self.operator == DOES_NOT_EXIST:
            return f"!{self.key}"
        values = ",".join(sorted(self.values))
        if self.operator in _SET_BASED:
            return f"{self.key} {self.operator} ({values})"
        return f"{self.key}{_SYMBOLS[self.operator]}{values}"

    def compiled(self) -> Predicate:
        """A closure that tells whether labels fulfil the requirement; an absent key fulfils negations."""
        key, values = self.key, frozenset(self.values)
        match self.operator:
            case "in" | "=" | "==":
                if len(values) == 1:
                    value = self.values[0]
                    return lambda labels: labels.get(key) == value
                return lambda labels: labels.get(key) in values
            case "notin" | "!=":
                return lambda labels: labels.get(key) not in values
            case "exists":
                return lambda labels: key in labels
            case "!":
                return lambda labels: key not in labels
        return _comparison(key, self.operator, int(self.values[0]))


def _comparison(key: str, operator: str, bound: int) -> Predicate:
    def compare(labels: Labels) -> bool:
        number = _int64(labels.get(key, ""))
        return number is not None and (number > bound if operator == GREATER else number < bound)

    return compare


def _int64(text: str) -> int | None:
    """The number that Go's ParseInt reads, or None."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        return None
    number = int(text) if len(text) < 32 else 1 << 64
    return number if -(1 << 63) <= number < 1 << 63 else None


def requirement_errors(one: Requirement, path: str = "") -> list[FieldError]:
    """What is wrong with a requirement."""
    prefix = f"{path}." if path else ""
    errors = []
    if messages := qualified_name(one.key):
        errors.append(invalid(f"{prefix}key", one.key, "; ".join(messages)))
    values = f"{prefix}values"
    if message := _count_error(one):
        errors.append(invalid(values, list(one.values), message))
    if one.operator in (GREATER, LESS):
        message = "for 'Gt', 'Lt' operators, the value must be an integer"
        errors += [invalid(f"{values}[{index}]", value, message)
                   for index, value in enumerate(one.values) if _int64(value) is None]
    for index, value in enumerate(one.values):
        if messages := label_value(value):
            errors.append(invalid(f"{values}[{index}][{one.key}]", value, "; ".join(messages)))
    return errors


def _count_error(one: Requirement) -> str:
    if one.operator in _SET_BASED:
        return "" if one.values else "for 'in', 'notin' operators, values set can't be empty"
    if one.operator in (EXISTS, DOES_NOT_EXIST):
        return "values set must be empty for exists and does not exist" if one.values else ""
    if len(one.values) == 1:
        return ""
    if one.operator in (GREATER, LESS):
        return "for 'Gt', 'Lt' operators, exactly one value is required"
    return "exact-match compatibility requires one single value"
