"""Headers that every answer carries."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.request import Request, Response
from kube_twisted.server.filters.headers import answer_headers
from tests.endpoints.discovery.fakes import FakeTransport


class CacheControlTests(SynchronousTestCase):
    """Whether answers may be kept."""

    def setUp(self) -> None:
        self.request = Request("GET", "/", "", FakeTransport())

    def values(self, response: Response) -> list[str]:
        return [value for name, value in answer_headers(self.request, response) if name == "Cache-Control"]

    def test_default(self) -> None:
        """Nobody keeps an answer that says nothing about it."""
        self.assertEqual(self.values(Response(200, b"")), ["no-cache, private"])

    def test_own(self) -> None:
        """An answer that says it itself says it alone."""
        response = Response(200, b"", headers=[("Cache-Control", "public")])
        self.assertEqual(self.values(response), ["public"])
