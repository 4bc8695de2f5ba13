"""Validation of a Job's spec, also inside a CronJob."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.domains import domain_prefixed_path
from kube_twisted.api.field import FieldError, invalid, not_supported, required, too_long
from kube_twisted.api.labels import validate_label_selector
from kube_twisted.registry.batch.policies import (
    validate_failure_policy,
    validate_replacement_policy,
    validate_success_policy,
)
from kube_twisted.registry.podspec.internal import shown_labels
from kube_twisted.registry.podspec.options import Options
from kube_twisted.registry.podspec.template import NO_MATCH, compiled, validate_template
from kube_twisted.registry.rules import non_negative

Obj = dict[str, Any]
Errors = list[FieldError]

_COUNTS = ("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished",
           "backoffLimitPerIndex", "maxFailedIndexes")
_MODES = ("NonIndexed", "Indexed")
_MOST_PARALLEL = 100_000
_MOST_FAILED = 100_000
_MANY_COMPLETIONS = 100_000
_MOST_WHEN_MANY = 10_000
_LONGEST_MANAGER = 63
_WHEN_MANY = (f"must be less than or equal to {_MOST_WHEN_MANY} when completions are above "
              f"{_MANY_COMPLETIONS} and used with backoff limit per index")


def validate_job_spec(path: str, spec: Obj, options: Options, any_values: bool = False) -> Errors:
    """The spec of a Job, with its selector.

    :param any_values: the selector's values need not be labels, since the stored ones are not.
    """
    errors = validate_job_content(path, spec, options)
    selector = spec.get("selector")
    if selector is None:
        errors.append(required(f"{path}.selector"))
    else:
        errors += validate_label_selector(selector, f"{path}.selector", allow_invalid_values=any_values)
    labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels")
    matcher = compiled(selector)
    if matcher is not None and not matcher.matches(labels or {}):
        errors.append(invalid(f"{path}.template.metadata.labels", shown_labels(labels), NO_MATCH))
    return errors


def validate_job_content(path: str, spec: Obj, options: Options) -> Errors:
    """All but the selector, which the template of a CronJob may not have."""
    errors: Errors = []
    for name in _COUNTS:
        if name in spec:
            errors += non_negative(f"{path}.{name}", spec[name])
    if "maxFailedIndexes" in spec and "backoffLimitPerIndex" not in spec:
        errors.append(required(f"{path}.backoffLimitPerIndex", "when maxFailedIndexes is specified"))
    manager = spec.get("managedBy")
    if manager is not None:
        errors += domain_prefixed_path(manager, f"{path}.managedBy")
        if len(manager) > _LONGEST_MANAGER:
            errors.append(too_long(f"{path}.managedBy", _LONGEST_MANAGER))
    errors += _completion_mode(path, spec)
    if "podFailurePolicy" in spec:
        errors += validate_failure_policy(f"{path}.podFailurePolicy", spec)
    if "successPolicy" in spec:
        errors += _success(f"{path}.successPolicy", spec)
    errors += validate_replacement_policy(f"{path}.podReplacementPolicy", spec)
    errors += validate_template(f"{path}.template", spec.get("template") or {}, options)
    return errors + _restart_policy(f"{path}.template.spec.restartPolicy", spec)


def _success(path: str, spec: Obj) -> Errors:
    if spec.get("completionMode", "NonIndexed") != "Indexed":
        return [invalid(path, _shown_success(spec["successPolicy"]), "requires indexed completion mode")]
    return validate_success_policy(path, spec["successPolicy"], spec.get("completions", 0))


def _shown_success(policy: Obj) -> Obj:
    """A success policy as error messages show it, in the names of the original's internal type."""
    return {"Rules": [{"SucceededIndexes": rule.get("succeededIndexes"),
                       "SucceededCount": rule.get("succeededCount")}
                      for rule in policy.get("rules") or ()] or None}


def _completion_mode(path: str, spec: Obj) -> Errors:
    mode = spec.get("completionMode")
    errors: Errors = []
    if mode is not None and mode not in _MODES:
        errors.append(not_supported(f"{path}.completionMode", mode, _MODES))
    if mode == "Indexed":
        return errors + _indexed(path, spec)
    if mode in (None, "NonIndexed"):
        errors += [invalid(f"{path}.{name}", spec[name], "requires indexed completion mode")
                   for name in ("backoffLimitPerIndex", "maxFailedIndexes") if name in spec]
    return errors


def _indexed(path: str, spec: Obj) -> Errors:
    completions, parallelism = spec.get("completions"), spec.get("parallelism")
    failed = spec.get("maxFailedIndexes")
    errors: Errors = []
    if completions is None:
        errors.append(required(f"{path}.completions", "when completion mode is Indexed"))
    if parallelism is not None and parallelism > _MOST_PARALLEL:
        errors.append(invalid(f"{path}.parallelism", parallelism,
                              f"must be less than or equal to {_MOST_PARALLEL} when completion mode is "
                              "Indexed"))
    if completions is not None and failed is not None and failed > completions:
        errors.append(invalid(f"{path}.maxFailedIndexes", failed,
                              "must be less than or equal to completions"))
    if failed is not None and failed > _MOST_FAILED:
        errors.append(invalid(f"{path}.maxFailedIndexes", failed,
                              f"must be less than or equal to {_MOST_FAILED}"))
    if completions is None or completions <= _MANY_COMPLETIONS or "backoffLimitPerIndex" not in spec:
        return errors
    if failed is None:
        errors.append(required(f"{path}.maxFailedIndexes",
                               f"must be specified when completions is above {_MANY_COMPLETIONS}"))
    if parallelism is not None and parallelism > _MOST_WHEN_MANY:
        errors.append(invalid(f"{path}.parallelism", parallelism, _WHEN_MANY))
    if failed is not None and failed > _MOST_WHEN_MANY:
        errors.append(invalid(f"{path}.maxFailedIndexes", failed, _WHEN_MANY))
    return errors


def _restart_policy(path: str, spec: Obj) -> Errors:
    policy = ((spec.get("template") or {}).get("spec") or {}).get("restartPolicy", "")
    if policy in ("", "Always"):
        return [required(path, 'valid values: "OnFailure", "Never"')]
    if policy not in ("OnFailure", "Never"):
        return [not_supported(path, policy, ("OnFailure", "Never"))]
    if policy != "Never" and "podFailurePolicy" in spec:
        return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    return []
