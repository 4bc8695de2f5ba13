"""Certificates made for tests of client authentication."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from attrs import frozen
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NOW = datetime(2026, 5, 1, tzinfo=UTC)
COMMON_NAME, ORGANIZATION = NameOID.COMMON_NAME, NameOID.ORGANIZATION_NAME
Subject = Sequence[tuple[x509.ObjectIdentifier, str]]


@frozen
class Issued:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(Encoding.DER)


def issue(subject: Subject, issuer: Issued | None = None, *, authority: bool = False, days: int = 30,
          usage: x509.ObjectIdentifier | None = ExtendedKeyUsageOID.CLIENT_AUTH) -> Issued:
    """A certificate valid from ``NOW`` on; self-signed without an issuer."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(kind, value) for kind, value in subject])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer.certificate.subject if issuer else name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW)
        .not_valid_after(NOW + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    if usage is not None and not authority:
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
    return Issued(builder.sign(issuer.key if issuer else key, hashes.SHA256()), key)
