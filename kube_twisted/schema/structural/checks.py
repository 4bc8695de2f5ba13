"""The value validations of one schema, prepared per type of value.

A value has one Python type, and most keywords of a schema speak about one type: what is left to do for a value is
found once, and mostly is nothing. Semantics: JSON schema as kube-openapi's ``validation/validate`` carries it out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kube_twisted.schema.structural.collections import fields_check, items_check
from kube_twisted.schema.structural.combinators import combinators_check
from kube_twisted.schema.structural.enums import enum_check
from kube_twisted.schema.structural.keywords import Keywords
from kube_twisted.schema.structural.numbers import number_check
from kube_twisted.schema.structural.plans import Plan, Schema
from kube_twisted.schema.structural.problems import ROOT, At, Outcome
from kube_twisted.schema.structural.strings import format_check, string_check
from kube_twisted.schema.structural.type_checks import null_check, type_check


class Checks:
    """The validations of a schema and all below; made ready when the first value comes.

    :ivar plans: by the type of value.
    """

    __slots__ = ("plans",)

    def __init__(self, schema: Schema, for_defaults: bool = False) -> None:
        """:param for_defaults: as ``Keywords.of`` takes it."""
        self.plans: dict[type, Plan] = _Plans(schema, for_defaults)

    def run(self, value: Any, at: At, outcome: Outcome) -> None:
        """Add what is wrong with a value to an outcome."""
        checks, passed = self.plans[type(value)]
        outcome.score += passed
        for check in checks:
            check(value, at, outcome)

    def outcome(self, value: Any, at: At = ROOT) -> Outcome:
        """What is wrong with a value."""
        result = Outcome()
        self.run(value, at, result)
        return result


class _Plans(dict[type, Plan]):
    """Makes the plan of a type when it is asked for."""

    def __init__(self, schema: Schema, for_defaults: bool) -> None:
        super().__init__()
        self._keywords = Keywords.of(schema, for_defaults)
        self._below = partial(Checks, for_defaults=for_defaults)

    def __missing__(self, kind: type) -> Plan:
        made = self[kind] = _plan(self._keywords, kind, self._below)
        return made


def _plan(keywords: Keywords, kind: type, below: Callable[[Schema], Checks]) -> Plan:
    """The checks in the original's order, and the score of a value that needs none of them."""
    if kind is type(None):
        parts = [null_check(keywords), enum_check(keywords, kind)]
        passed = 0
    else:
        parts = [type_check(keywords, kind), combinators_check(keywords.schema, below), string_check(keywords, kind),
                 format_check(keywords, kind), number_check(keywords, kind), items_check(keywords.schema, kind, below),
                 enum_check(keywords, kind), fields_check(keywords.schema, kind, below)]
        passed = 1
    return tuple(check for check, _ in parts if check is not None), passed + sum(score for _, score in parts)
