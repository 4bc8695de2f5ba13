"""Names of drivers, pools, requests and attributes."""

from __future__ import annotations

import re

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, go_quote, invalid, required, too_long
from kube_twisted.registry import rules
from kube_twisted.registry.core.volume_sources import csi_driver_name

_MAX_POOL, _MAX_ID = 253, 32
_UUID, _HEX = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"), re.compile(r"[0-9a-fA-F]{32}")
_URN = "urn:uuid:"


def driver_name(path: str, name: str) -> list[FieldError]:
    """As names of storage drivers are."""
    return csi_driver_name(path, name)


def pool_name(path: str, name: str) -> list[FieldError]:
    """DNS subdomains separated by slashes."""
    if not name:
        return [required(path)]
    errors = [too_long(path, _MAX_POOL)] if len(name) > _MAX_POOL else []
    return errors + [error for part in name.split("/") for error in rules.dns_subdomain(path, part)]


def share_id(path: str, uid: str) -> list[FieldError]:
    """A UUID in its plain form, with small letters."""
    wrong = _uuid_error(uid)
    if wrong:
        return [invalid(path, uid, f"error validating uid: {wrong}")]
    if len(uid) != 36 or uid != uid.lower():
        return [invalid(path, uid, "uid must be in RFC 4122 normalized form, "
                                   "`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters")]
    return []


def _uuid_error(uid: str) -> str:
    """Why this is no UUID in any of its four forms."""
    length = len(uid.encode())
    plain, pattern = uid, _HEX if length == 32 else _UUID
    if length == 36 + len(_URN):
        plain = uid[len(_URN):]
        if uid[:len(_URN)].lower() != _URN:
            return f"invalid urn prefix: {go_quote(uid[:len(_URN)])}"
    elif length == 38:
        plain = uid[1:-1]
        if uid[0] + uid[-1] != "{}":
            return "invalid bracketed UUID format"
    elif length not in (32, 36):
        return f"invalid UUID length: {length}"
    return "" if pattern.fullmatch(plain) else "invalid UUID format"


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
