"""Where webhooks are, from their configuration."""

from __future__ import annotations

import base64

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.util.https import Server
from kube_twisted.webhooks.service_resolver import ServiceAddress
from kube_twisted.webhooks.target import BadClientConfig, target_of
from tests.webhooks.test_service_resolver import Services


class TargetTests(SynchronousTestCase):
    services = Services()

    def test_url(self) -> None:
        """A URL is called at its host and port, with a clean path."""
        for url, host, port, called in (
            ("https://127.0.0.1:1/convert", "127.0.0.1", 1, "https://127.0.0.1:1/convert"),
            ("https://hook.example.com", "hook.example.com", 443, "https://hook.example.com/"),
            ("https://h/a//b/", "h", 443, "https://h/a/b"),
            ("https://h/a%20b", "h", 443, "https://h/a%20b"),
            ("https://[::1]:8443/", "::1", 8443, "https://[::1]:8443/"),
        ):
            target = target_of({"url": url}, self.services)
            self.assertEqual((target.server, target.url), (Server(host, port), called))

    def test_service(self) -> None:
        """A Service is called by its name in the cluster, and dialled where it is then."""
        target = target_of({"service": {"namespace": "ns", "name": "hook", "path": "/p?q"}}, self.services)
        self.assertEqual(target.url, "https://hook.ns.svc:443/p%3Fq")
        self.assertEqual(target.server, Server("hook.ns.svc", 443, None, None,
                                               ServiceAddress(self.services, "ns", "hook", 443)))
        target = target_of({"service": {"namespace": "ns", "name": "hook", "port": 8443}}, self.services)
        self.assertEqual((target.url, target.server.port), ("https://hook.ns.svc:8443/", 8443))

    def test_same_server(self) -> None:
        """The same configuration means the same server, whose connections are shared."""
        config = {"service": {"namespace": "ns", "name": "hook"}}
        self.assertEqual(len({target_of(config, self.services).server for _ in range(2)}), 1)

    def test_authorities(self) -> None:
        """Of a bundle only blanks are nothing: then the system's authorities count."""
        for bundle, trusted in ((b"pem\n", b"pem"), (b" \n", None), (b"", None)):
            encoded = base64.b64encode(bundle).decode()
            target = target_of({"url": "https://h", "caBundle": encoded}, self.services)
            self.assertEqual(target.server.authorities_pem, trusted)

    def test_nowhere(self) -> None:
        """A configuration says where the webhook is."""
        for config, said in (({}, "webhook configuration must have either service or URL"),
                             ({"url": "https://h:x/"}, "Unparsable URL: ")):
            with self.assertRaisesRegex(BadClientConfig, said):
                target_of(config, self.services)
