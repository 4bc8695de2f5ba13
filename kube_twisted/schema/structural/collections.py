"""Lists and objects: how many items and fields, which are required or forbidden, and what is in them."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.jsonvalue import identity
from kube_twisted.schema.structural.plans import Check, Make, Part, Schema, Validator
from kube_twisted.schema.structural.problems import At, Outcome, Problem


def items_check(schema: Schema, kind: type, make: Make) -> Part:
    """``items``, ``minItems``, ``maxItems``, ``uniqueItems``; the number of items is checked last."""
    if kind is not list:
        return None, 0
    items = None if schema.get("items") is None else make(schema["items"])
    fewest, most, unique = schema.get("minItems"), schema.get("maxItems"), schema.get("uniqueItems")

    def check(value: list[Any], at: At, outcome: Outcome) -> None:
        if items is not None:
            for index, item in enumerate(value):
                checks, passed = items.plans[type(item)]
                outcome.score += passed
                if checks:
                    here: At = (at, index, f"{at[2]}[{index}]")
                    for one in checks:
                        one(item, here, outcome)
        if fewest is not None and len(value) < fewest:
            outcome.add(_too_few(at, fewest, len(value), "items"), at)
        if most is not None and len(value) > most:
            outcome.add(_too_many(at, most, len(value), "items"), at)
        if unique and len({identity(item) for item in value}) < len(value):
            outcome.add(Problem(f"{at[2]} in body shouldn't contain duplicates", at[2]), at)

    return check, 2


def fields_check(schema: Schema, kind: type, make: Make) -> Part:
    """``minProperties``, ``maxProperties``, ``additionalProperties``, ``properties``, ``required``, in this order."""
    if kind is not dict:
        return None, 0
    checks = [one for one in (_size_check(schema), _additional_check(schema, make), _properties_check(schema, make),
                              _required_check(schema)) if one is not None]
    if not checks:
        return None, 1

    def check(value: dict[str, Any], at: At, outcome: Outcome) -> None:
        for one in checks:
            one(value, at, outcome)

    return check, 1


def _size_check(schema: Schema) -> Check | None:
    fewest, most = schema.get("minProperties"), schema.get("maxProperties")
    if fewest is None and most is None:
        return None

    def check(value: dict[str, Any], at: At, outcome: Outcome) -> None:
        if fewest is not None and len(value) < fewest:
            outcome.add(_too_few(at, fewest, len(value), "properties"), at)
        if most is not None and len(value) > most:
            outcome.add(_too_many(at, most, len(value), "properties"), at)

    return check


def _additional_check(schema: Schema, make: Make) -> Check | None:
    additional = schema.get("additionalProperties")
    if additional is None or additional is True:
        return None
    known = frozenset(schema.get("properties") or ())
    values = None if additional is False else make(additional)

    def check(value: dict[str, Any], at: At, outcome: Outcome) -> None:
        for key, item in value.items():
            if key in known:
                continue
            if values is None:
                outcome.add(Problem(f"{at[2]}.{key} in body is a forbidden property", at[2], key), at)
            else:
                _look_into(values, item, key, f"{at[2]}.{key}", at, outcome)

    return check


def _properties_check(schema: Schema, make: Make) -> Check | None:
    properties = {name: make(one) for name, one in (schema.get("properties") or {}).items()}
    if not properties:
        return None

    def check(value: dict[str, Any], at: At, outcome: Outcome) -> None:
        for key, item in value.items():
            known = properties.get(key)
            if known is not None:
                _look_into(known, item, key, f"{at[2]}.{key}" if at[2] else key, at, outcome)

    return check


def _look_into(validator: Validator, item: Any, key: str, name: str, at: At, outcome: Outcome) -> None:
    checks, passed = validator.plans[type(item)]
    outcome.score += passed
    if checks:
        here: At = (at, key, name)
        for one in checks:
            one(item, here, outcome)


def _required_check(schema: Schema) -> Check | None:
    required = schema.get("required")
    if not required:
        return None

    def check(value: dict[str, Any], at: At, outcome: Outcome) -> None:
        for key in required:
            if key not in value:
                name = f"{at[2]}.{key}"
                outcome.add(Problem(f"{name} in body is required", name, kind="Required"), at)

    return check


def _too_few(at: At, fewest: int, number: int, what: str) -> Problem:
    return Problem(f"{at[2]} in body should have at least {fewest} {what}", at[2], number)


def _too_many(at: At, most: int, number: int, what: str) -> Problem:
    return Problem(f"{at[2]} in body should have at most {most} {what}", at[2], number, "TooMany", most)
