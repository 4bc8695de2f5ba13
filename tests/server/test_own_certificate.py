"""Whom ``admin.kubeconfig`` has clients trust with an own serving certificate, as OpenSSL looks at it."""

from __future__ import annotations

import ssl
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from pathlib import Path

import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.x509.oid import NameOID
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.config import load_config
from kube_twisted.server import certificates
from kube_twisted.server.certificates import KeyPair
from kube_twisted.server.kubeconfig import write_admin_kubeconfig
from kube_twisted.server.pki import open_pki
from kube_twisted.util.clock import Clock

NOW = datetime.now(UTC)  # OpenSSL's time is the real one
URL = "https://127.0.0.1:6443"


def intermediate(root: KeyPair) -> KeyPair:
    """An authority that another one vouches for."""
    key = certificates.new_key()
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "intermediate")]))
        .issuer_name(root.certificate.subject)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=1)).not_valid_after(NOW + timedelta(days=30))
        .add_extension(x509.BasicConstraints(True, None), True)
    )
    return KeyPair(builder.sign(root.key, hashes.SHA256()), key)


class OwnCertificateTests(SynchronousTestCase):
    """A certificate, its intermediate, and with or without the root after them."""

    def setUp(self) -> None:
        self.folder = Path(self.mktemp())
        self.folder.mkdir()
        self.root = certificates.new_authority("root", NOW)
        between = intermediate(self.root)
        self.own = certificates.new_serving(between, ["127.0.0.1"], NOW)
        self.chain = self.own.certificate_pem() + between.certificate_pem()

    def trusted(self, chain: bytes) -> str:
        """What the kubeconfig says to trust, when the chain is the ``certificateFile``."""
        files = {"certificateFile": chain, "keyFile": self.own.key_pem()}
        settings = {f"server.{name}": str(self.folder / name) for name in files}
        for name, content in files.items():
            (self.folder / name).write_bytes(content)
        time = FakeTime()
        time.advance(NOW.timestamp())
        pki = open_pki(load_config(None, {"dataDirectory": str(self.folder / "data"), **settings}), Clock(time))
        document = yaml.safe_load(write_admin_kubeconfig(pki, URL).read_text())
        return b64decode(document["clusters"][0]["cluster"]["certificate-authority-data"]).decode()

    def shake_hands(self, trusted: str) -> None:
        """A client of Python's with that to trust; :class:`ssl.SSLCertVerificationError` when it does not."""
        context = ssl.create_default_context(cadata=trusted)
        context.verify_flags &= ~ssl.VerifyFlags(0x80000)  # X509_V_FLAG_PARTIAL_CHAIN, on since Python 3.13
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(self.folder / "certificateFile", self.folder / "keyFile")
        up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
        sides = (context.wrap_bio(down, up, server_hostname="127.0.0.1"), server.wrap_bio(up, down, server_side=True))
        for side in (*sides, sides[0]):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue

    def test_with_root(self) -> None:
        """The file is what clients trust; with the root at its end they are content."""
        chain = self.chain + self.root.certificate_pem()
        trusted = self.trusted(chain)
        self.assertEqual(trusted, chain.decode())
        self.shake_hands(trusted)

    def test_without_root(self) -> None:
        """Without it they are not, unless they are given it themselves."""
        trusted = self.trusted(self.chain)
        self.assertRaises(ssl.SSLCertVerificationError, self.shake_hands, trusted)
        self.shake_hands(self.root.certificate_pem().decode())
