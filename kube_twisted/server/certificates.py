"""Makes and judges X.509 certificates: the authority, serving and client certificates."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import frozen
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

#: Keys that sign certificates, or that servers and clients prove themselves with.
PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

AUTHORITY_LIFE = timedelta(days=3650)
LEAF_LIFE = timedelta(days=365)
#: A certificate this near to its end is made anew at the next start.
RENEW_BEFORE = timedelta(days=30)
#: Clocks of clients may be behind by this much.
_SKEW = timedelta(minutes=5)


@frozen
class KeyPair:
    """A certificate and its key."""

    certificate: x509.Certificate
    key: PrivateKey

    def belong_together(self) -> bool:
        return self.certificate.public_key() == self.key.public_key()

    def certificate_pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def key_pem(self) -> bytes:
        return key_pem(self.key)


def new_key() -> ec.EllipticCurvePrivateKey:
    """A fresh ECDSA key on P-256."""
    return ec.generate_private_key(ec.SECP256R1())


def key_pem(key: PrivateKey) -> bytes:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                             serialization.NoEncryption())


def new_authority(common_name: str, now: datetime, key: PrivateKey | None = None) -> KeyPair:
    """A self-signed authority. With the ``key`` of an older one, that one's certificates stay good."""
    key = key or new_key()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
    certificate = (
        _builder(name, name, key, now, AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return KeyPair(certificate, key)


def new_serving(authority: KeyPair, names: Sequence[str], now: datetime) -> KeyPair:
    """A serving certificate for DNS names and IP addresses; the first one is its common name."""
    key = new_key()
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    alternatives = x509.SubjectAlternativeName([_general_name(one) for one in names])
    builder = _leaf(authority, subject, key, now, ExtendedKeyUsageOID.SERVER_AUTH)
    return _signed(authority, builder.add_extension(alternatives, critical=False), key)


def new_client(authority: KeyPair, user: str, groups: Sequence[str], now: datetime) -> KeyPair:
    """A client certificate: the user as common name, the groups as organizations."""
    key = new_key()
    subject = x509.Name([*(x509.NameAttribute(NameOID.ORGANIZATION_NAME, one) for one in groups),
                         x509.NameAttribute(NameOID.COMMON_NAME, user)])
    return _signed(authority, _leaf(authority, subject, key, now, ExtendedKeyUsageOID.CLIENT_AUTH), key)


def fit_for_use(pair: KeyPair, authority: KeyPair, now: datetime, names: Sequence[str] = ()) -> bool:
    """Whether a leaf can go on: issued by the authority, far from its end, and with all the names."""
    if not pair.belong_together() or not fresh(pair.certificate, now):
        return False
    try:
        pair.certificate.verify_directly_issued_by(authority.certificate)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return {_general_name(one) for one in names} <= _alternatives(pair.certificate)


def fresh(certificate: x509.Certificate, now: datetime) -> bool:
    """Whether it is valid now and not about to end."""
    return certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - RENEW_BEFORE


def names_in(pem: bytes) -> tuple[str, ...]:
    """The DNS names and IP addresses that the first of some PEM certificates is for, in its order."""
    try:
        extension = x509.load_pem_x509_certificate(pem).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return ()
    return tuple(str(one.value) for one in extension.value if isinstance(one, (x509.DNSName, x509.IPAddress)))


def _alternatives(certificate: x509.Certificate) -> set[x509.GeneralName]:
    try:
        return set(certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value)
    except x509.ExtensionNotFound:
        return set()


def _builder(subject: x509.Name, issuer: x509.Name, key: PrivateKey, now: datetime,
             life: timedelta) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now + life)
    )


def _leaf(authority: KeyPair, subject: x509.Name, key: PrivateKey, now: datetime,
          purpose: x509.ObjectIdentifier) -> x509.CertificateBuilder:
    life = min(LEAF_LIFE, authority.certificate.not_valid_after_utc - now)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    return (
        _builder(subject, authority.certificate.subject, key, now, life)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        .add_extension(issuer, critical=False)
    )


def _signed(authority: KeyPair, builder: x509.CertificateBuilder, key: PrivateKey) -> KeyPair:
    return KeyPair(builder.sign(authority.key, hashes.SHA256()), key)


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True, key_cert_sign=signs_certificates, crl_sign=signs_certificates,
        content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False,
        encipher_only=False, decipher_only=False,
    )


def _general_name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)
