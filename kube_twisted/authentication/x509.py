"""Client certificates: the common name is the user, the organizations are the groups."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from attrs import frozen
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from cryptography.x509.verification import (
    ClientVerifier,
    Criticality,
    ExtensionPolicy,
    Policy,
    PolicyBuilder,
    Store,
    VerificationError,
)
from zope.interface import implementer

from kube_twisted.api.user import CREDENTIAL_ID, UserInfo, with_authenticated_group
from kube_twisted.authentication.interfaces import IAuthenticator, InvalidCredentials, RequestCredentials
from kube_twisted.util.clock import Clock
from kube_twisted.util.starting import StartError

#: The element of a distinguished name that carries the user's uid (apimachinery's ``asn1.X509UID``).
UID = x509.ObjectIdentifier("1.3.6.1.4.1.57683.2")
#: How many certificates to remember.
CACHE_SIZE = 1000


class ClientCAError(StartError):
    """The file of client certificate authorities cannot be used; the text names it."""


@frozen
class _Verified:
    """Whom a certificate stands for, and until when (seconds since the epoch) its chain is valid."""

    user: UserInfo | None
    until: float


@implementer(IAuthenticator)
class X509Authenticator:
    """Verifies the chain, the time and the usage for clients, once per certificate.

    A certificate without a common name stands for nobody: the request goes on as if it had sent none.

    :param authorities: who may issue client certificates.
    """

    def __init__(self, authorities: Iterable[x509.Certificate], clock: Clock) -> None:
        self._store = Store(list(authorities))
        self._clock = clock
        self._verified: OrderedDict[bytes, _Verified] = OrderedDict()

    async def authenticate(self, credentials: RequestCredentials) -> UserInfo | None:
        chain = credentials.peer_certificates
        if not chain:
            return None
        verified = self._verified.get(chain[0])
        if verified is None or verified.until < self._clock.seconds():
            verified = self._verified[chain[0]] = self._verify(chain)
            if len(self._verified) > CACHE_SIZE:
                self._verified.popitem(last=False)
        return verified.user

    def _verify(self, chain: Sequence[bytes]) -> _Verified:
        try:
            leaf, *intermediates = [x509.load_der_x509_certificate(one) for one in chain]
            found = self._verifier().verify(leaf, intermediates).chain
            user = user_of(leaf)
        except (VerificationError, ValueError) as error:
            raise InvalidCredentials(f"client certificate: {error}") from error
        until = min(one.not_valid_after_utc.timestamp() for one in found)
        return _Verified(with_authenticated_group(user) if user is not None else None, until)

    def _verifier(self) -> ClientVerifier:
        return (
            PolicyBuilder()
            .store(self._store)
            .time(self._clock.now())
            .extension_policies(ca_policy=_AUTHORITY_POLICY, ee_policy=_CLIENT_POLICY)
            .build_client_verifier()
        )


def user_of(certificate: x509.Certificate) -> UserInfo | None:
    """Whom a certificate stands for; None when it has no common name.

    :raises ValueError: for more than one uid, or an empty one.
    """
    names = _subject(certificate, NameOID.COMMON_NAME)
    if not names or not names[-1]:
        return None
    uids = _subject(certificate, UID)
    if len(uids) > 1 or "" in uids:
        raise ValueError(f"expected one uid that is not empty, found {uids}")
    fingerprint = sha256(certificate.public_bytes(Encoding.DER)).hexdigest()
    return UserInfo(names[-1], "".join(uids), tuple(_subject(certificate, NameOID.ORGANIZATION_NAME)),
                    {CREDENTIAL_ID: (f"X509SHA256={fingerprint}",)})


def load_authorities(path: Path) -> list[x509.Certificate]:
    """The certificates of a PEM file.

    :raises ClientCAError: when it cannot be read or holds none.
    """
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())
    except OSError as error:
        raise ClientCAError(f"client CA file {path}: {error.strerror}") from error
    except ValueError as error:
        raise ClientCAError(f"client CA file {path}: holds no PEM certificates") from error


def _subject(certificate: x509.Certificate, kind: x509.ObjectIdentifier) -> list[str]:
    return [str(one.value) for one in certificate.subject.get_attributes_for_oid(kind)]


def _is_authority(_: Policy, __: x509.Certificate, constraints: x509.BasicConstraints) -> None:
    if not constraints.ca:
        raise ValueError("an issuer is no certificate authority")


def _may_issue(_: Policy, __: x509.Certificate, usage: x509.KeyUsage | None) -> None:
    if usage is not None and not usage.key_cert_sign:
        raise ValueError("an issuer's key may not sign certificates")


def _for_clients(_: Policy, __: x509.Certificate, usage: x509.ExtendedKeyUsage | None) -> None:
    if usage is not None and not {ExtendedKeyUsageOID.CLIENT_AUTH, _ANY_USAGE} & set(usage):
        raise ValueError("the certificate may not be used by clients")


_ANY_USAGE = ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE
# As lenient as Go's crypto/x509, which asks for no alternative names of clients and no key identifiers.
_AUTHORITY_POLICY = (
    ExtensionPolicy.permit_all()
    .require_present(x509.BasicConstraints, Criticality.AGNOSTIC, _is_authority)
    .may_be_present(x509.KeyUsage, Criticality.AGNOSTIC, _may_issue)
    .may_be_present(x509.ExtendedKeyUsage, Criticality.AGNOSTIC, _for_clients)
)
_CLIENT_POLICY = ExtensionPolicy.permit_all().may_be_present(
    x509.ExtendedKeyUsage, Criticality.AGNOSTIC, _for_clients)
