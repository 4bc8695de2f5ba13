"""The ConfigMap that tells aggregated servers whom to trust."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.bootstrap.authentication_trust import Trust, combined
from kube_twisted.server.certificates import new_authority
from tests.inprocess import ClusterTestCase

_PATH = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def authority(name: str, made: datetime = NOW) -> x509.Certificate:
    return new_authority(name, made).certificate


def pem(*certificates: x509.Certificate) -> str:
    return "".join(one.public_bytes(Encoding.PEM).decode() for one in certificates)


class CombinedTests(SynchronousTestCase):
    """What servers add to one another."""

    def test_client_authorities(self) -> None:
        """Each authority is there once, those of other servers first; what can't be read is replaced."""
        one, two = authority("one"), authority("two")
        trust = Trust(client_authorities=(two,))
        for known, bundle in (("", pem(two)), (pem(one), pem(one, two)), (pem(two, one), pem(two, one)),
                              ("rubbish", pem(two))):
            self.assertEqual(combined({"client-ca-file": known}, trust, NOW), {"client-ca-file": bundle})

    def test_run_out(self) -> None:
        """Authorities whose time is over are left out."""
        old, new = authority("old", NOW - timedelta(days=20000)), authority("new")
        self.assertEqual(combined({"client-ca-file": pem(old)}, Trust(client_authorities=(new,)), NOW),
                         {"client-ca-file": pem(new)})

    def test_proxies(self) -> None:
        """The headers of authenticating proxies are there when there is an authority for them."""
        proxies = authority("proxies")
        trust = Trust(client_authorities=(), proxy_authorities=(proxies,), username_headers=("X-Remote-User",),
                      group_headers=("X-Remote-Group",), extra_prefixes=("X-Remote-Extra-",))
        known = {"requestheader-allowed-names": '["other"]', "requestheader-username-headers": "rubbish"}
        self.assertEqual(combined(known, trust, NOW), {
            "requestheader-client-ca-file": pem(proxies), "requestheader-username-headers": '["X-Remote-User"]',
            "requestheader-group-headers": '["X-Remote-Group"]',
            "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]', "requestheader-allowed-names": '["other"]'})


class ConfigMapTests(ClusterTestCase):
    """A server in the process."""

    def bundle(self) -> str:
        text: str = self.ask("GET", _PATH)["data"]["client-ca-file"]
        return text

    def later(self) -> None:
        self.clock.advance(60)
        self.cluster.run(0.2)

    def test_kept(self) -> None:
        """The server's own authority is in it, also after it was deleted or emptied."""
        own = pem(*self.cluster.server.completed.authentication.client_authorities)
        self.assertEqual(self.bundle(), own)
        self.ask("DELETE", _PATH)
        self.later()
        self.assertEqual(self.bundle(), own)
        self.merge(_PATH, {"data": {"client-ca-file": "", "more": "x"}})
        self.later()
        data = self.ask("GET", _PATH)["data"]
        self.assertEqual(data["client-ca-file"], own)
        self.assertNotIn("more", data)

    def test_front_proxy(self) -> None:
        """Servers behind the aggregator are told by which certificate and which headers they learn who asks."""
        data = self.ask("GET", _PATH)["data"]
        authority = self.cluster.server.completed.pki.front_proxy_authority.certificate
        self.assertEqual(data, {
            "client-ca-file": self.bundle(), "requestheader-client-ca-file": pem(authority),
            "requestheader-allowed-names": '["front-proxy-client"]',
            "requestheader-username-headers": '["X-Remote-User"]', "requestheader-uid-headers": '["X-Remote-Uid"]',
            "requestheader-group-headers": '["X-Remote-Group"]',
            "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]'})
