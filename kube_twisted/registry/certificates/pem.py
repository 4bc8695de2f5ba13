"""Requests and certificates in PEM, checked as far as a request for signing needs."""

from __future__ import annotations

import base64
import re

from attrs import frozen
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

_BLOCK = re.compile(r"-----BEGIN ([^\n-]*)-----[ \t]*\r?\n(.*?)-----END \1-----", re.DOTALL)


@frozen
class Block:
    """One PEM block.

    :ivar headers: the lines before the content, if any.
    """

    type: str
    headers: tuple[str, ...]
    content: bytes


def blocks(text: str) -> list[Block]:
    """All blocks that can be read; what lies between them is skipped."""
    found = []
    for match in _BLOCK.finditer(text):
        lines = match.group(2).splitlines()
        headers = tuple(line for line in lines if ":" in line)
        try:
            content = base64.b64decode("".join(line for line in lines if ":" not in line), validate=True)
        except ValueError:
            continue
        found.append(Block(match.group(1), headers, content))
    return found


def request_problem(pem: bytes) -> str:
    """Why this is no signed certificate request; empty when it is one."""
    found = blocks(pem.decode("latin-1"))
    if not found or found[0].type != "CERTIFICATE REQUEST":
        return "PEM block type must be CERTIFICATE REQUEST"
    try:
        request = x509.load_der_x509_csr(found[0].content)
        valid = request.is_signature_valid
    except (ValueError, InvalidSignature, UnsupportedAlgorithm) as error:
        return f"x509: malformed certificate request: {error}"
    return "" if valid else "x509: invalid signature"


def certificate_problem(pem: bytes) -> str:
    """Why this is no chain of certificates; empty when it is one, or nothing at all."""
    if not pem:
        return ""
    found = blocks(pem.decode("latin-1"))
    if not found:
        return "must contain at least one CERTIFICATE PEM block"
    for block in found:
        if block.type != "CERTIFICATE":
            return f'only CERTIFICATE PEM blocks are allowed, found "{block.type}"'
        if block.headers:
            return "no PEM block headers are permitted"
        if not block.content:
            return "found CERTIFICATE PEM block containing 0 certificates"
        try:
            x509.load_der_x509_certificate(block.content)
        except ValueError:
            return "x509: malformed certificate"
    return ""
