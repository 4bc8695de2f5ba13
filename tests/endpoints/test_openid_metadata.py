"""Tests for kube_twisted.endpoints.openid_metadata."""

from __future__ import annotations

import orjson
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.openid_metadata import CONFIGURATION_PATH, KEYS_PATH, install_openid_metadata
from kube_twisted.endpoints.request import Response
from kube_twisted.server.layer import LayerTree
from tests.endpoints.discovery.fakes import ask, headers_of

KEYS = {"keys": [{"kty": "RSA", "alg": "RS256"}]}


class MetadataTests(SynchronousTestCase):
    """The two documents."""

    def setUp(self) -> None:
        self.tree = LayerTree("test")
        install_openid_metadata(self.tree, "https://issuer.example", KEYS, lambda: "https://host:6443")

    def code(self, path: str, method: str = "GET", **headers: str) -> int:
        """The code of a refusal."""
        return self.assertRaises(StatusError, ask, self.tree, path, method, **headers).code

    def test_configuration(self) -> None:
        """Who issues, and where the keys are; with and without a slash at the end."""
        for path in (CONFIGURATION_PATH, CONFIGURATION_PATH + "/"):
            response: Response = ask(self.tree, path)
            document = orjson.loads(response.body)
            self.assertEqual((document["issuer"], document["jwks_uri"]),
                             ("https://issuer.example", "https://host:6443/openid/v1/jwks"))
            self.assertEqual(document["id_token_signing_alg_values_supported"], ["RS256"])
            self.assertEqual(headers_of(response), {"Cache-Control": "public, max-age=3600"})

    def test_keys(self) -> None:
        """The key set has a media type of its own."""
        for accept in ("*/*", "application/jwk-set+json", "text/html, */*;q=0.5"):
            response = ask(self.tree, KEYS_PATH, accept=accept)
            self.assertEqual((response.content_type, orjson.loads(response.body)),
                             ("application/jwk-set+json", KEYS))

    def test_refusals(self) -> None:
        """406 for another media type, 405 for another method, 404 below the documents."""
        for accept in ("application/json", "application/*"):
            self.assertEqual(self.code(KEYS_PATH, accept=accept), 406)
        self.assertEqual(self.code(CONFIGURATION_PATH, "POST"), 405)
        self.assertEqual(self.code(KEYS_PATH + "/x"), 404)
