"""TLS handshakes, over in-memory transports."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding
from OpenSSL import SSL
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.ssl import Certificate, CertificateOptions, PrivateCertificate, TLSVersion
from twisted.internet.task import Clock as FakeTime
from twisted.protocols.tls import TLSMemoryBIOFactory
from twisted.python.failure import Failure
from twisted.test.iosim import FakeTransport, connect
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server import certificates
from kube_twisted.server.tls import ServerTLS, TLSError, peer_certificates
from kube_twisted.util.clock import Clock
from kube_twisted.util.tls import ClientTLS, Identity

NOW = datetime.now(UTC)
AUTHORITY = certificates.new_authority("authority", NOW)
SERVING = certificates.new_serving(AUTHORITY, ["api.example.com", "192.0.2.1"], NOW)
CLIENT = certificates.new_client(AUTHORITY, "jane", ["team"], NOW)
STRANGER = certificates.new_client(certificates.new_authority("stranger", NOW), "jane", [], NOW)


class Recorder(Protocol):
    """Keeps what it got, and why it ended."""

    def __init__(self) -> None:
        self.data = b""
        self.reason: Failure | None = None

    def hello(self) -> None:
        if self.reason is None:
            self.transport.write(b"hello")

    def dataReceived(self, data: bytes) -> None:
        self.data += data

    def connectionLost(self, reason: Failure | None = None) -> None:
        self.reason = reason


class HandshakeTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.server_tls = ServerTLS(SERVING.certificate_pem(), SERVING.key_pem(), [AUTHORITY.certificate])

    def connect(self, client: Any) -> tuple[Recorder, Recorder]:
        """Shake hands and send hello; the server's and the client's protocol."""
        time = FakeTime()
        factory = Factory.forProtocol(Recorder)
        self.server_side = TLSMemoryBIOFactory(self.server_tls, False, factory, time).buildProtocol(None)
        self.client_side = TLSMemoryBIOFactory(client, True, factory, time).buildProtocol(None)
        received, sent = self.server_side.wrappedProtocol, self.client_side.wrappedProtocol
        pump = connect(self.server_side, FakeTransport(self.server_side, True),
                       self.client_side, FakeTransport(self.client_side, False))
        sent.hello()
        time.advance(0)
        pump.flush()
        return received, sent

    def trusting(self, hostname: str = "api.example.com", **more: Any) -> Any:
        return ClientTLS(hostname, Clock(FakeTime()), AUTHORITY.certificate_pem(), **more)

    def shown(self) -> tuple[bytes, ...]:
        return peer_certificates(self.server_side.getHandle())

    def test_without_client_certificate(self) -> None:
        """Clients need no certificate."""
        received, _ = self.connect(self.trusting())
        self.assertEqual((received.data, self.shown()), (b"hello", ()))

    def test_client_certificate(self) -> None:
        """A client's certificate is at hand as DER."""
        received, _ = self.connect(self.trusting(identity=Identity(CLIENT.certificate_pem(), CLIENT.key_pem())))
        self.assertEqual(received.data, b"hello")
        self.assertEqual(self.shown()[0], CLIENT.certificate.public_bytes(Encoding.DER))

    def test_unknown_client_certificate_is_let_through(self) -> None:
        """A certificate of a stranger does not break the connection: authentication decides."""
        received, _ = self.connect(self.trusting(identity=Identity(STRANGER.certificate_pem(), STRANGER.key_pem())))
        self.assertEqual(received.data, b"hello")
        self.assertEqual(self.shown(), (STRANGER.certificate.public_bytes(Encoding.DER),))

    def test_intermediates(self) -> None:
        """What a client sends beyond its certificate comes after it, without repeats."""
        shown = PrivateCertificate.loadPEM(CLIENT.certificate_pem() + CLIENT.key_pem())
        more = Certificate.loadPEM(AUTHORITY.certificate_pem())
        self.connect(CertificateOptions(privateKey=shown.privateKey.original, certificate=shown.original,
                                        extraCertChain=[more.original]))
        self.assertEqual(self.shown(), tuple(one.certificate.public_bytes(Encoding.DER)
                                             for one in (CLIENT, AUTHORITY)))

    def test_authorities_are_named_to_clients(self) -> None:
        """Clients learn whose certificates are welcome."""
        self.connect(self.trusting())
        names = self.client_side.getHandle().get_client_ca_list()
        self.assertEqual([one.CN for one in names], ["authority"])

    def test_protocols(self) -> None:
        """HTTP/2 is preferred, HTTP/1.1 known; a client that offers neither, or nothing, gets no promise."""
        for offered, chosen in (((b"http/1.1", b"h2"), b"h2"), ((b"http/1.1",), b"http/1.1"),
                                ((b"spdy/3",), None), ((), None)):
            received, _ = self.connect(self.trusting(protocols=offered))
            self.assertEqual(received.data, b"hello")
            self.assertEqual(self.server_side.negotiatedProtocol, chosen)

    def test_old_tls_is_refused(self) -> None:
        """TLS 1.1 does not get through."""
        received, sent = self.connect(CertificateOptions(insecurelyLowerMinimumTo=TLSVersion.TLSv1_1,
                                                         lowerMaximumSecurityTo=TLSVersion.TLSv1_1))
        self.assertEqual(received.data, b"")
        assert sent.reason is not None
        sent.reason.trap(SSL.Error)

    def test_unusable_material(self) -> None:
        """A key of another certificate, or no PEM at all, is an error at the start."""
        self.assertRaises(TLSError, ServerTLS, SERVING.certificate_pem(), CLIENT.key_pem())
        self.assertRaises(TLSError, ServerTLS, SERVING.certificate_pem(), b"x")
        self.assertRaises(TLSError, ServerTLS, b"x", SERVING.key_pem())
