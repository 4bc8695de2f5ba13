"""The rules of a FlowSchema: which requests it matches, by verb and by resource or other URL."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid, not_supported, required

_VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")
_NAMESPACE = "each member of this list must be '*' or a DNS-1123 label; "


def validate_policy_rules(path: str, rule: dict[str, Any]) -> list[FieldError]:
    """At least one rule of either kind."""
    resources, urls = rule.get("resourceRules", []), rule.get("nonResourceRules", [])
    errors = [] if resources or urls else [
        required(path, "at least one of resourceRules and nonResourceRules has to be non-empty")]
    for index, one in enumerate(resources):
        errors += _validate_resource_rule(f"{path}.resourceRules[{index}]", one)
    for index, one in enumerate(urls):
        errors += _validate_url_rule(f"{path}.nonResourceRules[{index}]", one)
    return errors


def _validate_verbs(path: str, verbs: list[str]) -> list[FieldError]:
    if not verbs:
        return [required(path, "verbs must contain at least one value")]
    if "*" in verbs:
        return _alone(path, verbs, "other verbs")
    return [] if set(verbs) <= set(_VERBS) else [_unknown(path, verbs)]


def _unknown(path: str, verbs: list[str]) -> FieldError:
    listed = not_supported(path, "", _VERBS)
    return FieldError("NotSupported", path, verbs, listed.detail)


def _alone(path: str, values: list[str], others: str) -> list[FieldError]:
    if "*" in values and len(values) > 1:
        return [invalid(path, values, f"if '*' is present, must not specify {others}")]
    return []


def _validate_resource_rule(path: str, rule: dict[str, Any]) -> list[FieldError]:
    errors = _validate_verbs(f"{path}.verbs", rule.get("verbs") or [])
    for field, one, others in (("apiGroups", "api group", "other api groups"),
                               ("resources", "resource", "other resources")):
        values = rule.get(field) or []
        if not values:
            errors.append(required(f"{path}.{field}", f"resource rules must supply at least one {one}"))
        errors += _alone(f"{path}.{field}", values, others)
    return errors + _validate_namespaces(f"{path}.namespaces", rule)


def _validate_namespaces(path: str, rule: dict[str, Any]) -> list[FieldError]:
    values = rule.get("namespaces") or []
    if not values and not rule.get("clusterScope"):
        return [required(path,
                         "resource rules that are not cluster scoped must supply at least one namespace")]
    if "*" in values:
        return _alone(path, values, "other namespaces")
    return [invalid(f"{path}[{index}]", value, f"{_NAMESPACE}{why}")
            for index, value in enumerate(values) for why in names.dns_label(value)]


def _validate_url_rule(path: str, rule: dict[str, Any]) -> list[FieldError]:
    errors, at = _validate_verbs(f"{path}.verbs", rule.get("verbs") or []), f"{path}.nonResourceURLs"
    urls = rule.get("nonResourceURLs") or []
    if not urls:
        return [*errors, required(at, "nonResourceURLs must contain at least one value")]
    if "*" in urls:
        return errors + _alone(at, urls, "other non-resource URLs")
    return errors + [invalid(f"{at}[{index}]", url, why) for index, url in enumerate(urls)
                     for why in (_url_problem(url),) if why]


def _url_problem(url: str) -> str:
    """What is wrong with a path; empty when nothing is."""
    checks = (
        (not url, "must not be empty"),
        (not url.startswith("/"), "must start with slash"),
        (" " in url, "must not contain white-space"),
        ("//" in url, "must not contain double slash"),
        (url.count("*") > 1 or ("*" in url and not url.endswith("/*")),
         "wildcard can only do suffix matching"),
    )
    return next((text for wrong, text in checks if wrong), "")
