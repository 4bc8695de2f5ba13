"""The aggregator before a real server behind TLS: checks, discovery, OpenAPI, and requests that are passed on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.trial.unittest import TestCase
from twisted.web.server import NOT_DONE_YET, Request

from kube_twisted.config import load_config
from kube_twisted.controlplane.completed import complete
from kube_twisted.controlplane.server import KapiServer
from kube_twisted.endpoints.request import Request as KubeRequest
from kube_twisted.endpoints.request import Response, StreamingResponse
from kube_twisted.util.clock import Clock
from tests.inprocess import SentTransport, keys_directory
from tests.sockets.support.aggregated import ETAG, GROUP, NAME, ROOT, VERSION, Backend, api_service, service

_PATH = f"/apis/apiregistration.k8s.io/v1/apiservices/{NAME}"
_FLUNDERS = f"{ROOT}/namespaces/default/flunders"
_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


class _SocketlessServer(KapiServer):
    def _listen(self) -> None:
        self.url = "https://127.0.0.1:6443"


class Taken:
    """What a client takes of a streamed answer."""

    def __init__(self) -> None:
        self.body = b""
        self.broken = False
        self.ended: Deferred[None] = Deferred()
        self._waiting: list[tuple[bytes, Deferred[None]]] = []
        self.leave: Callable[[], None] = lambda: None
        self.pause: Callable[[], None] = lambda: None
        self.resume: Callable[[], None] = lambda: None

    def write(self, data: bytes) -> None:
        self.body += data
        for text, waiting in self._waiting:
            if text in self.body and not waiting.called:
                waiting.callback(None)

    def finish(self) -> None:
        self.ended.callback(None)

    def abort(self) -> None:
        self.broken = True
        self.ended.callback(None)

    def on_gone(self, callback: Callable[[], None]) -> None:
        self.leave = callback

    def on_pressure(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        self.pause, self.resume = pause, resume

    def until(self, text: bytes) -> Deferred[None]:
        waiting: Deferred[None] = Deferred()
        self._waiting.append((text, waiting))
        self.write(b"")
        return waiting


class AggregationTests(TestCase):
    timeout = 60

    async def setUp(self) -> None:
        settings = {"dataDirectory": str(keys_directory()), "storage.backend": "memory", "controllers": [],
                    "server.bindAddress": "127.0.0.1"}
        self.clock = Clock(reactor)  # type: ignore[arg-type]
        self.server = _SocketlessServer(complete(load_config(None, settings), reactor), reactor)
        self.addCleanup(self.server.stop)
        await self.server.start()
        self.ask = self.server.client.named("test").call
        self.backend = Backend(reactor)
        self.addCleanup(self.backend.stop)

    async def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> Response:
        path, _, query = path.partition("?")
        sent = {"authorization": f"Bearer {self.server.completed.loopback_token}",
                **{name.replace("_", "-"): value for name, value in headers.items()}}
        return await self.server.handler(KubeRequest(method, path, query, SentTransport(sent, body)))

    async def take(self, response: Response) -> bytes:
        if not isinstance(response, StreamingResponse):
            return response.body
        taken = Taken()
        response.begin(taken)
        await taken.ended
        return b"broken" if taken.broken else taken.body

    async def register(self, **spec: Any) -> dict[str, Any]:
        await self.ask("POST", "/api/v1/namespaces/default/services", service(self.backend.port))
        await self.ask("POST", "/apis/apiregistration.k8s.io/v1/apiservices", api_service(self.backend.port, **spec))
        return await self.condition(lambda one: True)

    async def condition(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first condition that is so."""
        while True:
            found = (await self.ask("GET", _PATH)).get("status", {}).get("conditions")
            if found and wanted(found[0]):
                one: dict[str, Any] = found[0]
                return one
            await self.clock.sleep(0.005)

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self.clock.sleep(0.005)

    async def version(self) -> dict[str, Any]:
        """What the aggregated discovery document has of the group-version."""
        document = await self.ask("GET", "/apis", accept=_DISCOVERY)
        one: dict[str, Any] = next(one for one in document["items"] if one["metadata"]["name"] == GROUP)["versions"][0]
        return one

    # -- checks ---------------------------------------------------------------------------------------------------

    async def test_available(self) -> None:
        """A server that answers is available; it is asked as the aggregator, which shows its certificate."""
        condition = await self.register()
        self.assertEqual((condition["status"], condition["reason"], condition["message"]),
                         ("True", "Passed", "all checks passed"))
        asked = self.backend.asked(ROOT)[0]
        self.assertEqual(asked["x-remote-user"], ["system:kube-aggregator"])
        self.assertEqual(asked["x-remote-group"], ["system:masters"])
        self.assertEqual(self.backend.shown, {"CN=front-proxy-client"})

    async def test_untrusted(self) -> None:
        """One whose certificate is of an unknown authority is not; nothing is passed on to it."""
        condition = await self.register(caBundle=None)
        url = f"https://localhost:{self.backend.port}{ROOT}"
        self.assertEqual((condition["status"], condition["reason"]), ("False", "FailedDiscoveryCheck"))
        self.assertEqual(condition["message"], f'failing or missing response from {url}: Get "{url}": tls: failed to '
                         "verify certificate: x509: certificate signed by unknown authority")
        self.assertEqual((await self.send("GET", _FLUNDERS)).code, 503)

    async def test_unverified(self) -> None:
        """Nobody looks at the certificate of a server if the APIService says so."""
        condition = await self.register(caBundle=None, insecureSkipTLSVerify=True)
        self.assertEqual(condition["reason"], "Passed")

    async def test_bad_status(self) -> None:
        """A server that refuses is not available; the condition tells the code, and goes when the server is well."""
        def refuse(request: Request) -> bytes:
            request.setResponseCode(500)
            return b""

        good, self.backend.answers[ROOT] = self.backend.answers[ROOT], refuse
        condition = await self.register()
        url = f"https://localhost:{self.backend.port}{ROOT}"
        self.assertEqual(condition["message"],
                         f"failing or missing response from {url}: bad status from {url}: 500")
        self.backend.answers[ROOT] = good
        self.assertEqual((await self.condition(lambda one: one["status"] == "True"))["reason"], "Passed")
        self.flushLoggedErrors()

    # -- discovery and OpenAPI ------------------------------------------------------------------------------------

    async def test_discovery(self) -> None:
        """Its resources are in the aggregated document, its group in the plain ones, where its priority says."""
        await self.register()
        while (await self.version())["freshness"] != "Current":
            await self.clock.sleep(0.005)
        version = await self.version()
        self.assertEqual([one["resource"] for one in version["resources"]], ["flunders"])
        names = [one["name"] for one in (await self.ask("GET", "/apis"))["groups"]]
        self.assertEqual(names[-1], GROUP)
        group = await self.ask("GET", f"/apis/{GROUP}")
        self.assertEqual(group["preferredVersion"]["groupVersion"], VERSION)
        self.assertEqual((await self.ask("GET", ROOT))["resources"][0]["name"], "flunders")
        self.assertIn(ROOT, (await self.ask("GET", "/"))["paths"])

    async def test_discovery_is_kept_by_its_etag(self) -> None:
        """A server says that nothing has changed, and is believed."""
        await self.register()
        await self.until(lambda: bool(self.backend.asked("/apis")))
        await self.ask("PATCH", _PATH, {"spec": {"versionPriority": 11}}, "application/merge-patch+json")
        await self.until(lambda: any(one.get("if-none-match") == [ETAG] for one in self.backend.asked("/apis")))
        while (await self.version())["freshness"] != "Current":
            await self.clock.sleep(0.005)
        self.assertEqual([one["resource"] for one in (await self.version())["resources"]], ["flunders"])

    async def test_plain_discovery(self) -> None:
        """A server without aggregated discovery is asked for the list of its resources."""
        del self.backend.answers["/apis"]
        await self.register()
        while (await self.version())["freshness"] != "Current":
            await self.clock.sleep(0.005)
        self.assertEqual((await self.version())["resources"][0]["responseKind"],
                         {"group": "", "version": "", "kind": "Flunder"})

    async def test_gone(self) -> None:
        """Without the APIService, nothing is left of the group."""
        await self.register()
        await self.ask("DELETE", _PATH)
        document = await self.ask("GET", "/apis", accept=_DISCOVERY)
        self.assertNotIn(GROUP, {one["metadata"]["name"] for one in document["items"]})
        for path in (f"/apis/{GROUP}", ROOT, _FLUNDERS):
            answer = await self.send("GET", path)
            self.assertEqual((answer.code, answer.body), (404, b"404 page not found\n"))

    async def test_openapi(self) -> None:
        """The index shows its documents but no second one of a name; they are passed on with their hash."""
        await self.register()
        name = f"apis/{VERSION}"
        index = await self.ask("GET", "/openapi/v3", accept="*/*")
        while name not in index["paths"]:
            await self.clock.sleep(0.02)
            index = await self.ask("GET", "/openapi/v3", accept="*/*")
        address = index["paths"][name]["serverRelativeURL"]
        self.assertEqual(address, f"/openapi/v3/apis/{VERSION}?hash=ABC")
        self.assertNotIn("DEF", index["paths"]["version"]["serverRelativeURL"])
        self.assertEqual(json.loads(await self.take(await self.send("GET", address)))["info"]["title"], "wardle")
        self.assertEqual(self.backend.requests[-1][1], address)
        await self.until(lambda: bool(self.backend.asked("/openapi/v2")))
        await self.clock.sleep(0)
        whole = await self.ask("GET", "/openapi/v2")
        self.assertIn(f"{_FLUNDERS.replace('default', '{namespace}')}", whole["paths"])
        self.assertEqual(whole["paths"]["/version/"]["get"]["tags"], ["version"])
        self.assertIn("com.example.wardle.Flunder", whole["definitions"])

    # -- requests -------------------------------------------------------------------------------------------------

    async def test_passed_on(self) -> None:
        """Path, query, body and headers go to the server with the user in place of its credentials, and the answer
        comes back.
        """
        await self.register()
        answer = await self.send("POST", f"{_FLUNDERS}?b=2&a=x%20y", b'{"kind": "Flunder"}', accept="application/json",
                                 x_remote_user="mallory", x_remote_extra_scopes="all", connection="x-mine",
                                 x_mine="1", x_other="2")
        self.assertEqual((answer.code, answer.content_type), (201, "application/json"))
        self.assertEqual(json.loads(await self.take(answer)), {"kind": "Flunder"})
        (path, headers, body), = [(path, headers, body) for (method, path, headers), body in zip(
            self.backend.requests, self.backend.bodies, strict=True) if method == "POST"]
        self.assertEqual((path, body), (f"{_FLUNDERS}?a=x+y&b=2", b'{"kind": "Flunder"}'))
        self.assertEqual(headers["x-remote-user"], ["system:apiserver"])
        self.assertEqual(headers["x-remote-group"], ["system:masters", "system:authenticated"])
        self.assertEqual(headers["x-other"], ["2"])
        self.assertEqual(headers["x-forwarded-for"], ["192.0.2.1"])
        self.assertEqual(headers["host"], [f"localhost:{self.backend.port}"])
        self.assertEqual(set(headers) & {"authorization", "x-mine", "x-remote-extra-scopes"}, set())

    async def test_watch(self) -> None:
        """Events come as they are sent; the server learns when the client leaves."""
        await self.register()
        answer = await self.send("GET", f"{_FLUNDERS}?watch=1")
        assert isinstance(answer, StreamingResponse)
        taken = Taken()
        answer.begin(taken)
        for name in ("first", "second"):
            self.backend.send(name)
            await taken.until(name.encode())
        taken.leave()
        await self.until(lambda: len(self.backend.left) == 1)
        self.assertEqual(len(self.server.front.proxy.relays), 0)

    async def test_watches_end_with_this_server(self) -> None:
        """At the end of this server a watch is over, and the other server is left."""
        await self.register()
        answer = await self.send("GET", f"{_FLUNDERS}?watch=1")
        assert isinstance(answer, StreamingResponse)
        taken = Taken()
        answer.begin(taken)
        await self.server.stop()
        self.assertTrue(taken.ended.called and not taken.broken)
        await self.until(lambda: len(self.backend.left) == 1)

    async def test_slow_client(self) -> None:
        """What a client does not take stays with the other server, and comes when the client reads on."""
        size = 8 * 1024 * 1024

        def many(request: Request) -> bytes:
            return b"x" * size

        self.backend.answers[f"{ROOT}/many"] = many
        await self.register()
        answer = await self.send("GET", f"{ROOT}/many")
        assert isinstance(answer, StreamingResponse)
        taken = Taken()
        answer.begin(taken)
        taken.pause()
        for _ in range(20):
            await self.clock.sleep(0)
        self.assertLess(len(taken.body), size)
        taken.resume()
        await taken.ended
        self.assertEqual(len(taken.body), size)
        self.assertEqual(dict(answer.headers or ())["Content-Length"], str(size))

    async def test_broken_answer(self) -> None:
        """An answer that breaks off is not passed on as if it were whole."""
        def breaking(request: Request) -> int:
            request.setHeader("content-length", "100")
            request.write(b"half")
            request.channel.loseConnection()
            return NOT_DONE_YET

        self.backend.answers[f"{ROOT}/half"] = breaking
        await self.register()
        self.assertEqual(await self.take(await self.send("GET", f"{ROOT}/half")), b"broken")

    async def test_redirects(self) -> None:
        """A server may not send clients elsewhere."""
        def elsewhere(request: Request) -> bytes:
            request.redirect(b"https://example.com/")
            return b"go"

        self.backend.answers[f"{ROOT}/moved"] = elsewhere
        await self.register()
        answer = await self.send("GET", f"{ROOT}/moved")
        self.assertEqual((answer.code, answer.body),
                         (502, b"the backend attempted to redirect this request, which is not permitted"))

    async def test_unreachable(self) -> None:
        """A server that has just gone: the client is told why, in plain text."""
        await self.register()
        await self.until(lambda: len(self.backend.asked(ROOT)) == 2)  # it is asked once more when its status is written
        self.assertIn(b"FlunderList", await self.take(await self.send("GET", _FLUNDERS)))
        await self.backend.stop()
        self.backend.drop()
        answer = await self.send("GET", f"{ROOT}/namespaces/default/others")
        while b"refused" not in answer.body:  # until the broken connections are noticed
            await self.clock.sleep(0.005)
            answer = await self.send("GET", f"{ROOT}/namespaces/default/others")
        self.assertEqual((answer.code, answer.content_type), (503, "text/plain; charset=utf-8"))
        self.assertEqual(answer.body, f"error trying to reach service: dial tcp 127.0.0.1:{self.backend.port}: "
                         "connect: connection refused\n".encode())

    async def test_upgrade(self) -> None:
        """Connections that are to be upgraded are refused clearly."""
        await self.register()
        answer = await self.send("GET", f"{_FLUNDERS}/one/log", connection="Upgrade", upgrade="websocket")
        self.assertEqual((answer.code, json.loads(answer.body)["reason"]), (501, "NotImplemented"))

    async def test_own_client(self) -> None:
        """This server's own controllers read what others serve, whole."""
        await self.register()
        items = (await self.ask("GET", _FLUNDERS))["items"]
        self.assertEqual([one["metadata"]["name"] for one in items], ["one"])
