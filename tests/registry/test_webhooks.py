"""Where webhooks are: a URL or a service."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry import webhooks

FORM = "; desired format: https://host[/path]"


def wrong(**config: Any) -> list[str]:
    return [str(one) for one in webhooks.validate_client_config("c", config)]


class ClientConfigTests(SynchronousTestCase):
    def test_one_of_two(self) -> None:
        """There is a URL or a service, and not both."""
        service = {"name": "s", "namespace": "n", "port": 443}
        self.assertEqual(wrong(url="https://example.com/path"), [])
        self.assertEqual(wrong(service=service), [])
        for config in ({}, {"url": "https://example.com", "service": service}):
            self.assertEqual(wrong(**config), ["c: Required value: exactly one of url or service is required"])

    def test_urls(self) -> None:
        """A URL is a https one of host and path alone."""
        self.assertEqual(wrong(url="https://"), [f'c.url: Invalid value: "": host must be specified{FORM}'])
        self.assertEqual(wrong(url="https://u@example.com?q=1#f"), [
            'c.url: Invalid value: "u": user information is not permitted in the URL',
            'c.url: Invalid value: "f": fragments are not permitted in the URL',
            'c.url: Invalid value: "q=1": query parameters are not permitted in the URL'])

    def test_escapes(self) -> None:
        """A percent sign is followed by two digits."""
        self.assertEqual(wrong(url="https://x/%20"), [])
        self.assertEqual(wrong(url="https://x/%zz"), [
            'c.url: Required value: url must be a valid URL: parse "https://x/%zz": invalid URL escape "%zz"' + FORM])

    def test_services(self) -> None:
        """A service has a name, a namespace and a port; its path is of names."""
        service = {"name": "s", "namespace": "n", "port": 443}
        self.assertEqual(wrong(service=service | {"port": 0}), [
            "c.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive"])
        self.assertEqual(wrong(service=service | {"path": "/a/b"}), [])
        self.assertEqual(wrong(service=service | {"path": "a"}),
                         ['c.service.path: Invalid value: "a": must start with a \'/\'',
                          'c.service.path: Invalid value: "a": segment[0] may not be empty'])

    def test_missing_names(self) -> None:
        """A missing name is reported at the namespace, and the other way round, as clients know it."""
        self.assertEqual(wrong(service={"namespace": "n", "port": 443}), ["c.service.namespace: Required value"])
        self.assertEqual(wrong(service={"name": "s", "port": 443}), ["c.service.name: Required value"])
