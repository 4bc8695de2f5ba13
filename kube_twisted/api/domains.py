"""Fields that hold a domain, or something behind a domain: ``example.com/thing``.

Source: apimachinery's ``util/validation``.
"""

from __future__ import annotations

import re

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.api.names import dns_subdomain, qualified_name, regex_error

_PATH = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"
_is_path = re.compile(_PATH).fullmatch


def fully_qualified_name(name: str, path: str) -> list[FieldError]:
    """A domain of at least three parts, such as a webhook's name."""
    if not name:
        return [required(path)]
    if messages := dns_subdomain(name):
        return [invalid(path, name, ",".join(messages))]
    if name.count(".") < 2:
        return [invalid(path, name, "should be a domain with at least three segments separated by dots")]
    return []


def domain_prefixed_path(text: str, path: str) -> list[FieldError]:
    """A domain, a slash and the path of a URL, such as the controller of an IngressClass."""
    if not text:
        return [required(path)]
    host, _, rest = text.partition("/")
    if not host or not rest:
        return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')]
    errors = [invalid(path, host, message) for message in dns_subdomain(host)]
    if not _is_path(rest):
        errors.append(invalid(path, rest, regex_error("Invalid path", _PATH)))
    return errors


def domain_prefixed_key(key: str, path: str) -> list[FieldError]:
    """A label key with a domain, such as the annotation of a pod's certificate."""
    if not key:
        return [required(path)]
    if messages := qualified_name(key):
        return [invalid(path, key, message) for message in messages]
    if "/" not in key:
        return [invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')]
    return []
