"""Validation rules that many kinds share: each looks at one field and answers what is wrong with it.

Wording: apimachinery's ``pkg/api/validation`` and ``pkg/util/validation``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kube_twisted.api import labels as label_rules
from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid, not_supported, required

IMMUTABLE = "field is immutable"


def messages(path: str, value: Any, found: Iterable[str]) -> list[FieldError]:
    """One ``Invalid`` error per message."""
    return [invalid(path, value, message) for message in found]


def one_of(path: str, value: str, supported: Iterable[str]) -> list[FieldError]:
    """The value is one of an enumeration; the message lists it in the order given."""
    supported = tuple(supported)
    return [] if value in supported else [not_supported(path, value, supported)]


def required_one_of(path: str, value: str, supported: Iterable[str]) -> list[FieldError]:
    """As :func:`one_of`, but an empty value is a missing one."""
    return one_of(path, value, supported) if value else [required(path)]


def immutable(path: str, new: Any, old: Any) -> list[FieldError]:
    """The value is what it was."""
    return [] if new == old else [invalid(path, new, IMMUTABLE)]


def dns_subdomain(path: str, value: str) -> list[FieldError]:
    return messages(path, value, names.dns_subdomain(value, False))


def dns_label(path: str, value: str) -> list[FieldError]:
    return messages(path, value, names.dns_label(value, False))


def qualified_name(path: str, value: str) -> list[FieldError]:
    """``example.com/name`` or ``name``, as label keys are."""
    return messages(path, value, names.qualified_name(value))


def path_segment(path: str, value: str) -> list[FieldError]:
    return messages(path, value, names.path_segment(value, False))


def labels(path: str, values: Mapping[str, str]) -> list[FieldError]:
    """Keys and values of a label map."""
    return label_rules.validate_labels(dict(values), path)


def label_selector(path: str, selector: dict[str, Any] | None,
                   old: dict[str, Any] | None = None) -> list[FieldError]:
    """A ``metav1.LabelSelector``; its values may be odd if the ``old`` ones were."""
    lenient = bool(label_rules.validate_label_selector(old, ""))
    return label_rules.validate_label_selector(selector, path, allow_invalid_values=lenient)


def port_number(path: str, value: int) -> list[FieldError]:
    return messages(path, value, names.port_number(value))


def port(path: str, value: int | str) -> list[FieldError]:
    """A port by number or by name."""
    if isinstance(value, str):
        return messages(path, value, names.port_name(value))
    return port_number(path, value)


def non_negative(path: str, value: int) -> list[FieldError]:
    return [] if value >= 0 else [invalid(path, value, "must be greater than or equal to 0")]


def positive(path: str, value: int) -> list[FieldError]:
    return [] if value > 0 else [invalid(path, value, "must be greater than 0")]


def config_key(path: str, key: str) -> list[FieldError]:
    """A key of a ConfigMap or Secret: usable as a file name."""
    return messages(path, key, names.config_map_key(key))
