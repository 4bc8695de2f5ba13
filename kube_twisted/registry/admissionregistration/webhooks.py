"""Webhook configurations, of either kind: defaults, and validation that lets be what was stored before."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, duplicate, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.admissionregistration.conditions import validate_match_conditions
from kube_twisted.registry.admissionregistration.match import (
    FAILURE_POLICIES,
    MATCH_POLICIES,
    REINVOCATION_POLICIES,
    default_rules,
    validate_rule,
)
from kube_twisted.registry.admissionregistration.names import NamedConfiguration
from kube_twisted.registry.strategy import Obj, WriteContext
from kube_twisted.registry.webhooks import default_service, validate_client_config

_DEFAULTS: dict[str, Any] = {"failurePolicy": "Fail", "matchPolicy": "Equivalent", "timeoutSeconds": 10}
_SIDE_EFFECTS, _NO_SIDE_EFFECTS = ("None", "NoneOnDryRun", "Some", "Unknown"), ("None", "NoneOnDryRun")
_REVIEW_VERSIONS = ("v1", "v1beta1")
_SELECTORS = ("namespaceSelector", "objectSelector")

Hook = dict[str, Any]


class WebhookConfigurationStrategy(NamedConfiguration):
    """Rules of both kinds of webhook configurations."""

    allow_unconditional_update = False
    has_generation = True

    def default(self, obj: Obj) -> None:
        for hook in obj.get("webhooks", []):
            for name, value in _DEFAULTS.items():
                hook.setdefault(name, value)
            for name in _SELECTORS:
                hook.setdefault(name, {})
            default_rules(hook.get("rules", []))
            default_service(hook.get("clientConfig", {}))

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        return bool(obj.get("webhooks", []) != old.get("webhooks", []))

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate(obj.get("webhooks", []), [])

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return _validate(obj.get("webhooks", []), old.get("webhooks", []))


def _validate(hooks: list[Hook], old: list[Hook]) -> list[FieldError]:
    errors = []
    found, before = ([one.get("name", "") for one in hooks_of] for hooks_of in (hooks, old))
    same_conditions = len(hooks) == len(old) and bool(old) and all(
        new.get("matchConditions") == was.get("matchConditions") for new, was in zip(hooks, old, strict=True))
    for index, hook in enumerate(hooks):
        path = f"webhooks[{index}]"
        errors += _validate_hook(path, hook, old)
        if not same_conditions:
            errors += validate_match_conditions(f"{path}.matchConditions", hook.get("matchConditions", []))
        errors += _validate_review_versions(f"{path}.admissionReviewVersions", hook, old)
        if found[index] and found[index] in found[:index] and len(before) == len(set(before)):
            errors.append(duplicate(f"{path}.name", found[index]))
    return errors


def _validate_hook(path: str, hook: Hook, old: list[Hook]) -> list[FieldError]:
    errors = _validate_name(f"{path}.name", hook.get("name", ""))
    for index, rule in enumerate(hook.get("rules", [])):
        errors += validate_rule(f"{path}.rules[{index}]", rule)
    for field, known in (("failurePolicy", FAILURE_POLICIES), ("matchPolicy", MATCH_POLICIES)):
        if field in hook:
            errors += rules.one_of(f"{path}.{field}", hook[field], known)
    errors += _validate_side_effects(f"{path}.sideEffects", hook, old)
    seconds = hook.get("timeoutSeconds", 10)
    if not 1 <= seconds <= 30:
        errors.append(invalid(f"{path}.timeoutSeconds", seconds,
                              "the timeout value must be between 1 and 30 seconds"))
    odd = next((one[field] for one in old for field in _SELECTORS
                if rules.label_selector("", one.get(field))), None)
    for field in _SELECTORS:
        errors += rules.label_selector(f"{path}.{field}", hook.get(field), odd)
    if "reinvocationPolicy" in hook:
        errors += rules.one_of(f"{path}.reinvocationPolicy", hook["reinvocationPolicy"],
                               REINVOCATION_POLICIES)
    return errors + validate_client_config(f"{path}.clientConfig", hook.get("clientConfig", {}))


def _validate_name(path: str, name: str) -> list[FieldError]:
    """A domain of three or more labels."""
    if not name:
        return [required(path)]
    wrong = names.dns_subdomain(name)
    if wrong:
        return [invalid(path, name, ",".join(wrong))]
    if name.count(".") < 2:
        return [invalid(path, name, "should be a domain with at least three segments separated by dots")]
    return []


def _validate_side_effects(path: str, hook: Hook, old: list[Hook]) -> list[FieldError]:
    lenient = any(one.get("sideEffects") not in _NO_SIDE_EFFECTS for one in old)
    allowed = _SIDE_EFFECTS if lenient else _NO_SIDE_EFFECTS
    if hook.get("sideEffects") is None:
        return [required(path, f"must specify one of {', '.join(allowed)}")]
    return rules.one_of(path, hook["sideEffects"], allowed)


def _validate_review_versions(path: str, hook: Hook, old: list[Hook]) -> list[FieldError]:
    versions, listed = hook.get("admissionReviewVersions") or [], ", ".join(_REVIEW_VERSIONS)
    if not versions:
        return [required(path, f"must specify one of {listed}")]
    errors = []
    for index, version in enumerate(versions):
        if version in versions[:index]:
            errors.append(invalid(f"{path}[{index}]", version, "duplicate version"))
        else:
            errors += rules.messages(f"{path}[{index}]", version, names.dns1035_label(version))
    strict = all(_is_reviewed(one) for one in old)
    if strict and not _is_reviewed(hook):
        errors.append(invalid(path, versions, f"must include at least one of {listed}"))
    return errors


def _is_reviewed(hook: Hook) -> bool:
    versions = hook.get("admissionReviewVersions") or []
    return not versions or any(version in _REVIEW_VERSIONS for version in versions)
