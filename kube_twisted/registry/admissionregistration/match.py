"""Which requests a webhook or policy is for: rules, resources, selectors."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, invalid, required
from kube_twisted.registry import rules as common

FAILURE_POLICIES, MATCH_POLICIES = ("Fail", "Ignore"), ("Equivalent", "Exact")
REINVOCATION_POLICIES = ("IfNeeded", "Never")
_OPERATIONS, _SCOPES = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE"), ("*", "Cluster", "Namespaced")
_RULE_LISTS = ("resourceRules", "excludeResourceRules")


def default_rules(rules: list[dict[str, Any]]) -> None:
    """A rule without scope is about everything."""
    for rule in rules:
        rule.setdefault("scope", "*")


def default_match_resources(match: dict[str, Any] | None) -> None:
    """Defaults of a policy's or binding's match criteria."""
    if match is None:
        return
    match.setdefault("matchPolicy", "Equivalent")
    for field in ("namespaceSelector", "objectSelector"):
        match.setdefault(field, {})
    for field in _RULE_LISTS:
        default_rules(match.get(field, []))


def validate_match_resources(path: str, match: dict[str, Any]) -> list[FieldError]:
    """Policy, selectors and rules."""
    errors = common.one_of(f"{path}.matchPolicy", match.get("matchPolicy", ""), MATCH_POLICIES)
    for field in ("namespaceSelector", "objectSelector"):
        errors += (common.label_selector(f"{path}.{field}", match[field]) if field in match
                   else [required(f"{path}.{field}")])
    for field in _RULE_LISTS:
        for index, rule in enumerate(match.get(field, [])):
            errors += _validate_named_rule(f"{path}.{field}[{index}]", rule)
    return errors


def _validate_named_rule(path: str, rule: dict[str, Any]) -> list[FieldError]:
    errors, found = [], rule.get("resourceNames", [])
    for index, name in enumerate(found):
        errors += common.path_segment(f"{path}.resourceNames[{index}]", name)
        if name in found[:index]:
            errors.append(duplicate(f"{path}.resourceNames[{index}]", name))
    return errors + validate_rule(path, rule)


def _alone(path: str, values: list[str], others: str) -> list[FieldError]:
    if len(values) > 1 and "*" in values:
        return [invalid(path, values, f"if '*' is present, must not specify other {others}")]
    return []


def validate_rule(path: str, rule: dict[str, Any]) -> list[FieldError]:
    """Operations, groups, versions, resources and scope."""
    operations, versions = rule.get("operations", []), rule.get("apiVersions", [])
    errors = [] if operations else [required(f"{path}.operations")]
    errors += _alone(f"{path}.operations", operations, "operations")
    for index, operation in enumerate(operations):
        errors += common.one_of(f"{path}.operations[{index}]", operation, _OPERATIONS)
    for field, others in (("apiGroups", "API groups"), ("apiVersions", "API versions")):
        values = rule.get(field, [])
        errors += [] if values else [required(f"{path}.{field}")]
        errors += _alone(f"{path}.{field}", values, others)
    errors += [required(f"{path}.apiVersions[{index}]") for index, one in enumerate(versions) if not one]
    errors += _validate_resources(f"{path}.resources", rule.get("resources", []))
    if "scope" in rule:
        errors += common.one_of(f"{path}.scope", rule["scope"], _SCOPES)
    return errors


def _validate_resources(path: str, resources: list[str]) -> list[FieldError]:
    """Resources, ``resource/subresource``, and wildcards that must not repeat what others say."""
    errors = [] if resources else [required(path)]
    whole: set[str] = set()
    everywhere: set[str] = set()
    plain = False
    for index, text in enumerate(resources):
        if not text:
            errors.append(required(f"{path}[{index}]"))
            continue
        resource, slash, subresource = text.partition("/")
        if not slash:
            plain = text != "*"
            continue
        if resource in whole:
            errors.append(invalid(f"{path}[{index}]", text,
                                  f"if '{resource}/*' is present, must not specify {text}"))
        if subresource in everywhere:
            errors.append(invalid(f"{path}[{index}]", text,
                                  f"if '*/{subresource}' is present, must not specify {text}"))
        whole |= {resource} if subresource == "*" else set()
        everywhere |= {subresource} if resource == "*" else set()
    if len(resources) > 1 and "*/*" in resources:
        errors.append(invalid(path, resources, "if '*/*' is present, must not specify other resources"))
    if "*" in resources and plain:
        errors.append(invalid(path, resources,
                              "if '*' is present, must not specify other resources without subresources"))
    return errors
