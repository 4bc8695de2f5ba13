"""``spec.names`` and ``status.acceptedNames``."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.api.names import dns1035_label

_MIXED = "may have mixed case, but should otherwise match: "


def validate_required(path: str, given: dict[str, Any]) -> list[FieldError]:
    """All four names of a kind are needed; singular and listKind have defaults."""
    return [required(f"{path}.{key}") for key in ("plural", "singular", "kind", "listKind")
            if not given.get(key)]


def validate(path: str, given: dict[str, Any]) -> list[FieldError]:
    """Names that are given are DNS labels; a kind and its list differ."""
    errors = []
    for key in ("plural", "singular"):
        errors += _label(f"{path}.{key}", given.get(key, ""))
    for key in ("kind", "listKind"):
        errors += _mixed_case_label(f"{path}.{key}", given.get(key, ""))
    errors += _labels(f"{path}.shortNames", given.get("shortNames") or [])
    if given.get("kind") and given["kind"] == given.get("listKind"):
        errors.append(invalid(f"{path}.listKind", given["listKind"], "kind and listKind may not be the same"))
    return errors + _labels(f"{path}.categories", given.get("categories") or [])


def _label(path: str, value: str) -> list[FieldError]:
    wrong = dns1035_label(value) if value else []
    return [invalid(path, value, ",".join(wrong))] if wrong else []


def _mixed_case_label(path: str, value: str) -> list[FieldError]:
    wrong = dns1035_label(value.lower()) if value else []
    return [invalid(path, value, _MIXED + ",".join(wrong))] if wrong else []


def _labels(path: str, values: list[str]) -> list[FieldError]:
    errors = []
    for index, value in enumerate(values):
        wrong = dns1035_label(value)
        if wrong:
            errors.append(invalid(f"{path}[{index}]", value, ",".join(wrong)))
    return errors
