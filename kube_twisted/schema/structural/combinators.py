"""``allOf``, ``anyOf``, ``oneOf`` and ``not``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kube_twisted.api.field import go_quote
from kube_twisted.schema.structural.plans import Make, Part, Schema, Validator
from kube_twisted.schema.structural.problems import At, Outcome, Problem

_ANY = "must validate at least one schema (anyOf)"
_ONE = "must validate one and only one schema (oneOf)."
_ALL = "must validate all the schemas (allOf)"
_NOT = "must not validate the schema (not)"


def combinators_check(schema: Schema, make: Make) -> Part:
    """Of alternatives that all fail, the one is reported that got furthest."""
    any_of, one_of, all_of = ([make(one) for one in schema.get(key) or ()] for key in ("anyOf", "oneOf", "allOf"))
    negated = None if schema.get("not") is None else make(schema["not"])
    if not (any_of or one_of or all_of or negated):
        return None, 2

    def check(value: Any, at: At, outcome: Outcome) -> None:
        if any_of:
            _any(any_of, value, at, outcome)
        if one_of:
            _one(one_of, value, at, outcome)
        if all_of:
            _all(all_of, value, at, outcome)
        if negated is not None and not negated.outcome(value, at).problems:
            _add(outcome, at, _NOT)

    return check, 2


def _any(schemas: Sequence[Validator], value: Any, at: At, outcome: Outcome) -> None:
    failed = []
    for one in schemas:
        result = one.outcome(value, at)
        if not result.problems:
            outcome.absorb(result, at)
            return
        failed.append(result)
    _add(outcome, at, _ANY)
    outcome.absorb(_best(failed), at)


def _one(schemas: Sequence[Validator], value: Any, at: At, outcome: Outcome) -> None:
    results = [one.outcome(value, at) for one in schemas]
    valid = [one for one in results if not one.problems]
    if len(valid) == 1:
        outcome.absorb(valid[0], at)
    elif valid:
        _add(outcome, at, f"{_ONE} Found {len(valid)} valid alternatives")
    else:
        _add(outcome, at, f"{_ONE} Found none valid")
        outcome.absorb(_best(results), at)


def _all(schemas: Sequence[Validator], value: Any, at: At, outcome: Outcome) -> None:
    valid = 0
    for one in schemas:
        result = one.outcome(value, at)
        valid += not result.problems
        outcome.absorb(result, at)
    if valid != len(schemas):
        _add(outcome, at, _ALL if valid else f"{_ALL}. None validated")


def _best(failed: Sequence[Outcome]) -> Outcome:
    """The first of those that passed most checks."""
    return max(failed, key=lambda one: one.score)


def _add(outcome: Outcome, at: At, text: str) -> None:
    outcome.add(Problem(f"{go_quote(at[2])} {text}", kind="Text"), at)
