"""Whom a client trusts, over in-memory transports."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.x509.oid import NameOID
from OpenSSL import SSL
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.task import Clock as FakeTime
from twisted.protocols.tls import TLSMemoryBIOFactory
from twisted.python.failure import Failure
from twisted.test.iosim import FakeTransport, connect
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server import certificates
from kube_twisted.server.certificates import KeyPair
from kube_twisted.server.tls import ServerTLS
from kube_twisted.util.clock import Clock
from kube_twisted.util.tls import BadAuthorities, CertificateRefused, ClientTLS

NOW = datetime.now(UTC)
AUTHORITY = certificates.new_authority("authority", NOW)
NAMES = ["api.example.com", "*.wild.example.com", "192.0.2.1"]
REFUSED = "tls: failed to verify certificate: x509: "


class Greeter(Protocol):
    """Sends a word, and keeps what it got and why it ended."""

    def __init__(self) -> None:
        self.data = b""
        self.reason: Failure | None = None

    def connectionMade(self) -> None:
        self.transport.write(b"hello")

    def dataReceived(self, data: bytes) -> None:
        self.data += data

    def connectionLost(self, reason: Failure | None = None) -> None:
        self.reason = reason


class ClientTLSTests(SynchronousTestCase):
    def outcome(self, hostname: str, trusted: bytes | None, shown: KeyPair) -> str:
        """Empty when the server's word came through, otherwise why the client hung up."""
        time = FakeTime()
        time.advance(NOW.timestamp())
        factory = Factory.forProtocol(Greeter)
        server = ServerTLS(shown.certificate_pem(), shown.key_pem())
        client = ClientTLS(hostname, Clock(time), trusted)
        server_side: Any = TLSMemoryBIOFactory(server, False, factory, time).buildProtocol(None)
        client_side: Any = TLSMemoryBIOFactory(client, True, factory, time).buildProtocol(None)
        greeter, served = client_side.wrappedProtocol, server_side.wrappedProtocol
        pump = connect(server_side, FakeTransport(server_side, True),
                       client_side, FakeTransport(client_side, False))
        for _ in range(3):
            time.advance(0)
            pump.flush()
        if greeter.data:
            self.assertEqual((greeter.data, served.data), (b"hello", b"hello"))
            return ""
        self.assertEqual(served.data, b"")
        self.assertIsNotNone(served.reason.check(SSL.Error))
        return str(greeter.reason.trap(CertificateRefused) and greeter.reason.value)

    def serving(self, names: list[str], authority: KeyPair = AUTHORITY, now: datetime = NOW) -> KeyPair:
        return certificates.new_serving(authority, names, now)

    def test_names(self) -> None:
        """Names, wildcards and addresses of the certificate are good; for others the client sends nothing."""
        shown, trusted = self.serving(NAMES), AUTHORITY.certificate_pem()
        for good in ("api.example.com", "a.wild.example.com", "192.0.2.1"):
            self.assertEqual(self.outcome(good, trusted, shown), "")
        for wrong, valid in (("other.example.com", "api.example.com, *.wild.example.com"),
                             ("a.b.wild.example.com", "api.example.com, *.wild.example.com"),
                             ("192.0.2.2", "192.0.2.1")):
            self.assertEqual(self.outcome(wrong, trusted, shown),
                             f"{REFUSED}certificate is valid for {valid}, not {wrong}")

    def test_no_name_of_the_kind(self) -> None:
        """A certificate may have only addresses, or only names."""
        trusted = AUTHORITY.certificate_pem()
        self.assertEqual(self.outcome("192.0.2.1", trusted, self.serving(["api.example.com"])), (
            f"{REFUSED}cannot validate certificate for 192.0.2.1 because it doesn't contain any IP SANs"))
        self.assertEqual(self.outcome("api.example.com", trusted, self.serving(["192.0.2.1"])), (
            f"{REFUSED}certificate is not valid for any names, but wanted to match api.example.com"))

    def test_common_name(self) -> None:
        """A name outside of the alternative names does not count."""
        key = certificates.new_key()
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "api.example.com")])
        certificate = (
            x509.CertificateBuilder(name, name, key.public_key(), 1, NOW - timedelta(1), NOW + timedelta(1))
            .sign(key, hashes.SHA256()))
        shown = KeyPair(certificate, key)
        self.assertEqual(self.outcome("api.example.com", shown.certificate_pem(), shown), (
            f"{REFUSED}certificate relies on legacy Common Name field, use SANs instead"))

    def test_unknown_authority(self) -> None:
        """Another authority, of the same name even, or none but the system's, does not do."""
        for other in (certificates.new_authority("other", NOW), certificates.new_authority("authority", NOW)):
            shown = self.serving(NAMES, other)
            for trusted in (AUTHORITY.certificate_pem(), None):
                self.assertEqual(self.outcome("api.example.com", trusted, shown),
                                 f"{REFUSED}certificate signed by unknown authority")

    def test_trusted_itself(self) -> None:
        """A certificate that is trusted itself needs no authority, but the right name."""
        shown = self.serving(NAMES)
        self.assertEqual(self.outcome("api.example.com", shown.certificate_pem(), shown), "")
        self.assertIn("not other.example.com",
                      self.outcome("other.example.com", shown.certificate_pem(), shown))

    def test_several_authorities(self) -> None:
        """One of the trusted authorities is enough."""
        trusted = certificates.new_authority("other", NOW).certificate_pem() + AUTHORITY.certificate_pem()
        self.assertEqual(self.outcome("api.example.com", trusted, self.serving(NAMES)), "")

    def test_time(self) -> None:
        """A certificate whose time is over, or has not come, does not do; the message says when."""
        for born, word in ((NOW - timedelta(days=800), "after"), (NOW + timedelta(days=2), "before")):
            shown = self.serving(NAMES, now=born)
            said = self.outcome("api.example.com", AUTHORITY.certificate_pem(), shown)
            limit = shown.certificate.not_valid_after_utc if word == "after" else \
                shown.certificate.not_valid_before_utc
            self.assertEqual(said, f"{REFUSED}certificate has expired or is not yet valid: current time "
                             f"{NOW:%Y-%m-%dT%H:%M:%SZ} is {word} {limit:%Y-%m-%dT%H:%M:%SZ}")

    def test_purpose(self) -> None:
        """A client's certificate is no server's."""
        shown = certificates.new_client(AUTHORITY, "api.example.com", [], NOW)
        alternatives = x509.SubjectAlternativeName([x509.DNSName("api.example.com")])
        builder = x509.CertificateBuilder(shown.certificate.issuer, shown.certificate.subject,
                                          shown.key.public_key(), 1, NOW - timedelta(1), NOW + timedelta(1),
                                          list(shown.certificate.extensions))
        shown = KeyPair(builder.add_extension(alternatives, False).sign(AUTHORITY.key, hashes.SHA256()), shown.key)
        self.assertEqual(self.outcome("api.example.com", AUTHORITY.certificate_pem(), shown),
                         f"{REFUSED}certificate specifies an incompatible key usage")

    def test_no_authorities(self) -> None:
        """What holds no certificate is an error before any connection."""
        for pem in (b"", b"x"):
            with self.assertRaisesRegex(BadAuthorities, "^unable to load root certificates: unable to parse bytes"):
                ClientTLS("api.example.com", Clock(FakeTime()), pem)
