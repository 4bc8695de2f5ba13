"""Conditions of the common form, ``metav1.Condition``, where they are validated.

Source of the rules: apimachinery's ``meta/v1/validation``.
"""

from __future__ import annotations

import re
from typing import Any

from kube_twisted.api.field import FieldError, duplicate, invalid, required, too_long
from kube_twisted.api.names import regex_error
from kube_twisted.registry import rules

_STATUSES = ("False", "True", "Unknown")
_MAX_REASON, _MAX_MESSAGE = 1024, 32 * 1024
_REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?"
_REASON_TEXT = ("a condition reason must start with alphabetic character, optionally followed by a string of "
                "alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'")
_REASON_EXAMPLES = ("my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB")


def validate_conditions(path: str, conditions: list[dict[str, Any]]) -> list[FieldError]:
    """Every one of them, and that no type is there twice."""
    errors, seen = [], set()
    for index, one in enumerate(conditions):
        name = one.get("type", "")
        if name in seen:
            errors.append(duplicate(f"{path}[{index}].type", name))
        seen.add(name)
        errors += _validate_condition(f"{path}[{index}]", one)
    return errors


def _validate_condition(path: str, one: dict[str, Any]) -> list[FieldError]:
    errors = rules.qualified_name(f"{path}.type", one.get("type", ""))
    errors += rules.one_of(f"{path}.status", one.get("status", ""), _STATUSES)
    if one.get("observedGeneration", 0) < 0:
        errors.append(invalid(f"{path}.observedGeneration", one["observedGeneration"],
                              "must be greater than or equal to zero"))
    if not one.get("lastTransitionTime"):
        errors.append(required(f"{path}.lastTransitionTime"))
    errors += _validate_reason(f"{path}.reason", one.get("reason", ""))
    if len(one.get("message", "").encode()) > _MAX_MESSAGE:
        errors.append(too_long(f"{path}.message", _MAX_MESSAGE))
    return errors


def _validate_reason(path: str, reason: str) -> list[FieldError]:
    if not reason:
        return [required(path)]
    errors = [] if re.fullmatch(_REASON, reason) else [
        invalid(path, reason, regex_error(_REASON_TEXT, _REASON, *_REASON_EXAMPLES))]
    return errors + ([too_long(path, _MAX_REASON)] if len(reason.encode()) > _MAX_REASON else [])
