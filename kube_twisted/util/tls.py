"""Connecting by TLS: whom to trust, and that the server's certificate has the name that was asked for.

Why a certificate is refused is said in the words of Go's ``crypto/x509``, which clients of the API know.
"""

from __future__ import annotations

from datetime import datetime

from attrs import frozen
from cryptography import x509
from OpenSSL import SSL, crypto
from service_identity import CertificateError, VerificationError
from service_identity.cryptography import extract_patterns
from service_identity.hazmat import DNS_ID, IPAddress_ID, verify_service_identity
from twisted.internet.interfaces import IOpenSSLClientConnectionCreator
from twisted.protocols.tls import TLSMemoryBIOProtocol
from zope.interface import implementer

from kube_twisted.util.clock import Clock
from kube_twisted.util.dial import is_address

_UNREADABLE = "unable to load root certificates: unable to parse bytes as PEM block"
_UNKNOWN = "certificate signed by unknown authority"
_TIMESTAMP = "%Y-%m-%dT%H:%M:%SZ"
#: OpenSSL's numbers (``X509_V_ERR_...``) for what does not come from an unknown authority.
_NOT_YET_VALID, _EXPIRED = 9, 10
_WORDS = {24: "certificate is not authorized to sign other certificates",
          25: "too many intermediates for path length constraint",
          26: "certificate specifies an incompatible key usage"}


class BadAuthorities(ValueError):
    """No certificate can be read where those of trusted authorities should be."""


class CertificateRefused(SSL.Error):
    """The server's certificate is not good; the text says why. It ends the handshake."""

    def __init__(self, why: str) -> None:
        super().__init__([("x509", "", why)])

    def __str__(self) -> str:
        return str(self.args[0][0][-1])


@frozen
class Identity:
    """What a client shows of itself: its certificate, intermediates after it, and the key."""

    chain_pem: bytes
    key_pem: bytes


@implementer(IOpenSSLClientConnectionCreator)
class ClientTLS:
    """Connects to one server, TLS 1.2 and later, and insists on its name (RFC 6125).

    A certificate that is itself among the trusted ones is good, whoever signed it.

    :param hostname: the name or address that the certificate must have.
    :param authorities_pem: whom to trust; when None, whom the system trusts.
    :param identity: the certificate to show.
    :param verified: whether the server's certificate is looked at; anybody's is good otherwise.
    :raises BadAuthorities: when ``authorities_pem`` holds no certificate.
    """

    def __init__(self, hostname: str, clock: Clock, authorities_pem: bytes | None = None,
                 identity: Identity | None = None, protocols: tuple[bytes, ...] = (b"http/1.1",), *,
                 verified: bool = True) -> None:
        self._hostname = hostname
        self._clock = clock
        self._is_address = is_address(hostname)
        self._server_name = b"" if self._is_address else _idna(hostname)
        context = SSL.Context(SSL.TLS_CLIENT_METHOD)
        context.set_min_proto_version(SSL.TLS1_2_VERSION)
        context.set_options(SSL.OP_NO_COMPRESSION | SSL.OP_NO_RENEGOTIATION)
        context.set_mode(SSL.MODE_RELEASE_BUFFERS)
        if verified:
            context.set_verify(SSL.VERIFY_PEER, self._verify)
            _trust(context, authorities_pem)
        if identity is not None:
            _show(context, identity)
        if protocols:
            context.set_alpn_protos(list(protocols))
        self._context = context

    def clientConnectionForTLS(self, tlsProtocol: TLSMemoryBIOProtocol) -> SSL.Connection:
        connection = SSL.Connection(self._context, None)
        if self._server_name:
            connection.set_tlsext_host_name(self._server_name)
        return connection

    def _verify(self, _: SSL.Connection, shown: crypto.X509, error: int, depth: int, good: int) -> bool:
        """Called by OpenSSL for each certificate, the server's own (``depth`` 0) last.

        As Go does: the time first, then the name, then who signed it.
        """
        certificate = shown.to_cryptography()
        if error in (_NOT_YET_VALID, _EXPIRED):
            raise _refused(_wrong_time(certificate, self._clock.now()))
        if depth == 0 and not self._names(certificate):
            raise _refused(_wrong_name(certificate, self._hostname, self._is_address))
        if not good:
            raise _refused(_WORDS.get(error, _UNKNOWN))
        return True

    def _names(self, certificate: x509.Certificate) -> bool:
        """Whether the certificate is the host's."""
        try:
            wanted = IPAddress_ID(self._hostname) if self._is_address else DNS_ID(self._hostname)
            verify_service_identity(extract_patterns(certificate), [wanted], [])
        except (CertificateError, VerificationError, ValueError):
            return False
        return True


def _idna(hostname: str) -> bytes:
    """The name as it is sent; nothing for one that can't be sent, which no certificate has either."""
    try:
        return hostname.encode("idna")
    except UnicodeError:
        return b""


def _trust(context: SSL.Context, authorities_pem: bytes | None) -> None:
    if authorities_pem is None:
        context.set_default_verify_paths()
        return
    try:
        trusted = x509.load_pem_x509_certificates(authorities_pem)
    except ValueError as error:
        raise BadAuthorities(_UNREADABLE) from error
    store = context.get_cert_store()
    assert store is not None
    for one in trusted:
        store.add_cert(crypto.X509.from_cryptography(one))
    store.set_flags(crypto.X509StoreFlags.PARTIAL_CHAIN)


def _show(context: SSL.Context, identity: Identity) -> None:
    leaf, *intermediates = x509.load_pem_x509_certificates(identity.chain_pem)
    context.use_certificate(leaf)
    for one in intermediates:
        context.add_extra_chain_cert(one)
    context.use_privatekey(crypto.load_privatekey(crypto.FILETYPE_PEM, identity.key_pem, b""))


# -- words --------------------------------------------------------------------------------------------------------


def _refused(why: str) -> CertificateRefused:
    return CertificateRefused(f"tls: failed to verify certificate: x509: {why}")


def _wrong_time(certificate: x509.Certificate, now: datetime) -> str:
    if now < certificate.not_valid_before_utc:
        word, limit = "before", certificate.not_valid_before_utc
    else:
        word, limit = "after", certificate.not_valid_after_utc
    return ("certificate has expired or is not yet valid: current time "
            f"{now.strftime(_TIMESTAMP)} is {word} {limit.strftime(_TIMESTAMP)}")


def _wrong_name(certificate: x509.Certificate, host: str, is_address: bool) -> str:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        if host in {one.value for one in certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)}:
            return "certificate relies on legacy Common Name field, use SANs instead"
        names = x509.SubjectAlternativeName([])
    if is_address:
        valid = [str(one) for one in names.get_values_for_type(x509.IPAddress)]
        if not valid:
            return f"cannot validate certificate for {host} because it doesn't contain any IP SANs"
    else:
        valid = names.get_values_for_type(x509.DNSName)
    if not valid:
        return f"certificate is not valid for any names, but wanted to match {host}"
    return f"certificate is valid for {', '.join(valid)}, not {host}"
