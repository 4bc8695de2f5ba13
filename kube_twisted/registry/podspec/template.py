"""Validation of a pod template, of its selector, and of a whole pod."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.api.labels import Selector, from_label_selector, validate_label_selector, validate_labels
from kube_twisted.registry.podspec.annotations import (
    validate_annotations,
    validate_pod_annotations,
    validate_profiles_match,
)
from kube_twisted.registry.podspec.internal import shown_labels
from kube_twisted.registry.podspec.options import Options
from kube_twisted.registry.podspec.spec import validate_pod_spec, with_paths

Obj = dict[str, Any]
Errors = list[FieldError]

NO_MATCH = "`selector` does not match template `labels`"


def validate_template(path: str, template: Obj, options: Options) -> Errors:
    """All that is wrong with a template."""
    spec = template.get("spec") or {}
    annotations = (template.get("metadata") or {}).get("annotations") or {}
    errors = validate_template_metadata(path, template, options)
    errors += validate_pod_spec(f"{path}.spec", spec, None, options)
    if annotations:
        errors += validate_profiles_match(f"{path}.spec", annotations, spec, with_paths(f"{path}.spec", spec))
    if spec.get("ephemeralContainers"):
        errors.append(forbidden(f"{path}.spec.ephemeralContainers",
                                "ephemeral containers not allowed in pod template"))
    return errors


def validate_template_metadata(path: str, template: Obj, options: Options) -> Errors:
    """Labels and annotations of the pods to be."""
    metadata = template.get("metadata") or {}
    annotations = metadata.get("annotations") or {}
    errors = validate_labels(metadata.get("labels") or {}, f"{path}.labels")
    if annotations:
        errors += validate_annotations(f"{path}.annotations", annotations)
        errors += validate_pod_annotations(f"{path}.annotations", annotations, template.get("spec") or {},
                                           options.any_deletion_cost)
    return errors


def validate_match(path: str, selector: Selector, template: Obj) -> Errors:
    """The template's labels match the selector; an empty one is refused elsewhere."""
    labels = (template.get("metadata") or {}).get("labels")
    if selector.empty or selector.matches(labels or {}):
        return []
    return [invalid(f"{path}.metadata.labels", shown_labels(labels), NO_MATCH)]


def validate_required_selector(path: str, selector: Obj | None, empty: str) -> Errors:
    """A workload's own selector.

    :param empty: the message about an empty one.
    """
    if selector is None:
        return [required(path)]
    errors = validate_label_selector(selector, path)
    if not selector.get("matchLabels") and not selector.get("matchExpressions"):
        errors.append(invalid(path, selector, empty))
    return errors


def compiled(selector: Obj | None) -> Selector | None:
    """The selector that an object means, None when it is not valid."""
    try:
        return from_label_selector(selector)
    except ValueError:
        return None


def validate_always_running(path: str, template: Obj, kind: str) -> Errors:
    """Kinds that replace their pods take only those that never end by themselves."""
    spec = template.get("spec") or {}
    errors: Errors = []
    if spec.get("restartPolicy") != "Always":
        errors.append(not_supported(f"{path}.spec.restartPolicy", spec.get("restartPolicy", ""), ("Always",)))
    if "activeDeadlineSeconds" in spec:
        errors.append(forbidden(f"{path}.spec.activeDeadlineSeconds",
                                f"activeDeadlineSeconds in {kind} is not Supported"))
    return errors
