"""Which web pages may talk to the server."""

from __future__ import annotations

import re

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.request import Request, Response
from kube_twisted.server.filters.cors import with_cors
from tests.inprocess import CONFIG_MAPS, ClusterTestCase
from tests.server.filters.requests import answer, request

ORIGIN = "https://example.com"


class CORSTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.shared = Response(200, b"ok", headers=[("X", "1")])
        self.filter = with_cors(self._handle, [re.compile(r"^https://example\.com$"), re.compile("localhost")])

    async def _handle(self, _request: Request) -> Response:
        return self.shared

    def headers(self, origin: str) -> dict[str, str]:
        return dict(answer(self.filter, request(headers={"origin": origin})).headers or ())

    def test_allowed(self) -> None:
        """Pages of an allowed origin may read answers."""
        for origin in (ORIGIN, "http://localhost:8080"):
            headers = self.headers(origin)
            self.assertEqual((headers["Access-Control-Allow-Origin"], headers["Access-Control-Allow-Credentials"],
                              headers["X"]), (origin, "true", "1"))

    def test_others(self) -> None:
        """Other pages may not, and other clients don't ask."""
        for origin in ("https://example.com.evil", ""):
            self.assertEqual(self.headers(origin), {"X": "1"})

    def test_shared_answers(self) -> None:
        """Answers that are kept for others don't change."""
        self.headers(ORIGIN)
        self.assertEqual(self.shared.headers, [("X", "1")])

    def test_question_before(self) -> None:
        """Browsers ask first whether they may; nobody else answers."""
        response = answer(self.filter, request(method="OPTIONS", headers={"origin": ORIGIN}))
        self.assertEqual((response.code, response.body), (204, b""))
        self.assertEqual(answer(self.filter, request(method="OPTIONS")).code, 200)


class ServerTests(ClusterTestCase):
    overrides = {"server.corsAllowedOrigins": ["^https://example[.]com$"]}

    def test_refusals(self) -> None:
        """Pages can also read refusals; their question needs no credentials."""
        answer = self.send("GET", CONFIG_MAPS, authorization="Bearer nope", origin=ORIGIN)
        self.assertEqual((answer.code, answer.headers["Access-Control-Allow-Origin"]), (401, ORIGIN))
        self.assertEqual(self.send("OPTIONS", CONFIG_MAPS, authorization="", origin=ORIGIN).code, 204)
