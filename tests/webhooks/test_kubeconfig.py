"""Webhooks that are named by a kubeconfig."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import yaml
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.util.https import Server
from kube_twisted.util.starting import StartError
from kube_twisted.util.tls import Identity
from kube_twisted.webhooks.kubeconfig import Remote, read_kubeconfig


class KubeconfigTests(SynchronousTestCase):
    def _read(self, cluster: dict[str, Any], user: dict[str, Any] | None = None, **more: Any) -> Remote:
        folder = Path(self.mktemp())
        folder.mkdir()
        (folder / "ca.pem").write_bytes(b"ca")
        (folder / "token").write_text("from-file\n")
        config = {"clusters": [{"name": "c", "cluster": cluster}], "users": [{"name": "u", "user": user or {}}],
                  "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}], "current-context": "x", **more}
        (folder / "config").write_text(yaml.safe_dump(config))
        return read_kubeconfig(folder / "config")

    def test_everything(self) -> None:
        """Authorities, certificate and token can be in it, or in files beside it."""
        inline = base64.b64encode(b"pem").decode()
        found = self._read({"server": "https://h:8443/p", "certificate-authority": "ca.pem", "tls-server-name": "name"},
                           {"client-certificate-data": inline, "client-key-data": inline, "tokenFile": "token"})
        self.assertEqual(found, Remote(Server("name", 8443, b"ca", Identity(b"pem", b"pem")), "https://h:8443/p",
                                       "from-file"))

    def test_little(self) -> None:
        """The system's authorities, and nobody's credentials."""
        found = self._read({"server": "https://h", "insecure-skip-tls-verify": True})
        self.assertEqual((found, found.headers), (Remote(Server("h", 443, verified=False), "https://h"), {}))
        self.assertEqual(self._read({"server": "https://h"}, contexts=[], users=[]).url, "https://h")

    def test_problems(self) -> None:
        """What can't be used ends the start, with the reason."""
        for arguments, problem in (
                (({"server": "http://h"},), "the server must be an https URL"), (({},), "'server'"),
                (({"server": "https://h", "certificate-authority": "none.pem"},), "No such file or directory")):
            self.assertIn(problem, str(self.assertRaises(StartError, self._read, *arguments)))
        self.assertIn("there is no cluster 'y'", str(self.assertRaises(
            StartError, self._read, {}, contexts=[{"name": "x", "context": {"cluster": "y"}}])))
