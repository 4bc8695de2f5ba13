"""Provisioners and their parameters, as StorageClasses and VolumeAttributesClasses have them."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid, required, too_long
from kube_twisted.registry import rules

_MAX_COUNT, _MAX_SIZE = 512, 256 * 1024


def validate_provisioner(path: str, name: str) -> list[FieldError]:
    """A qualified name in any case; messages show it in lower case."""
    return rules.qualified_name(path, name.lower()) if name else [required(path)]


def validate_parameters(path: str, parameters: dict[str, str]) -> list[FieldError]:
    """Not too many, not too large, every key named."""
    if len(parameters) > _MAX_COUNT:
        return [too_long(path, _MAX_COUNT)]
    errors = [invalid(path, "", "field can not be empty.")] if "" in parameters else []
    if sum(len(key.encode()) + len(value.encode()) for key, value in parameters.items()) > _MAX_SIZE:
        errors.append(too_long(path, _MAX_SIZE))
    return errors
