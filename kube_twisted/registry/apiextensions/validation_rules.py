"""``x-kubernetes-validations``: the form of the rules. What their CEL says is not checked here."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid, not_supported, required
from kube_twisted.cel import field_path
from kube_twisted.registry.apiextensions import unsupported
from kube_twisted.registry.apiextensions.walk import Schema

REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_NO_BREAKS = "must not contain line breaks"
_NOT_BLANK = "must be non-empty if specified"


def validate_rules(path: str, schema: Schema) -> list[FieldError]:
    errors = []
    for index, rule in enumerate(schema.get("x-kubernetes-validations") or []):
        below = f"{path}.x-kubernetes-validations[{index}]"
        errors += _validate_text(below, rule)
        expression = rule.get("messageExpression", "")
        if expression and not expression.strip():
            errors.append(required(f"{below}.messageExpression",
                                   "messageExpression must be non-empty if specified"))
        if rule.get("reason") is not None and rule["reason"] not in REASONS:
            errors.append(not_supported(f"{below}.reason", rule["reason"], REASONS))
        errors += _validate_field_path(f"{below}.fieldPath", rule.get("fieldPath", ""), schema)
    return errors


def _validate_text(path: str, rule: dict[str, Any]) -> list[FieldError]:
    text, message = rule.get("rule", ""), rule.get("message", "")
    if not text.strip():
        return [required(f"{path}.rule", "rule is not specified")]
    if message and not message.strip():
        return [invalid(f"{path}.message", message, _NOT_BLANK)]
    if _has_breaks(message.strip()):
        return [invalid(f"{path}.message", message, _NO_BREAKS)]
    if _has_breaks(text.strip()) and not message.strip():
        return [required(f"{path}.message", "message must be specified if rule contains line breaks")]
    return []


def _validate_field_path(path: str, text: str, schema: Schema) -> list[FieldError]:
    if not text:
        return []
    errors = []
    if not text.strip():
        errors.append(invalid(path, text, _NOT_BLANK))
    if _has_breaks(text):
        errors.append(invalid(path, text, _NO_BREAKS))
    if not _is_path(text, schema):
        errors.append(invalid(path, text, "must be a valid path"))
    return errors


def _is_path(text: str, schema: Schema) -> bool:
    if unsupported.find(schema) is not None:
        return True
    try:
        field_path.resolve(text, schema)
    except field_path.BadPath:
        return False
    return True


def _has_breaks(text: str) -> bool:
    return "\n" in text or "\r" in text
