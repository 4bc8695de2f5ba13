"""A container's own restart policy and its rules (KEP-753, KEP-5307), and its resize policy (KEP-1287)."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, invalid, not_supported, required, too_many
from kube_twisted.registry.rules import one_of

Obj = dict[str, Any]
Errors = list[FieldError]

_POLICIES = ("Always", "Never", "OnFailure")
_ACTIONS = ("Restart", "RestartAllContainers")
_OPERATORS = ("In", "NotIn")
_RESIZED = ("cpu", "memory")
_RESIZE_POLICIES = ("NotRequired", "RestartContainer")
_MOST_RULES = 20
_MOST_CODES = 255


def validate_restart_policy(path: str, container: Obj) -> Errors:
    """``restartPolicy`` and ``restartPolicyRules`` of a container."""
    policy, rules = container.get("restartPolicy"), container.get("restartPolicyRules") or ()
    errors: Errors = []
    if policy is None:
        errors += _policy_missing(path, container)
    else:
        errors += one_of(f"{path}.restartPolicy", policy, _POLICIES)
    if len(rules) > _MOST_RULES:
        errors.append(too_many(f"{path}.restartPolicyRules", len(rules), _MOST_RULES))
    for index, rule in enumerate(rules):
        errors += _rule(f"{path}.restartPolicyRules[{index}]", rule)
    return errors


def validate_init_restart_policy(path: str, container: Obj) -> Errors:
    """The same of an init container, whose rules are not looked at as long as it has no policy of its own."""
    return (validate_restart_policy if "restartPolicy" in container else _policy_missing)(path, container)


def _policy_missing(path: str, container: Obj) -> Errors:
    if not container.get("restartPolicyRules"):
        return []
    return [required(f"{path}.restartPolicy", "must specify restartPolicy when restart rules are used")]


def _rule(path: str, rule: Obj) -> Errors:
    errors = one_of(f"{path}.action", rule.get("action", ""), _ACTIONS)
    codes = rule.get("exitCodes")
    if codes is None:
        return [*errors, required(f"{path}.exitCodes", "must be specified")]
    errors += one_of(f"{path}.exitCodes.operator", codes.get("operator", ""), _OPERATORS)
    values = codes.get("values") or ()
    if len(values) > _MOST_CODES:
        errors.append(too_many(f"{path}.exitCodes.values", len(values), _MOST_CODES))
    return errors


def validate_resize_policy(path: str, policies: list[Obj], pod_policy: str) -> Errors:
    """What happens to a container whose resources change in place.

    :param pod_policy: the pod's restart policy.
    """
    errors: Errors = []
    seen: set[str] = set()
    for index, policy in enumerate(policies):
        resource, restart = policy.get("resourceName", ""), policy.get("restartPolicy", "")
        if resource in seen:
            errors.append(duplicate(f"{path}[{index}]", resource))
        seen.add(resource)
        for value, known in ((resource, _RESIZED), (restart, _RESIZE_POLICIES)):
            if not value:
                errors.append(required(path))
            elif value not in known:
                errors.append(not_supported(path, value, known))
        if pod_policy == "Never" and restart != "NotRequired":
            errors.append(invalid(path, restart,
                                  "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
    return errors
