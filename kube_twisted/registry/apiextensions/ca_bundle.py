"""The certificates that the conversion webhook of a definition is trusted by."""

from __future__ import annotations

import base64
from typing import Any

from cryptography import x509

from kube_twisted.api.field import FieldError, invalid

_UNREADABLE = "unable to load root certificates: unable to parse bytes as PEM block"


def validate(path: str, encoded: str) -> list[FieldError]:
    """At least one certificate in PEM.

    :param encoded: base64, as the field is sent.
    """
    try:
        x509.load_pem_x509_certificates(base64.b64decode(encoded))
    except ValueError:
        return [invalid(path, encoded, _UNREADABLE)]
    return []


def is_bad(spec: dict[str, Any]) -> bool:
    """Whether the spec has a bundle that does not pass."""
    encoded = spec.get("conversion", {}).get("webhook", {}).get("clientConfig", {}).get("caBundle")
    return bool(encoded) and bool(validate("", encoded))
