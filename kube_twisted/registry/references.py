"""References to an object by group, kind and name."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, required
from kube_twisted.registry import rules


def validate_typed_reference(path: str, reference: dict[str, Any]) -> list[FieldError]:
    """The group, if given, is a DNS name; kind and name are there and can be part of a URL path."""
    errors = []
    if reference.get("apiGroup") is not None:
        errors += rules.dns_subdomain(f"{path}.apiGroup", reference["apiGroup"])
    return errors + required_segments(path, reference, "kind", "name")


def required_segments(path: str, reference: dict[str, Any], *fields: str) -> list[FieldError]:
    """Fields that must be there and can be part of a URL path."""
    errors = []
    for field in fields:
        value = reference.get(field, "")
        errors += rules.path_segment(f"{path}.{field}", value) if value else [required(f"{path}.{field}")]
    return errors
