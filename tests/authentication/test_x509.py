"""Client certificates."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase
from zope.interface.verify import verifyObject

from kube_twisted.api.user import UserInfo
from kube_twisted.authentication import x509
from kube_twisted.authentication.interfaces import IAuthenticator, InvalidCredentials
from kube_twisted.authentication.x509 import UID, ClientCAError, X509Authenticator, load_authorities
from kube_twisted.util.clock import Clock
from tests.authentication.certs import COMMON_NAME, NOW, ORGANIZATION, Issued, issue
from tests.authentication.credentials import Presented

DAY = 86400.0
ROOT = issue([(COMMON_NAME, "root")], authority=True, days=300)


class X509Tests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.time.advance(NOW.timestamp() + 60)
        self.authenticator = X509Authenticator([ROOT.certificate], Clock(self.time))
        verifyObject(IAuthenticator, self.authenticator)

    def ask(self, *chain: Issued | bytes) -> Deferred[UserInfo | None]:
        sent = tuple(one.der if isinstance(one, Issued) else one for one in chain)
        return Deferred.fromCoroutine(self.authenticator.authenticate(Presented(peer_certificates=sent)))

    def user(self, *chain: Issued) -> UserInfo | None:
        return self.successResultOf(self.ask(*chain))

    def refused(self, *chain: Issued | bytes) -> None:
        self.failureResultOf(self.ask(*chain), InvalidCredentials)

    def test_identity(self) -> None:
        """Common name, organizations and uid make the user; the credential's id is its fingerprint."""
        client = issue([(ORGANIZATION, "a"), (ORGANIZATION, "b"), (UID, "7"), (COMMON_NAME, "jane")], ROOT)
        fingerprint = f"X509SHA256={sha256(client.der).hexdigest()}"
        self.assertEqual(self.user(client), UserInfo(
            "jane", "7", ("a", "b", "system:authenticated"), {
                "authentication.kubernetes.io/credential-id": (fingerprint,)}))

    def test_no_certificate(self) -> None:
        """A connection without a certificate has no credentials of this kind."""
        self.assertIsNone(self.user())

    def test_without_common_name(self) -> None:
        """A good certificate without a common name stands for nobody."""
        self.assertIsNone(self.user(issue([(ORGANIZATION, "a")], ROOT)))

    def test_uids(self) -> None:
        """More than one uid is an error."""
        self.refused(issue([(UID, "7"), (UID, "8"), (COMMON_NAME, "jane")], ROOT))

    def test_strangers(self) -> None:
        """Certificates of others are refused, also of one that bears the authority's name."""
        self.refused(issue([(COMMON_NAME, "jane")]))
        self.refused(issue([(COMMON_NAME, "jane")], issue([(COMMON_NAME, "root")], authority=True)))
        self.refused(b"no certificate")

    def test_usage(self) -> None:
        """Serving certificates don't make clients; any usage, or none named, does."""
        self.refused(issue([(COMMON_NAME, "jane")], ROOT, usage=ExtendedKeyUsageOID.SERVER_AUTH))
        for usage in (ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE, None):
            self.assertIsNotNone(self.user(issue([(COMMON_NAME, "jane")], ROOT, usage=usage)))

    def test_intermediates(self) -> None:
        """A chain counts with the intermediates sent; a client's certificate is none."""
        middle = issue([(COMMON_NAME, "middle")], ROOT, authority=True)
        leaf = issue([(COMMON_NAME, "jane")], middle)
        self.refused(leaf)
        self.assertIsNotNone(self.user(leaf, middle))
        self.assertIsNotNone(self.user(leaf))  # a resumed session doesn't bring them again
        client = issue([(COMMON_NAME, "client")], ROOT)
        self.refused(issue([(COMMON_NAME, "forged")], client), client)

    def test_time(self) -> None:
        """A certificate counts until the first of its chain ends, also when it was good before."""
        middle = issue([(COMMON_NAME, "middle")], ROOT, authority=True, days=10)
        short, long = issue([(COMMON_NAME, "jane")], ROOT), issue([(COMMON_NAME, "joe")], middle, days=90)
        self.assertIsNotNone(self.user(short))
        self.assertIsNotNone(self.user(long, middle))
        self.time.advance(11 * DAY)
        self.assertIsNotNone(self.user(short))
        self.refused(long, middle)
        self.time.advance(20 * DAY)
        self.refused(short)

    def test_verified_once(self) -> None:
        """A certificate is verified once; the oldest are forgotten when there are many."""
        client, other = (issue([(COMMON_NAME, name)], ROOT) for name in ("jane", "joe"))
        self.assertIs(self.user(client), self.user(client))
        self.patch(x509, "CACHE_SIZE", 1)
        kept = self.user(client)
        self.user(other)
        self.assertIsNot(self.user(client), kept)


class AuthoritiesTests(SynchronousTestCase):
    def test_file(self) -> None:
        """All certificates of a PEM file are taken."""
        path = Path(self.mktemp())
        other = issue([(COMMON_NAME, "other")], authority=True)
        path.write_bytes(b"".join(one.certificate.public_bytes(Encoding.PEM) for one in (ROOT, other)))
        self.assertEqual(load_authorities(path), [ROOT.certificate, other.certificate])

    def test_bad_files(self) -> None:
        """A missing file, or one without certificates, is named."""
        path = Path(self.mktemp())
        self.assertEqual(str(self.assertRaises(ClientCAError, load_authorities, path)),
                         f"client CA file {path}: No such file or directory")
        path.write_text("x")
        self.assertEqual(str(self.assertRaises(ClientCAError, load_authorities, path)),
                         f"client CA file {path}: holds no PEM certificates")
