"""Names of compute resources and how much of them may be asked for."""

from __future__ import annotations

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid
from kube_twisted.registry import rules
from kube_twisted.registry.podspec import quantities

_HUGE = "hugepages-"
_COUNTED = frozenset({
    "pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps",
    "persistentvolumeclaims", "services.nodeports", "services.loadbalancers",
})
_QUOTA = _COUNTED | {
    "cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.storage",
    "requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage",
}
_STANDARD = _QUOTA | {"storage"}
_CONTAINER = frozenset({"cpu", "memory", "ephemeral-storage"})


def is_huge_page(name: str) -> bool:
    return name.startswith(_HUGE)


def is_native(name: str) -> bool:
    """Whether the resource is Kubernetes' own: unprefixed, or below ``kubernetes.io/``."""
    return "/" not in name or "kubernetes.io/" in name


def is_extended(name: str) -> bool:
    """Whether the resource is somebody else's, and so counted in whole units."""
    if is_native(name) or name.startswith("requests."):
        return False
    return not names.qualified_name(f"requests.{name}")


def is_overcommit_allowed(name: str) -> bool:
    return is_native(name) and not is_huge_page(name)


def is_standard_quota(name: str) -> bool:
    return name in _QUOTA or name.startswith((_HUGE, "requests.hugepages-"))


def validate_resource_name(path: str, name: str) -> list[FieldError]:
    """A qualified name; without a prefix, a standard one."""
    errors = rules.qualified_name(path, name)
    standard = name in _STANDARD or name.startswith((_HUGE, "requests.hugepages-"))
    if not errors and "/" not in name and not standard:
        errors = [invalid(path, name, "must be a standard resource type or fully qualified")]
    return errors


def validate_container_resource_name(path: str, name: str) -> list[FieldError]:
    """A resource that a container can ask for."""
    errors = validate_resource_name(path, name)
    if "/" not in name:
        if name not in _CONTAINER and not is_huge_page(name):
            errors.append(invalid(path, name, "must be a standard resource for containers"))
    elif not is_native(name) and not is_extended(name):
        errors.append(invalid(path, name, "doesn't follow extended resource name standard"))
    return errors


def validate_quota_resource_name(path: str, name: str) -> list[FieldError]:
    """A resource that a quota can limit."""
    errors = validate_resource_name(path, name)
    if "/" not in name and not is_standard_quota(name):
        errors.append(invalid(path, name, "must be a standard resource for quota"))
    return errors


def non_negative_quantity(path: str, text: str) -> list[FieldError]:
    negative = quantities.parsed(text).sign < 0
    return [invalid(path, text, "must be greater than or equal to 0")] if negative else []


def positive_quantity(path: str, text: str) -> list[FieldError]:
    return [] if quantities.parsed(text).sign > 0 else [invalid(path, text, "must be greater than zero")]


def existing_amount(path: str, text: str) -> list[FieldError]:
    """An amount that can exist; the message shows a number where others show the text."""
    amount = quantities.parsed(text)
    return [invalid(path, amount.value(), "must be a valid resource quantity")] if amount.sign < 0 else []


def validate_quantity(path: str, name: str, text: str) -> list[FieldError]:
    """Not negative, and whole when the resource is counted."""
    errors = non_negative_quantity(path, text)
    if (name in _COUNTED or is_extended(name)) and quantities.has_fraction(text):
        errors.append(invalid(path, text, "must be an integer"))
    return errors
