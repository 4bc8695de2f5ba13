"""The order of the filters, and what comes of it."""

from __future__ import annotations

import orjson

from kube_twisted.endpoints.request import Request, Response
from tests.inprocess import CONFIG_MAPS, ClusterTestCase, query


class OrderTests(ClusterTestCase):
    def test_refusals_have_an_audit_id(self) -> None:
        """Also who is not let in, or asks for nothing that is there, is given an ID, and its own where it sends one."""
        for headers in ({"authorization": "Bearer nope"}, {}):
            answer = self.send("GET", "/api/v1/nope", audit_id="mine", **headers)
            self.assertEqual(answer.request.audit_id, "mine")
        self.assertRegex(self.send("GET", "/api/v1/nope").request.audit_id, "^[0-9a-f-]{36}$")

    def test_authentication_comes_first(self) -> None:
        """Nobody learns whether a path exists without saying who asks."""
        for path in (CONFIG_MAPS, "/api/v1/nope", "/nope"):
            self.assertEqual(self.send("GET", path, authorization="Bearer nope").code, 401, path)

    def test_authorization_before_the_body(self) -> None:
        """Who may not write is told so, whatever is in the body."""
        self.assertEqual(self.send("POST", CONFIG_MAPS, b"{", authorization="").code, 403)

    def test_refusals_are_not_counted(self) -> None:
        """Refusals of filters are no requests in the metrics, those of handlers are."""
        self.send("GET", CONFIG_MAPS, authorization="Bearer nope")
        self.send("GET", CONFIG_MAPS, authorization="")
        self.refused("GET", f"{CONFIG_MAPS}/none")
        text = self.send("GET", "/metrics", accept="*/*").body.decode()
        self.assertIn('apiserver_request_total{code="404"', text)
        for code in ("401", "403"):
            self.assertNotIn(f'apiserver_request_total{{code="{code}"', text)

    def test_failure_in_a_handler(self) -> None:
        """What fails below is a 500 with a Status, logged once, and counted."""
        async def fail(_request: Request) -> Response:
            raise ZeroDivisionError

        self.cluster.server.front.tree.route("/broken", fail)
        answer = self.send("GET", "/broken")
        self.assertEqual((answer.code, answer.json["reason"]), (500, "InternalError"))
        self.assertEqual(len(self.flushLoggedErrors(ZeroDivisionError)), 1)
        self.assertEqual(self.cluster.server._in_flight.count, 0)

    def test_warnings_of_refusals(self) -> None:
        """A refusal carries the warnings that were given before it."""
        body = orjson.dumps({"metadata": {"name": "A"}, "nope": 1})
        answer = self.send("POST", CONFIG_MAPS, body)
        self.assertEqual((answer.code, answer.warnings), (422, ['unknown field "nope"']))

    def test_odd_queries(self) -> None:
        """Broken pieces of a query are taken as they are."""
        for text in ("%", "%zz", "&&", "=", "a=b=c", "watch=0&%00", query(labelSelector="a=\0"), "limit=1&limit=x"):
            self.assertIn(self.send("GET", f"{CONFIG_MAPS}?{text}").code, (200, 400), text)
