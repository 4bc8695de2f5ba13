"""Names of drivers, pools, requests and attributes."""

from __future__ import annotations

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid, required, too_long
from kube_twisted.registry import rules
from kube_twisted.registry.core.volume_sources import csi_driver_name

_MAX_POOL, _MAX_ID = 253, 32


def driver_name(path: str, name: str) -> list[FieldError]:
    """As names of storage drivers are."""
    return csi_driver_name(path, name)


def pool_name(path: str, name: str) -> list[FieldError]:
    """DNS subdomains separated by slashes."""
    if not name:
        return [required(path)]
    errors = [too_long(path, _MAX_POOL)] if len(name) > _MAX_POOL else []
    return errors + [error for part in name.split("/") for error in rules.dns_subdomain(path, part)]


def attribute_name(path: str, name: str) -> list[FieldError]:
    """A C identifier, which the driver's or another domain may qualify."""
    domain, slash, identifier = name.partition("/")
    if not slash:
        return _identifier(path, name)
    if "/" in identifier:
        return []
    errors = driver_name(path, domain) if domain else [invalid(path, "", "the domain must not be empty")]
    return errors + (_identifier(path, identifier) if identifier
                     else [invalid(path, "", "the name must not be empty")])


def qualified_attribute_name(path: str, name: str) -> list[FieldError]:
    """An attribute's name with its domain."""
    errors = attribute_name(path, name)
    if "/" not in name:
        errors.append(invalid(path, name,
                              "a fully qualified name must be a domain and a name separated by a slash"))
    return errors


def _identifier(path: str, name: str) -> list[FieldError]:
    errors = [too_long(path, _MAX_ID)] if len(name) > _MAX_ID else []
    return errors + rules.messages(path, name, names.c_identifier(name))
