"""Serving by TLS, where client certificates are optional."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from OpenSSL import SSL, crypto
from twisted.internet.interfaces import IOpenSSLServerConnectionCreator
from twisted.protocols.tls import TLSMemoryBIOProtocol
from zope.interface import implementer

from kube_twisted.util.starting import StartError

#: What the server speaks, best first.
PROTOCOLS = (b"h2", b"http/1.1")
_CIPHERS = b"ECDHE+AESGCM:ECDHE+CHACHA20"
_OPTIONS = SSL.OP_NO_COMPRESSION | SSL.OP_NO_RENEGOTIATION | SSL.OP_CIPHER_SERVER_PREFERENCE


class TLSError(StartError):
    """A certificate or key cannot be used for TLS."""


@implementer(IOpenSSLServerConnectionCreator)
class ServerTLS:
    """Serves with one certificate, TLS 1.2 and later, HTTP/2 and HTTP/1.1.

    Clients are asked for a certificate but need none, and any is let through: whether it is good is for
    authentication to say, so that a client with a bad one gets a 401 and not a broken connection.

    :param chain_pem: the certificate, and intermediates after it.
    :param client_authorities: named to clients, so that they can choose a certificate.
    :raises TLSError: when certificate and key cannot be used.
    """

    def __init__(self, chain_pem: bytes, key_pem: bytes, client_authorities: Iterable[x509.Certificate] = (),
                 protocols: tuple[bytes, ...] = PROTOCOLS) -> None:
        context = _context(SSL.TLS_SERVER_METHOD)
        _use(context, chain_pem, key_pem)
        context.set_verify(SSL.VERIFY_PEER, _let_through)
        for one in client_authorities:
            context.add_client_ca(one)
        # Resuming a session with a client certificate needs a name for the sessions.
        context.set_session_id(secrets.token_bytes(16))
        context.set_alpn_select_callback(lambda _, offered: _choose(protocols, offered))
        self._context = context

    def serverConnectionForTLS(self, tlsProtocol: TLSMemoryBIOProtocol) -> SSL.Connection:
        return SSL.Connection(self._context, None)


def peer_certificates(connection: SSL.Connection) -> tuple[bytes, ...]:
    """The certificate that the client sent and its intermediates, each DER; empty without one.

    A resumed session remembers the certificate, but not the intermediates.
    """
    leaf = connection.get_peer_certificate(as_cryptography=True)
    if leaf is None:
        return ()
    chain = connection.get_peer_cert_chain(as_cryptography=True) or ()
    return tuple(dict.fromkeys(one.public_bytes(Encoding.DER) for one in (leaf, *chain)))


def _context(method: int) -> SSL.Context:
    context = SSL.Context(method)
    context.set_min_proto_version(SSL.TLS1_2_VERSION)
    context.set_options(_OPTIONS)
    context.set_mode(SSL.MODE_RELEASE_BUFFERS)
    context.set_cipher_list(_CIPHERS)
    return context


def _use(context: SSL.Context, chain_pem: bytes, key_pem: bytes) -> None:
    leaf, *intermediates = _certificates(chain_pem)
    try:
        context.use_certificate(leaf)
        for one in intermediates:
            context.add_extra_chain_cert(one)
        context.use_privatekey(crypto.load_privatekey(crypto.FILETYPE_PEM, key_pem, b""))
        context.check_privatekey()
    except (SSL.Error, crypto.Error) as error:
        raise TLSError(f"the serving certificate and its key cannot be used: {error}") from error


def _certificates(pem: bytes) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError as error:
        raise TLSError("no PEM certificate found") from error


def _let_through(*_: object) -> bool:
    return True


def _choose(ours: tuple[bytes, ...], offered: list[bytes]) -> bytes | SSL._NoOverlappingProtocols:
    return next((one for one in ours if one in offered), SSL.NO_OVERLAPPING_PROTOCOLS)
