"""Rules of x-kubernetes-validations in a CustomResourceDefinition: do they compile, and what may they cost?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen

from kube_twisted.api.field import FieldError, forbidden, internal_error, invalid
from kube_twisted.cel.costs.ranges import MAX, capped
from kube_twisted.cel.rules import CompiledRule, RuleCompiler, max_cardinality
from kube_twisted.cel.schema_types import Schema, declared_type, is_embedded

#: What one rule, and all rules of a schema, may cost by estimate.
RULE_LIMIT, SCHEMA_LIMIT = 10_000_000, 100_000_000
_RULES = "x-kubernetes-validations"
_ADVICE = ("(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and "
           "strings are declared)")
_NO_TYPE = ("internal error: failed to construct type information for x-kubernetes-validations rules: unable to "
            "convert structural schema to CEL declarations")
_SHOWN = 4


class TotalCost:
    """The estimated cost of all rules, with the most expensive ones."""

    def __init__(self) -> None:
        self.total = 0
        self._expensive: list[tuple[int, str]] = []

    def add(self, path: str, cost: int) -> None:
        self.total = capped(self.total + cost)
        if cost >= SCHEMA_LIMIT // 100:
            self._expensive.append((cost, path))
            self._expensive.sort(key=lambda one: -one[0])
            del self._expensive[_SHOWN:]

    def errors(self, path: str) -> list[FieldError]:
        if self.total <= SCHEMA_LIMIT:
            return []
        detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
        what = f"{_RULES} estimated rule cost total for entire OpenAPIv3 schema"
        return [*(forbidden(one, detail) for _, one in self._expensive),
                forbidden(path, _too_expensive(what, self.total, SCHEMA_LIMIT))]


@frozen
class _Place:
    """Where in a definition a schema is.

    :ivar cardinality: how often a value of it may occur in an object; None when nothing bounds that.
    :ivar uncorrelated: the path of the schema below which old values can't be found again.
    """

    path: str
    schema: Schema
    is_root: bool
    cardinality: int | None = 1
    uncorrelated: str | None = None
    total: TotalCost = field(factory=TotalCost)


def validate_rules(path: str, schema: Schema, has_errors: Callable[[str], bool],
                   limit_each: bool = True) -> list[FieldError]:
    """What is wrong with the rules of a structural schema.

    :param has_errors: whether the schema at a path, or one below it, is wrong otherwise; its rules aren't looked at.
    :param limit_each: whether single rules may be too expensive, as those of an unchanged schema may not.
    """
    root = _Place(path, schema, True)
    errors = _validate(root, has_errors, limit_each)
    return errors + root.total.errors(path)


def _validate(place: _Place, has_errors: Callable[[str], bool], limit_each: bool) -> list[FieldError]:
    errors = [error for below in _below(place) for error in _validate(below, has_errors, limit_each)]
    rules = place.schema.get(_RULES) or []
    if not rules or has_errors(place.path):
        return errors
    declared = declared_type(place.schema, place.is_root or is_embedded(place.schema))
    if declared is None:
        return [*errors, internal_error(f"{place.path}.{_RULES}", _NO_TYPE)]
    compiler = RuleCompiler(declared)
    times = max_cardinality(declared) if place.cardinality is None else place.cardinality
    for index, rule in enumerate(rules):
        where = f"{place.path}.{_RULES}[{index}]"
        errors += _validate_rule(place, where, compiler.compile(rule), times, limit_each)
    return errors


def _below(place: _Place) -> Iterator[_Place]:
    schema, path = place.schema, place.path
    inner = evolve(place, is_root=False, cardinality=_cardinality(place))
    values = schema.get("additionalProperties")
    if isinstance(values, Mapping):
        yield evolve(inner, path=f"{path}.additionalProperties", schema=values)
    for name, held in (schema.get("properties") or {}).items():
        yield evolve(inner, path=f"{path}.properties[{name}]", schema=held)
    items = schema.get("items")
    if isinstance(items, Mapping):
        lost = place.uncorrelated if schema.get("x-kubernetes-list-type") == "map" else place.uncorrelated or path
        yield evolve(inner, path=f"{path}.items", schema=items, uncorrelated=lost)


def _cardinality(place: _Place) -> int | None:
    """How often what is in the schema may occur."""
    schema = place.schema
    if place.cardinality is None:
        return None
    bound: int | None = 1
    if schema.get("type") == "array":
        bound = schema.get("maxItems")
    elif schema.get("type") == "object" and schema.get("additionalProperties") is not None:
        bound = schema.get("maxProperties")
    return None if bound is None else _product(place.cardinality, max(bound, 0))


def _product(cost: int, times: int) -> int:
    return 0 if cost == 0 else min(cost * times, MAX)


def _validate_rule(place: _Place, path: str, compiled: CompiledRule, times: int,
                   limit_each: bool) -> list[FieldError]:
    rule, errors = compiled.rule, []
    cost = _product(compiled.max_cost, times)
    if limit_each and cost > RULE_LIMIT:
        errors.append(forbidden(f"{path}.rule", _too_expensive("estimated rule cost", cost, RULE_LIMIT)))
    place.total.add(f"{path}.rule", cost)
    if compiled.error is not None:
        errors.append(invalid(f"{path}.rule", _go_rule(rule), compiled.error))
    errors += _validate_message(place, f"{path}.messageExpression", compiled, limit_each)
    if compiled.uses_old_self:
        if place.uncorrelated is not None:
            detail = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {place.uncorrelated}"
            errors.append(invalid(f"{path}.rule", rule["rule"], detail))
    elif rule.get("optionalOldSelf") is not None:
        errors.append(invalid(f"{path}.optionalOldSelf", rule["optionalOldSelf"],
                              "may not be set if oldSelf is not used in rule"))
    return errors


def _validate_message(place: _Place, path: str, compiled: CompiledRule, limit_each: bool) -> list[FieldError]:
    if compiled.message_error is not None:
        return [invalid(path, _go_rule(compiled.rule), compiled.message_error)]
    if compiled.message is None:
        return []
    cost = compiled.message_max_cost
    place.total.add(path, cost)
    if not limit_each or cost <= RULE_LIMIT:
        return []
    return [forbidden(path, _too_expensive("estimated messageExpression cost", cost, RULE_LIMIT))]


def _too_expensive(what: str, cost: int, limit: int) -> str:
    factor = float(cost) / float(limit)
    if factor > 100:
        shown = "more than 100x"
    else:
        shown = f"{factor:.6f}x" if factor < 1.5 else f"{factor:.1f}x"
    return f"{what} exceeds budget by factor of {shown} {_ADVICE}"


def _go_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The rule as Go's type writes it in a message."""
    return {"Rule": rule.get("rule", ""), "Message": rule.get("message", ""),
            "MessageExpression": rule.get("messageExpression", ""), "Reason": rule.get("reason"),
            "FieldPath": rule.get("fieldPath", ""), "OptionalOldSelf": rule.get("optionalOldSelf")}
