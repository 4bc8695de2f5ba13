"""A Job's policies about failed pods (KEP-3329), success (KEP-3998) and replacements (KEP-3939)."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import (
    OMITTED,
    FieldError,
    duplicate,
    invalid,
    not_supported,
    required,
    too_long,
    too_many,
)
from kube_twisted.api.names import qualified_name
from kube_twisted.registry.batch.indexes import count_indexes
from kube_twisted.registry.rules import messages, non_negative

Obj = dict[str, Any]
Errors = list[FieldError]

_ACTIONS = ("Count", "FailIndex", "FailJob", "Ignore")
_OPERATORS = ("In", "NotIn")
_STATUSES = ("False", "True", "Unknown")
_REPLACEMENTS = ("Failed", "TerminatingOrFailed")
_MOST_RULES = 20
_MOST_CODES = 255
_MOST_PATTERNS = 20
_LONGEST_INDEXES = 64 * 1024


def _choice(path: str, value: str, known: tuple[str, ...]) -> Errors:
    if not value:
        listed = " ".join(f'"{one}"' for one in known)
        return [required(path, f"valid values: [{listed}]")]
    return [] if value in known else [not_supported(path, value, known)]


def validate_failure_policy(path: str, spec: Obj) -> Errors:
    """``podFailurePolicy``; ``spec`` is the Job's."""
    rules = spec["podFailurePolicy"].get("rules") or ()
    inner = (spec.get("template") or {}).get("spec") or {}
    names = {one.get("name", "") for kind in ("containers", "initContainers")
             for one in inner.get(kind) or ()}
    errors = [too_many(f"{path}.rules", len(rules), _MOST_RULES)] if len(rules) > _MOST_RULES else []
    for index, rule in enumerate(rules):
        errors += _failure_rule(f"{path}.rules[{index}]", rule, names, "backoffLimitPerIndex" in spec)
    return errors


def _failure_rule(path: str, rule: Obj, containers: set[str], per_index: bool) -> Errors:
    action, codes, conditions = rule.get("action", ""), rule.get("onExitCodes"), rule.get("onPodConditions")
    if action == "FailIndex":
        errors = [] if per_index else [
            invalid(f"{path}.action", action, "requires the backoffLimitPerIndex to be set")]
    else:
        errors = _choice(f"{path}.action", action, _ACTIONS)
    if codes is not None:
        errors += _exit_codes(f"{path}.onExitCodes", codes, containers)
    if conditions:
        errors += _conditions(f"{path}.onPodConditions", conditions)
    if codes is not None and conditions:
        errors.append(invalid(path, OMITTED,
                              "specifying both OnExitCodes and OnPodConditions is not supported"))
    if codes is None and not conditions:
        errors.append(invalid(path, OMITTED, "specifying one of OnExitCodes and OnPodConditions is required"))
    return errors


def _conditions(path: str, patterns: list[Obj]) -> Errors:
    errors = [too_many(path, len(patterns), _MOST_PATTERNS)] if len(patterns) > _MOST_PATTERNS else []
    for index, pattern in enumerate(patterns):
        kind = pattern.get("type", "")
        errors += messages(f"{path}[{index}].type", kind, qualified_name(kind))
        errors += _choice(f"{path}[{index}].status", pattern.get("status", ""), _STATUSES)
    return errors


def _exit_codes(path: str, codes: Obj, containers: set[str]) -> Errors:
    operator, values, name = codes.get("operator", ""), codes.get("values") or [], codes.get("containerName")
    errors = _choice(f"{path}.operator", operator, _OPERATORS)
    if name is not None and name not in containers:
        errors.append(invalid(f"{path}.containerName", name,
                              "must be one of the container or initContainer names in the pod template"))
    if not values:
        errors.append(invalid(f"{path}.values", codes.get("values"), "at least one value is required"))
    elif len(values) > _MOST_CODES:
        errors.append(too_many(f"{path}.values", len(values), _MOST_CODES))
    for index, value in enumerate(values):
        if operator == "In" and value == 0:
            errors.append(invalid(f"{path}.values[{index}]", value, "must not be 0 for the In operator"))
        if value in values[:index]:
            errors.append(duplicate(f"{path}.values[{index}]", value))
    if values != sorted(values):
        errors.append(invalid(f"{path}.values", values, "must be ordered"))
    return errors


def validate_success_policy(path: str, policy: Obj, completions: int) -> Errors:
    """``successPolicy`` of an Indexed Job."""
    rules = policy.get("rules") or ()
    errors: Errors = []
    if not rules:
        errors.append(required(f"{path}.rules",
                               "at least one rules must be specified when the successPolicy is specified"))
    if len(rules) > _MOST_RULES:
        errors.append(too_many(f"{path}.rules", len(rules), _MOST_RULES))
    for index, rule in enumerate(rules):
        errors += _success_rule(f"{path}.rules[{index}]", rule, completions)
    return errors


def _success_rule(path: str, rule: Obj, completions: int) -> Errors:
    count, indexes = rule.get("succeededCount"), rule.get("succeededIndexes")
    errors: Errors = []
    total = 0
    if count is None and indexes is None:
        errors.append(required(path, "at least one of succeededCount or succeededIndexes must be specified"))
    if indexes is not None:
        if len(indexes) > _LONGEST_INDEXES:
            errors.append(too_long(f"{path}.succeededIndexes", _LONGEST_INDEXES))
        try:
            total = count_indexes(indexes, completions)
        except ValueError as error:
            errors.append(invalid(f"{path}.succeededIndexes", indexes,
                                  f"error parsing succeededIndexes: {error}"))
    if count is None:
        return errors
    errors += non_negative(f"{path}.succeededCount", count)
    if count > completions:
        errors.append(invalid(f"{path}.succeededCount", count,
                              f"must be less than or equal to {completions} (the number of specified "
                              "completions)"))
    if indexes is not None and count > total:
        errors.append(invalid(f"{path}.succeededCount", count,
                              f"must be less than or equal to {total} (the number of indexes in the "
                              "specified succeededIndexes field)"))
    return errors


def validate_replacement_policy(path: str, spec: Obj) -> Errors:
    """``podReplacementPolicy``; a failure policy needs ``Failed``."""
    policy = spec.get("podReplacementPolicy")
    if policy is None:
        return []
    known = ("Failed",) if "podFailurePolicy" in spec else _REPLACEMENTS
    return [] if policy in known else [not_supported(path, policy, known)]
