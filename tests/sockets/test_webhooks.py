"""Webhooks that are called over real connections."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from twisted.internet import reactor
from twisted.internet.defer import CancelledError, Deferred
from twisted.trial.unittest import TestCase
from twisted.web.server import NOT_DONE_YET, Request

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.apiextensions.conversion.choosing import Converters
from kube_twisted.apiextensions.conversion.metrics import ConversionMetrics
from kube_twisted.server import certificates
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.https import BodyError, HTTPSClient, HTTPSError, Server
from kube_twisted.webhooks.client import WebhookClient
from tests.sockets.support.webhook import AUTHORITY, NOW, Webhook, blurting
from tests.webhooks.test_service_resolver import Services

TRUSTED = AUTHORITY.certificate_pem()
UNKNOWN = "tls: failed to verify certificate: x509: certificate signed by unknown authority"


def echo(request: Request) -> bytes:
    return b"you sent " + request.content.read()


class HTTPSClientTests(TestCase):
    def setUp(self) -> None:
        self.client = HTTPSClient(reactor, Clock(reactor))  # type: ignore[arg-type]
        self.addCleanup(self.client.close)

    def webhook(self, handler: Callable[[Request], Any]) -> Webhook:
        hook = Webhook(reactor, handler)
        self.addCleanup(hook.stop)
        return hook

    def blurting(self, words: bytes, tls: bool = True) -> int:
        port = blurting(reactor, words, tls)
        self.addCleanup(port.stopListening)
        return int(port.getHost().port)

    async def post(self, port: int, host: str = "127.0.0.1", trusted: bytes | None = TRUSTED, timeout: float = 20,
                   dialled: bool = False) -> bytes:
        server = Server(host, port, trusted, dial=self.dial(port) if dialled else None)
        answer = await self.client.request(server, "POST", f"https://{host}:{port}/x", {"Accept": "*/*"}, b"{}",
                                           timeout=timeout, limit=100_000)
        return answer.body

    def dial(self, port: int) -> Callable[[], tuple[str, int]]:
        return lambda: ("127.0.0.1", port)

    async def refused(self, port: int, said: str, host: str = "127.0.0.1", **more: Any) -> None:
        error = await self.assertFailure(to_deferred(self.post(port, host, **more)), HTTPSError)
        self.assertEqual(str(error), f'Post "https://{host}:{port}/x": {said}')

    async def test_connections_are_used_again(self) -> None:
        """One connection is enough for requests one after the other; at once they need several."""
        hook = self.webhook(echo)
        for _ in range(3):
            self.assertEqual(await self.post(hook.port), b"you sent {}")
        self.assertEqual(hook.connections, 1)
        both = [to_deferred(self.post(hook.port)) for _ in range(2)]
        self.assertEqual([await one for one in both], [b"you sent {}"] * 2)
        self.assertEqual(hook.connections, 2)

    async def test_connections_are_not_shared_between_trusts(self) -> None:
        """Who trusts others does not profit from a connection that is there."""
        hook = self.webhook(echo)
        await self.post(hook.port)
        other = certificates.new_authority("other", NOW).certificate_pem()
        for trusted in (other, None):
            await self.refused(hook.port, UNKNOWN, trusted=trusted)

    async def test_wrong_name(self) -> None:
        """A certificate for other names is refused."""
        hook = self.webhook(echo)
        self.assertEqual(await self.post(hook.port, "hook.ns.svc", dialled=True), b"you sent {}")
        for host in ("other.ns.svc", "localhost"):
            await self.refused(hook.port, "tls: failed to verify certificate: x509: certificate is valid for "
                               f"hook.ns.svc, not {host}", host, dialled=True)

    async def test_nobody_there(self) -> None:
        """A port where nobody listens refuses."""
        hook = Webhook(reactor, echo)
        await hook.stop()
        await self.refused(hook.port, f"dial tcp 127.0.0.1:{hook.port}: connect: connection refused")

    async def test_silence(self) -> None:
        """A webhook that does not answer is waited for until the deadline."""
        hook = self.webhook(lambda request: NOT_DONE_YET)
        await self.refused(hook.port, "context deadline exceeded", timeout=0.05)

    async def test_half_an_answer(self) -> None:
        """A body that does not come to its end, in time or at all, is no answer."""
        def stall(request: Request) -> int:
            request.setHeader("Content-Length", "10")
            request.write(b"123")
            return NOT_DONE_YET

        cut = self.blurting(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123")
        for port, said in ((self.webhook(stall).port, "context deadline exceeded"), (cut, "unexpected EOF")):
            error = await self.assertFailure(to_deferred(self.post(port, timeout=0.2)), BodyError)
            self.assertEqual(str(error), said)

    async def test_hang_up(self) -> None:
        """A webhook that hangs up without a word."""
        await self.refused(self.blurting(b""), "EOF")

    async def test_huge_answer(self) -> None:
        """An answer beyond the limit is not read, whether it says so or not."""
        def endless(request: Request) -> int:
            for _ in range(20):
                request.write(b"x" * 10_000)
            return NOT_DONE_YET

        for handler in (lambda request: b"x" * 200_000, endless):
            error = await self.assertFailure(to_deferred(self.post(self.webhook(handler).port)), BodyError)
            self.assertEqual(str(error), "http: response body too large")

    async def test_other_protocols(self) -> None:
        """Neither plain HTTP nor something else is an answer."""
        await self.refused(self.blurting(b"HTTP/1.1 400 Bad Request\r\n\r\n", tls=False),
                           "http: server gave HTTP response to HTTPS client")
        await self.refused(self.blurting(b"garbage\r\n\r\n"),
                           'net/http: HTTP/1.x transport connection broken: malformed HTTP response "garbage"')

    async def test_redirect(self) -> None:
        """Redirects are not followed."""
        def redirect(request: Request) -> bytes:
            request.redirect(b"https://127.0.0.1:1/")
            return b"elsewhere"

        hook = self.webhook(redirect)
        self.assertEqual(await self.post(hook.port), b"elsewhere")

    async def test_close(self) -> None:
        """Closing ends what is running, and the connections."""
        asked: Deferred[None] = Deferred()

        def note(request: Request) -> int:
            asked.callback(None)
            return NOT_DONE_YET

        posted = to_deferred(self.post(self.webhook(note).port))
        await asked
        await self.client.close()
        self.failureResultOf(posted, CancelledError)


class ConversionTests(TestCase):
    """A definition whose webhook is behind a Service."""

    def setUp(self) -> None:
        self.answers: list[Callable[[Any, Request], Any]] = []
        self.hook = Webhook(reactor, self.handle)
        self.addCleanup(self.hook.stop)
        clock = Clock(reactor)  # type: ignore[arg-type]
        https = HTTPSClient(reactor, clock)
        self.addCleanup(https.close)
        services = Services(type="ExternalName", externalName="127.0.0.1")
        self.converters = Converters(WebhookClient(https, services, clock), clock, ConversionMetrics())

    def handle(self, request: Request) -> bytes:
        self.path = request.uri
        review = json.loads(request.content.read())
        return json.dumps(self.answers.pop(0)(review, request)).encode()

    def definition(self, **address: Any) -> dict[str, Any]:
        config = {"caBundle": base64.b64encode(TRUSTED).decode(), **address}
        webhook = {"clientConfig": config, "conversionReviewVersions": ["v1"]}
        return {"metadata": {"name": "foos.example.com"},
                "spec": {"group": "example.com", "versions": [{"name": "v1"}, {"name": "v2"}],
                         "conversion": {"strategy": "Webhook", "webhook": webhook}}}

    def convert(self, *answers: Callable[[Any, Request], Any], name: str = "hook", url: str = "") -> Deferred[Any]:
        self.answers += answers
        service = {"namespace": "ns", "name": name, "port": self.hook.port, "path": "/convert"}
        definition = self.definition(url=url) if url else self.definition(service=service)
        converter = self.converters.converter(definition)
        obj = {"apiVersion": "example.com/v1", "kind": "Foo", "metadata": {"name": "a"}, "spec": {}}
        return to_deferred(converter.convert([obj], GroupVersion("example.com", "v2")))

    async def test_convert(self) -> None:
        """The webhook is found through its Service, and its answer is the object."""
        def good(review: Any, request: Request) -> Any:
            obj = {**review["request"]["objects"][0], "apiVersion": "example.com/v2", "spec": {"b": 1}}
            return {**review, "response": {"uid": review["request"]["uid"], "result": {"status": "Success"},
                                           "convertedObjects": [obj]}}

        converted = await self.convert(good)
        self.assertEqual(converted, [{"apiVersion": "example.com/v2", "kind": "Foo", "metadata": {"name": "a"},
                                      "spec": {"b": 1}}])
        self.assertEqual(self.path, b"/convert?timeout=30s")

    async def test_failures(self) -> None:
        """What the client of the API gets to read."""
        def oops(review: Any, request: Request) -> Any:
            request.setResponseCode(500)
            request.setHeader("Content-Type", "text/plain")
            return "oops"

        def failing(review: Any, request: Request) -> Any:
            return {**review, "response": {"uid": review["request"]["uid"],
                                           "result": {"status": "Failure", "message": "no such field"}}}

        post = f'Post "https://nosvc.ns.svc:{self.hook.port}/convert?timeout=30s": '
        for name, answer, said in (
            ("hook", oops, 'an error on the server ("\\"oops\\"") has prevented the request from succeeding'),
            ("hook", failing, "no such field"),
            ("nosvc", None, f'{post}service "nosvc" not found'),
        ):
            error = await self.assertFailure(self.convert(*[answer] if answer else [], name=name), StatusError)
            self.assertEqual(error.message, f"conversion webhook for example.com/v1, Kind=Foo failed: {said}")
            self.assertEqual(error.status(), {
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                "message": error.message, "code": 500})

    async def test_unreachable(self) -> None:
        """Nobody at the URL."""
        error = await self.assertFailure(self.convert(url="https://127.0.0.1:1/convert"), StatusError)
        self.assertEqual(error.message, "conversion webhook for example.com/v1, Kind=Foo failed: "
                         'Post "https://127.0.0.1:1/convert?timeout=30s": '
                         "dial tcp 127.0.0.1:1: connect: connection refused")
