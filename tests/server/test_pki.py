"""Keys and certificates in the data directory."""

from __future__ import annotations

import os
import stat
from base64 import b64decode
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import yaml
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.config import load_config
from kube_twisted.config.server import ServerSettings
from kube_twisted.server import certificates
from kube_twisted.server.kubeconfig import server_url, write_admin_kubeconfig
from kube_twisted.server.pki import PKI, PKIError, open_pki
from kube_twisted.util.clock import Clock

DAY = 86400.0
NAMES = {"localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default", "kubernetes.default.svc",
         "kubernetes.default.svc.cluster.local", "10.0.0.1"}

FILES = ("ca.crt", "ca.key", "apiserver.crt", "apiserver.key", "admin.crt", "admin.key", "admin.token",
         "sa.key", "front-proxy-ca.crt", "front-proxy-ca.key", "front-proxy-client.crt", "front-proxy-client.key")


def names_of(pem: bytes) -> set[str]:
    certificate = x509.load_pem_x509_certificates(pem)[0]
    extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(one.value) for one in extension}


class PKITests(SynchronousTestCase):
    def setUp(self) -> None:
        self.folder = Path(self.mktemp())
        self.time = FakeTime()
        self.time.advance(datetime(2026, 5, 1, tzinfo=UTC).timestamp())

    def open(self, **overrides: Any) -> PKI:
        settings = {f"server.{key}": value for key, value in overrides.items()}
        return open_pki(load_config(None, {"dataDirectory": str(self.folder), **settings}), Clock(self.time))

    def problem(self, **overrides: Any) -> str:
        return str(self.assertRaises(PKIError, self.open, **overrides)).replace(str(self.folder), "DIR")

    def test_first_start(self) -> None:
        """All files are made, for the owner alone."""
        self.open()
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in self.folder.iterdir()}
        self.assertEqual(modes, dict.fromkeys(FILES, 0o600))
        self.assertEqual(stat.S_IMODE(self.folder.stat().st_mode), 0o700)

    def test_certificates(self) -> None:
        """The authority stands behind the serving certificate and the administrator's."""
        pki = self.open()
        serving = x509.load_pem_x509_certificate(pki.serving_chain_pem)
        for leaf in (serving, pki.admin.certificate):
            leaf.verify_directly_issued_by(pki.authority.certificate)
        self.assertIsInstance(serving.public_key(), ec.EllipticCurvePublicKey)
        subject = pki.admin.certificate.subject.rfc4514_string()
        self.assertEqual(subject, "CN=kubernetes-admin,O=system:masters")
        self.assertEqual(pki.signing_key.key_size, 2048)
        self.assertEqual(pki.trusted_pem, (self.folder / "ca.crt").read_bytes())

    def test_front_proxy(self) -> None:
        """The aggregator's certificate is of an authority of its own: no user's certificate passes for it."""
        pki = self.open()
        pki.front_proxy.certificate.verify_directly_issued_by(pki.front_proxy_authority.certificate)
        self.assertEqual(pki.front_proxy.certificate.subject.rfc4514_string(), "CN=front-proxy-client")
        self.assertNotEqual(pki.front_proxy_authority.key, pki.authority.key)
        self.assertEqual(self.open().front_proxy.certificate, pki.front_proxy.certificate)

    def test_later_starts_reuse_everything(self) -> None:
        """The second start finds what the first has made."""
        first, second = self.open(), self.open()
        self.assertEqual(first.serving_chain_pem, second.serving_chain_pem)
        self.assertEqual(first.admin.certificate, second.admin.certificate)
        self.assertEqual(first.authority.certificate, second.authority.certificate)
        self.assertEqual(first.admin_token, second.admin_token)
        self.assertEqual(first.signing_key.private_numbers(), second.signing_key.private_numbers())

    def test_names(self) -> None:
        """The serving certificate has the names of the cluster, and those that are configured."""
        self.assertEqual(names_of(self.open().serving_chain_pem), NAMES)
        more = self.open(externalHostname="api.example.com", extraNames=["10.9.8.7"], bindAddress="192.0.2.1")
        added = names_of(more.serving_chain_pem) - NAMES
        self.assertEqual(added, {"api.example.com", "10.9.8.7", "192.0.2.1"})

    def test_missing_names_renew_the_certificate(self) -> None:
        """A new name needs a new certificate; one name less needs none."""
        more = self.open(externalHostname="api.example.com")
        self.assertEqual(self.open().serving_chain_pem, more.serving_chain_pem)
        other = self.open(externalHostname="other.example.com")
        self.assertNotEqual(other.serving_chain_pem, more.serving_chain_pem)
        self.assertEqual(other.admin.certificate, more.admin.certificate)

    def test_old_certificates_are_renewed(self) -> None:
        """Leaves are made anew within 30 days of their end, under the same authority."""
        first = self.open()
        self.time.advance(334 * DAY)
        self.assertEqual(self.open().serving_chain_pem, first.serving_chain_pem)
        self.time.advance(2 * DAY)
        renewed = self.open()
        self.assertNotEqual(renewed.serving_chain_pem, first.serving_chain_pem)
        self.assertNotEqual(renewed.admin.certificate, first.admin.certificate)
        self.assertEqual(renewed.authority.certificate, first.authority.certificate)
        self.assertEqual(renewed.admin_token, first.admin_token)

    def test_old_authority_is_renewed_with_its_key(self) -> None:
        """Certificates of the old authority certificate verify against the new one."""
        first = self.open()
        self.time.advance(3630 * DAY)
        renewed = self.open()
        self.assertNotEqual(renewed.authority.certificate, first.authority.certificate)
        first.admin.certificate.verify_directly_issued_by(renewed.authority.certificate)

    def test_leaves_end_before_their_authority(self) -> None:
        """A leaf made late in the authority's life ends with it."""
        self.open()
        self.time.advance(3600 * DAY)
        pki = self.open()
        ends = [one.certificate.not_valid_after_utc for one in (pki.admin, pki.authority)]
        self.assertEqual(ends[0], ends[1])

    def test_interrupted_first_start(self) -> None:
        """A key without its certificate is what an interrupted start leaves: both are made anew."""
        self.open()
        for name in ("ca", "admin", "apiserver"):
            (self.folder / f"{name}.crt").unlink()
        pki = self.open()
        pki.admin.certificate.verify_directly_issued_by(pki.authority.certificate)

    def test_leaf_of_another_authority(self) -> None:
        """Leaves that the authority did not issue, or whose key is another's, are made anew."""
        now = Clock(self.time).now()
        stranger = certificates.new_authority("stranger", now)
        foreign = certificates.new_client(stranger, "kubernetes-admin", [], now)
        self.open()
        (self.folder / "admin.crt").write_bytes(foreign.certificate_pem())
        (self.folder / "admin.key").write_bytes(foreign.key_pem())
        (self.folder / "apiserver.key").write_bytes(foreign.key_pem())
        pki = self.open()
        self.assertNotEqual(pki.admin.certificate, foreign.certificate)
        self.assertNotEqual(pki.serving_key_pem, foreign.key_pem())

    def test_own_certificate(self) -> None:
        """A configured certificate is served as it is, and is what clients must trust."""
        folder = Path(self.mktemp())
        folder.mkdir()
        now = Clock(self.time).now()
        own = certificates.new_serving(certificates.new_authority("mine", now), ["api.example.com"], now)
        (folder / "c").write_bytes(own.certificate_pem())
        (folder / "k").write_bytes(own.key_pem())
        pki = self.open(certificateFile=str(folder / "c"), keyFile=str(folder / "k"))
        self.assertEqual((pki.serving_chain_pem, pki.serving_key_pem), (own.certificate_pem(), own.key_pem()))
        self.assertEqual(pki.trusted_pem, own.certificate_pem())
        self.assertFalse((self.folder / "apiserver.crt").exists())
        self.assertEqual(self.problem(certificateFile=str(folder / "c"), keyFile=str(self.folder / "ca.key")),
                         f"DIR/ca.key: is not the key of {folder / 'c'}")
        self.assertEqual(self.problem(certificateFile="missing.crt", keyFile="missing.key"),
                         "missing.crt: No such file or directory")

    def test_bad_files(self) -> None:
        """A file that is no good ends the start with its name, and nothing is replaced."""
        self.open()
        for name, text, problem in BAD_FILES:
            path = self.folder / name
            kept = path.read_bytes()
            path.write_bytes(text.encode())
            self.assertEqual(self.problem(), f"DIR/{name}: {problem}")
            self.assertEqual(path.read_text(), text)
            path.write_bytes(kept)
        os.replace(self.folder / "admin.key", self.folder / "ca.key")
        self.assertEqual(self.problem(), "DIR/ca.key: is not the key of ca.crt beside it")
        (self.folder / "ca.key").unlink()
        self.assertEqual(self.problem(), "DIR/ca.key: No such file or directory")

    def test_bad_directory(self) -> None:
        """A file in the directory's place is an error that names it."""
        self.folder.write_bytes(b"")
        self.assertEqual(self.problem(), "DIR: Not a directory")


BAD_FILES = (
    ("ca.crt", "x", "holds no PEM certificate"),
    ("apiserver.crt", "", "holds no PEM certificate"),
    ("admin.key", "x", "holds no PEM private key without a passphrase"),
    ("sa.key", certificates.key_pem(certificates.new_key()).decode(), "must be an RSA key"),
    ("admin.token", " \n", "is empty"),
    ("admin.token", "tökén", "must be ASCII text"),
)


class KubeconfigTests(SynchronousTestCase):
    def setUp(self) -> None:
        time = FakeTime()
        time.advance(datetime(2026, 5, 1, tzinfo=UTC).timestamp())
        self.config = load_config(None, {"dataDirectory": self.mktemp()})
        self.pki = open_pki(self.config, Clock(time))

    def test_contents(self) -> None:
        """It names the server, whom to trust, and proves the administrator."""
        path = write_admin_kubeconfig(self.pki, server_url(self.config.server, 6443))
        document = yaml.safe_load(path.read_text())
        cluster, user = document["clusters"][0]["cluster"], document["users"][0]["user"]
        self.assertEqual(cluster["server"], "https://127.0.0.1:6443")
        self.assertEqual(b64decode(cluster["certificate-authority-data"]), self.pki.trusted_pem)
        self.assertEqual(b64decode(user["client-certificate-data"]), self.pki.admin.certificate_pem())
        self.assertEqual(b64decode(user["client-key-data"]), self.pki.admin.key_pem())
        self.assertEqual(document["current-context"], document["contexts"][0]["name"])
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)

    def test_own_certificate_for_other_names(self) -> None:
        """An own certificate that is not for the server's address is looked at for a name that it has."""
        now = datetime(2026, 5, 1, tzinfo=UTC)
        for names, looked_for in ((["*.example.com", "api.example.com"], "api.example.com"),
                                  (["api.example.com", "127.0.0.1"], None), (["*.example.com"], None)):
            own = certificates.new_serving(self.pki.authority, names, now)
            pki = attrs.evolve(self.pki, serving_chain_pem=own.certificate_pem(), own_certificate=True)
            document = yaml.safe_load(write_admin_kubeconfig(pki, "https://127.0.0.1:1").read_text())
            self.assertEqual(document["clusters"][0]["cluster"].get("tls-server-name"), looked_for)

    def test_written_again_only_when_changed(self) -> None:
        """Another port writes the file again; the same one leaves it alone."""
        first = write_admin_kubeconfig(self.pki, "https://127.0.0.1:1").stat().st_ino
        self.assertEqual(write_admin_kubeconfig(self.pki, "https://127.0.0.1:1").stat().st_ino, first)
        self.assertIn("127.0.0.1:2", write_admin_kubeconfig(self.pki, "https://127.0.0.1:2").read_text())

    def test_cannot_be_written(self) -> None:
        """A path that cannot be written is named."""
        (self.pki.directory / "admin.kubeconfig").mkdir()
        error = self.assertRaises(PKIError, write_admin_kubeconfig, self.pki, "https://127.0.0.1:1")
        self.assertEqual(str(error), f"{self.pki.directory}/admin.kubeconfig: Is a directory")

    def test_server_url(self) -> None:
        """A specific address is used as it is, IPv6 in brackets."""
        for address, url in {"0.0.0.0": "https://127.0.0.1:1", "::": "https://127.0.0.1:1",
                             "192.0.2.1": "https://192.0.2.1:1", "::1": "https://[::1]:1"}.items():
            self.assertEqual(server_url(ServerSettings(bind_address=address), 1), url)
