"""Names of signers: ``example.com/signer-name``."""

from __future__ import annotations

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, go_quote, invalid, required, too_long

_MAX_DOMAIN, _MAX_NAME = 253, 571


def validate_signer_name(path: str, name: str) -> list[FieldError]:
    """A domain of two or more labels, a slash, and DNS names separated by dots."""
    if not name:
        return [required(path)]
    segments = name.split("/")
    if len(segments) != 2:
        return [invalid(path, name,
                        "must be a fully qualified domain and path of the form 'example.com/signer-name'")]
    domain, rest = segments
    errors = [too_long(path, _MAX_DOMAIN)] if len(domain) > _MAX_DOMAIN else []
    errors += [invalid(path, domain, f"validating label {go_quote(label)}: {why}")
               for label in domain.split(".") for why in names.dns_label(label)]
    if "." not in domain:
        errors.append(invalid(path, domain,
                              "should be a domain with at least two segments separated by dots"))
    errors += [invalid(path, rest, f"validating label {go_quote(label)}: {why}")
               for label in rest.split(".") for why in names.dns_subdomain(label)]
    return errors + ([too_long(path, _MAX_NAME)] if len(name) > _MAX_NAME else [])
