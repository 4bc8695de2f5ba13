"""Validation of a pod as a whole, new or changed."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden
from kube_twisted.registry.podspec.annotations import (
    names_profiles,
    validate_annotations_update,
    validate_pod_annotations,
    validate_profiles_match,
)
from kube_twisted.registry.podspec.containers import has_image_spaces, validate_image_spaces
from kube_twisted.registry.podspec.options import POD, Options
from kube_twisted.registry.podspec.spec import validate_pod_spec, with_paths

Obj = dict[str, Any]
Errors = list[FieldError]

ANNOTATIONS = "metadata.annotations"


def validate_pod(pod: Obj) -> Errors:
    """All that is wrong with a new pod."""
    spec = pod["spec"]
    errors = validate_pod_content(pod, POD)
    if spec.get("ephemeralContainers"):
        errors.append(forbidden("spec.ephemeralContainers", "cannot be set on create"))
    if spec.get("nodeName") and spec.get("schedulingGates"):
        errors.append(forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared"))
    annotations = pod["metadata"].get("annotations")
    if annotations and names_profiles(annotations):
        errors += validate_profiles_match("spec", annotations, spec, with_paths("spec", spec))
    return errors


def validate_pod_content(pod: Obj, options: Options) -> Errors:
    """What holds for new and changed pods alike."""
    metadata, spec = pod["metadata"], pod["spec"]
    errors: Errors = []
    annotations = metadata.get("annotations")
    if annotations:
        errors += validate_pod_annotations(ANNOTATIONS, annotations, spec, options.any_deletion_cost)
    errors += validate_pod_spec("spec", spec, metadata, options)
    if "volumes" in spec and not spec.get("serviceAccountName"):
        errors += _tokens_without_account(spec)
    for kind in ("containers", "initContainers"):
        for index, container in enumerate(spec.get(kind) or ()):
            if has_image_spaces(container):
                errors += validate_image_spaces(f"spec.{kind}[{index}]", container)
    return errors


def _tokens_without_account(spec: Obj) -> Errors:
    return [forbidden(f"spec.volumes[{index}].projected.sources[{place}].serviceAccountToken",
                      "must not be specified when serviceAccountName is not set")
            for index, volume in enumerate(spec["volumes"] or ())
            for place, source in enumerate((volume.get("projected") or {}).get("sources") or ())
            if "serviceAccountToken" in source]


def validate_fixed_annotations(pod: Obj, old: Obj, options: Options) -> Errors:
    """Annotations that may not change, and once more those that mean something, as the original does."""
    new, before = pod["metadata"].get("annotations") or {}, old["metadata"].get("annotations") or {}
    if not new and not before:
        return []
    errors = validate_annotations_update(ANNOTATIONS, new, before)
    return errors + validate_pod_annotations(ANNOTATIONS, new, pod["spec"], options.any_deletion_cost)
