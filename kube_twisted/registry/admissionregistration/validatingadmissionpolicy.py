"""ValidatingAdmissionPolicies: expressions that must hold (KEP-3488)."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.admissionregistration.conditions import validate_match_conditions
from kube_twisted.registry.admissionregistration.expressions import TEXT, TEXT_OR_NULL, YES_OR_NO, Expressions
from kube_twisted.registry.admissionregistration.match import FAILURE_POLICIES, validate_match_resources
from kube_twisted.registry.admissionregistration.policy import (
    PolicyStrategy,
    validate_param_kind,
    validate_variables,
)
from kube_twisted.registry.core.go_diff import go_names
from kube_twisted.registry.status import IsolatedStatusStrategy
from kube_twisted.registry.strategy import Obj, WriteContext

_REASONS = ("Forbidden", "Invalid", "RequestEntityTooLarge")
_MAX_ANNOTATIONS, _MAX_VALUE = 20, 5 * 1024
_ONE_OF = "validations or auditAnnotations must contain at least one item"


class ValidatingAdmissionPolicyStrategy(PolicyStrategy):
    """Rules of ``validatingadmissionpolicies``."""

    reset_fields = (("status",),)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj["metadata"].get("name", ""), obj["spec"], {})

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return _validate_spec(obj["metadata"].get("name", ""), obj["spec"], old["spec"])


class ValidatingAdmissionPolicyStatusStrategy(IsolatedStatusStrategy):
    """Rules of ``validatingadmissionpolicies/status``."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        found = obj.get("status", {}).get("typeChecking", {}).get("expressionWarnings", [])
        path = "status.typeChecking.expressionWarnings"
        return [required(f"{path}[{index}].{field}") for index, one in enumerate(found)
                for field in ("warning", "fieldRef") if not one.get(field, "").strip()]


def validate_policy_head(spec: Obj) -> list[FieldError]:
    """The fields in front of a policy's expressions."""
    errors = rules.one_of("spec.failurePolicy", spec.get("failurePolicy", ""), FAILURE_POLICIES)
    if "paramKind" in spec:
        errors += validate_param_kind("spec.paramKind", spec["paramKind"])
    return errors


def validate_policy_conditions(spec: Obj, old: Obj, expressions: Expressions) -> list[FieldError]:
    """Match conditions, unless nothing about them changed, and variables.

    :param expressions: of the policy; gets the variables.
    """
    params = "paramKind" in spec
    same = bool(old) and all(spec.get(name) == old.get(name) for name in ("paramKind", "matchConditions"))
    errors = [] if same else validate_match_conditions("spec.matchConditions", spec.get("matchConditions", []), params)
    return errors + validate_variables("spec.variables", spec.get("variables", []), expressions)


def validate_constraints(spec: Obj) -> list[FieldError]:
    """What the policy is about: at least one rule."""
    path = "spec.matchConstraints"
    if "matchConstraints" not in spec:
        return [required(path)]
    errors = validate_match_resources(path, spec["matchConstraints"])
    return errors + ([] if spec["matchConstraints"].get("resourceRules")
                     else [required(f"{path}.resourceRules")])


def _validate_spec(name: str, spec: Obj, old: Obj) -> list[FieldError]:
    errors = validate_policy_head(spec) + validate_constraints(spec)
    expressions = Expressions("paramKind" in spec, has_variables=bool(spec.get("variables")))
    errors += validate_policy_conditions(spec, old, expressions)
    validations, annotations = spec.get("validations", []), spec.get("auditAnnotations", [])
    if not validations and not annotations:
        return [*errors, required("spec.validations", _ONE_OF), required("spec.auditAnnotations", _ONE_OF)]
    for index, one in enumerate(validations):
        errors += _validate_validation(f"spec.validations[{index}]", one, expressions)
    if len(annotations) > _MAX_ANNOTATIONS:
        errors.append(invalid("spec.auditAnnotations", go_names(annotations),
                              f"must not have more than {_MAX_ANNOTATIONS} auditAnnotations"))
    keys = [one.get("key", "") for one in annotations]
    for index, one in enumerate(annotations):
        path = f"spec.auditAnnotations[{index}]"
        errors += _validate_annotation(path, name, one, expressions)
        if keys[index] in keys[:index]:
            errors.append(duplicate(f"{path}.key", keys[index]))
    return errors


def _validate_validation(path: str, one: dict[str, Any], expressions: Expressions) -> list[FieldError]:
    expression, message = one.get("expression", ""), one.get("message", "")
    errors = [required(f"{path}.expression", "expression is not specified")]
    if expression.strip():
        errors = expressions.check(f"{path}.expression", expression, YES_OR_NO)
    errors += _validate_message(f"{path}.messageExpression", one.get("messageExpression", ""), expressions)
    trimmed = message.strip()
    if message and not trimmed:
        errors.append(invalid(f"{path}.message", message, "must be non-empty if specified"))
    elif "\n" in trimmed or "\r" in trimmed:
        errors.append(invalid(f"{path}.message", message, "must not contain line breaks"))
    if "reason" in one:
        errors += rules.one_of(f"{path}.reason", one["reason"], _REASONS)
    return errors


def _validate_message(path: str, expression: str, expressions: Expressions) -> list[FieldError]:
    if not expression:
        return []
    if not expression.strip():
        return [invalid(path, expression, "must be non-empty if specified")]
    return expressions.check(path, expression, TEXT, authorizer=False)


def _validate_annotation(path: str, name: str, one: dict[str, Any], expressions: Expressions) -> list[FieldError]:
    key, value = one.get("key", ""), one.get("valueExpression", "").strip()
    errors = (rules.qualified_name(f"{path}.key", f"{name}/{key}") if name
              else [invalid(f"{path}.key", key, "requires metadata.name be non-empty")])
    if not value:
        errors.append(required(f"{path}.valueExpression", "valueExpression is not specified"))
    elif len(value.encode()) > _MAX_VALUE:
        errors.append(required(f"{path}.valueExpression", f"must not exceed {_MAX_VALUE} bytes in length"))
    else:
        errors += expressions.check(f"{path}.valueExpression", value, TEXT_OR_NULL, shown=one["valueExpression"])
    return errors


STRATEGY = ValidatingAdmissionPolicyStrategy()
STATUS = ValidatingAdmissionPolicyStatusStrategy(STRATEGY)
