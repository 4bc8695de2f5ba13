"""Node selectors: terms of requirements about labels and fields of nodes."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, forbidden, invalid, required
from kube_twisted.registry import rules

DEPRECATED_LABELS = {
    "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
    "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
    "failure-domain.beta.kubernetes.io/region":
        'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
    "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
    "app.kubernetes.io/created-by": "deprecated since v1.9",
    "scheduler.alpha.kubernetes.io/preferAvoidPods":
        "deprecated since v1.22; use Taints and Tolerations instead",
    "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
}
_NO_OPERATOR = "not a valid selector operator"


def validate_node_selector(path: str, selector: dict[str, Any]) -> list[FieldError]:
    """At least one term; each requirement fits its operator."""
    terms = selector.get("nodeSelectorTerms") or []
    if not terms:
        return [required(f"{path}.nodeSelectorTerms", "must have at least one node selector term")]
    errors = []
    for index, term in enumerate(terms):
        at = f"{path}.nodeSelectorTerms[{index}]"
        for number, one in enumerate(term.get("matchExpressions", [])):
            errors += _validate_expression(f"{at}.matchExpressions[{number}]", one)
        for number, one in enumerate(term.get("matchFields", [])):
            errors += _validate_field(f"{at}.matchFields[{number}]", one)
    return errors


def _validate_expression(path: str, one: dict[str, Any]) -> list[FieldError]:
    operator, values = one.get("operator", ""), one.get("values", [])
    errors = []
    if operator in ("In", "NotIn"):
        if not values:
            errors.append(required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'"))
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            errors.append(forbidden(f"{path}.values",
                                    "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
    elif operator in ("Gt", "Lt"):
        if len(values) != 1:
            errors.append(required(f"{path}.values",
                                   "must be specified single value when `operator` is 'Lt' or 'Gt'"))
    else:
        errors.append(invalid(f"{path}.operator", operator, _NO_OPERATOR))
    errors += rules.qualified_name(f"{path}.key", one.get("key", ""))
    for index, value in enumerate(values):
        errors += rules.messages(f"{path}.values[{index}]", value, names.label_value(value))
    return errors


def _validate_field(path: str, one: dict[str, Any]) -> list[FieldError]:
    operator, values, key = one.get("operator", ""), one.get("values", []), one.get("key", "")
    errors = []
    if operator not in ("In", "NotIn"):
        errors.append(invalid(f"{path}.operator", operator, _NO_OPERATOR))
    elif len(values) != 1:
        errors.append(required(f"{path}.values", "must be only one value when `operator` is 'In' or 'NotIn' "
                                                 "for node field selector"))
    if key != "metadata.name":
        errors.append(invalid(f"{path}.key", key, "not a valid field selector key"))
        return errors
    for index, value in enumerate(values):
        errors += rules.dns_subdomain(f"{path}.values[{index}]", value)
    return errors


def node_selector_warnings(path: str, selector: dict[str, Any]) -> list[str]:
    """Warn about labels that have been replaced."""
    return [f"{path}[{index}].matchExpressions[{number}].key: {one['key']} is {DEPRECATED_LABELS[one['key']]}"
            for index, term in enumerate(selector.get("nodeSelectorTerms") or [])
            for number, one in enumerate(term.get("matchExpressions", []))
            if one.get("key") in DEPRECATED_LABELS]
