"""Validation of a claim's spec, also used for claims in templates."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.core.access_modes import VOLUME_MODES, validate_access_modes
from kube_twisted.registry.core.resource_names import positive_quantity

_NOT_CLAIM = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"


def validate_claim_spec(path: str, spec: dict[str, Any],
                        old_spec: dict[str, Any] | None = None) -> list[FieldError]:
    """All that is wrong; ``old_spec`` is that of the claim before, whose odd values may stay."""
    old_spec = old_spec or {}
    modes = spec.get("accessModes", [])
    errors = [] if modes else [required(f"{path}.accessModes", "at least 1 access mode is required")]
    errors += rules.label_selector(f"{path}.selector", spec.get("selector"), old_spec.get("selector"))
    errors += validate_access_modes(f"{path}.accessModes", modes)
    size = spec.get("resources", {}).get("requests", {}).get("storage")
    at = f"{path}.resources[storage]"
    errors += [required(at)] if size is None else positive_quantity(at, size)
    if spec.get("storageClassName"):
        errors += rules.dns_subdomain(f"{path}.storageClassName", spec["storageClassName"])
    if "volumeMode" in spec:
        errors += rules.one_of(f"{path}.volumeMode", spec["volumeMode"], VOLUME_MODES)
    errors += _validate_sources(path, spec, any(old_spec.get(field, {}).get("apiGroup") is not None
                                                for field in ("dataSource", "dataSourceRef")))
    if spec.get("volumeAttributesClassName"):
        errors += rules.dns_subdomain(f"{path}.volumeAttributesClassName", spec["volumeAttributesClassName"])
    return errors


def _validate_sources(path: str, spec: dict[str, Any], any_group: bool) -> list[FieldError]:
    errors: list[FieldError] = []
    for field in ("dataSource", "dataSourceRef"):
        if field in spec:
            errors += _validate_source(f"{path}.{field}", spec[field], any_group)
    source, reference = spec.get("dataSource"), spec.get("dataSourceRef")
    if source is None or reference is None:
        return errors
    if reference.get("namespace"):
        errors.append(invalid(path, {}, "may not be specified when dataSourceRef.namespace is specified"))
    elif any(source.get(field) != reference.get(field) for field in ("apiGroup", "kind", "name")):
        errors.append(invalid(path, {}, "must match dataSourceRef"))
    return errors


def _validate_source(path: str, source: dict[str, Any], any_group: bool) -> list[FieldError]:
    errors = [required(f"{path}.{field}") for field in ("name", "kind") if not source.get(field)]
    group = source.get("apiGroup") or ""
    if not group and source.get("kind") != "PersistentVolumeClaim":
        errors.append(invalid(path, source.get("kind", ""), _NOT_CLAIM))
    if group and not any_group:
        errors += rules.dns_subdomain(f"{path}.apiGroup", group)
    if source.get("namespace"):
        errors += rules.dns_label(f"{path}.namespace", source["namespace"])
    return errors
