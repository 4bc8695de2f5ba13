"""What is wrong with the certificate and key of a TLS Secret, in the words of Go's ``crypto/tls``."""

from __future__ import annotations

import re

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

_BLOCK = re.compile(rb"-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \1-----", re.DOTALL)


def tls_warning(certificate: bytes, key: bytes) -> str:
    """The first problem of the pair; empty when they fit."""
    return _certificate_problem(certificate) or _key_problem(key) or _match_problem(certificate, key)


def _block_types(pem: bytes) -> list[str]:
    return [match.group(1).decode() for match in _BLOCK.finditer(pem)]


def _certificate_problem(pem: bytes) -> str:
    types = _block_types(pem)
    if "CERTIFICATE" in types:
        return ""
    if not types:
        return "tls: failed to find any PEM data in certificate input"
    if len(types) == 1 and types[0].endswith("PRIVATE KEY"):
        return ("tls: failed to find certificate PEM data in certificate input, but did find a private key; "
                "PEM inputs may have been switched")
    return ('tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of '
            f"the following types: [{' '.join(types)}]")


def _key_problem(pem: bytes) -> str:
    types = _block_types(pem)
    if any(name.endswith("PRIVATE KEY") for name in types):
        return ""
    if not types:
        return "tls: failed to find any PEM data in key input"
    if types == ["CERTIFICATE"]:
        return "tls: found a certificate rather than a key in the PEM for the private key"
    return ('tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping '
            f"PEM blocks of the following types: [{' '.join(types)}]")


def _match_problem(certificate: bytes, key: bytes) -> str:
    try:
        public = x509.load_pem_x509_certificate(certificate).public_key()
    except ValueError:
        return "x509: malformed certificate"
    try:
        private = load_pem_private_key(key, None)
    except (TypeError, ValueError):
        return "tls: failed to parse private key"
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if public.public_bytes(*form) != private.public_key().public_bytes(*form):
        return "tls: private key does not match public key"
    return ""
