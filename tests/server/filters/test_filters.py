"""The filters of the chain, one by one."""

from __future__ import annotations

import orjson
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError, not_found
from kube_twisted.api.gvk import GroupResource
from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import Attributes, Decision
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.server.filters.access import with_authentication, with_authorization
from kube_twisted.server.filters.headers import warning_headers, with_audit_id
from kube_twisted.server.filters.inflight import InFlight
from kube_twisted.server.filters.readiness import with_mux_complete, with_retry_after
from kube_twisted.server.filters.recovery import with_panic_recovery
from kube_twisted.server.filters.request_info import with_request_info
from kube_twisted.server.filters.timeout import with_timeout
from kube_twisted.storage.interfaces import StoreFailed
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.signal import Signal
from tests.server.filters.requests import answer, ok, outcome, request


class RecoveryTests(SynchronousTestCase):
    """Errors become answers."""

    def test_status_error(self) -> None:
        """An error's Status is the answer, with its headers."""
        async def refuse(_request: Request) -> Response:
            error = not_found(GroupResource("", "pods"), "p")
            error.headers["X-Own"] = "1"
            raise error

        response = answer(with_panic_recovery(refuse), request())
        self.assertEqual((response.code, orjson.loads(response.body)["message"]), (404, 'pods "p" not found'))
        self.assertEqual((response.content_type, response.headers), ("application/json", [("X-Own", "1")]))

    def test_formats(self) -> None:
        """In YAML for those who want YAML; in JSON for those who want what can't be had."""
        async def refuse(_request: Request) -> Response:
            raise StatusError(400, "BadRequest", "no")

        sent = request(headers={"accept": "application/yaml"})
        response = answer(with_panic_recovery(refuse), sent)
        self.assertEqual(response.content_type, "application/yaml")
        self.assertIn(b"reason: BadRequest\n", response.body)
        response = answer(with_panic_recovery(refuse), request(headers={"accept": "text/html"}))
        self.assertEqual((response.code, response.content_type), (400, "application/json"))

    def test_unexpected(self) -> None:
        """Anything else is a 500 that says where, and a line in the log."""
        async def fail(_request: Request) -> Response:
            raise ZeroDivisionError

        response = answer(with_panic_recovery(fail), request("/api/v1/pods"))
        status = orjson.loads(response.body)
        self.assertEqual((response.code, status["reason"]), (500, "InternalError"))
        self.assertIn('"/api/v1/pods"', status["message"])
        self.assertEqual(len(self.flushLoggedErrors(ZeroDivisionError)), 1)

    def test_store(self) -> None:
        """A store that fails is a 500 with the store's reason, and no traceback in the log."""
        async def fail(_request: Request) -> Response:
            raise StoreFailed("the store cannot be written: database or disk is full")

        response = answer(with_panic_recovery(fail), request())
        self.assertEqual((response.code, orjson.loads(response.body)["message"]),
                         (500, "the store cannot be written: database or disk is full"))
        self.assertEqual(self.flushLoggedErrors(), [])

    def test_cancelled(self) -> None:
        """A request that was given up is no failure."""
        async def cancelled(_request: Request) -> Response:
            raise CancelledError

        self.failureResultOf(to_deferred(with_panic_recovery(cancelled)(request())), CancelledError)


class AuditIdTests(SynchronousTestCase):
    def test_ids(self) -> None:
        """The client's own ID, no longer than an ID may be; else a new one."""
        sent = request(headers={"audit-id": "x" * 100})
        answer(with_audit_id(ok), sent)
        self.assertEqual(sent.audit_id, "x" * 64)
        others = [request(), request()]
        for one in others:
            answer(with_audit_id(ok), one)
        self.assertEqual(len({one.audit_id for one in others}), 2)


class WarningTests(SynchronousTestCase):
    def test_quoted(self) -> None:
        """Quotes and backslashes are escaped; a text with control characters is left out."""
        self.assertEqual(warning_headers(['a "b" \\ c', "d\n"]), [("Warning", '299 - "a \\"b\\" \\\\ c"')])

    def test_too_long(self) -> None:
        """When together they are too long, each is cut short, and the last ones are left out."""
        headers = warning_headers(["x" * 300] * 30)
        self.assertEqual({len(value) for _, value in headers}, {256 + len('299 - ""')})
        self.assertTrue(10 < len(headers) < 30)
        self.assertEqual(len(warning_headers(["x" * 4000])[0][1]), 4000 + len('299 - ""'))


class RequestInfoTests(SynchronousTestCase):
    def test_watch(self) -> None:
        """A list with ``watch`` is a watch for all that follows."""
        for path, verb in (("/api/v1/pods?watch=1", "watch"), ("/api/v1/pods?watch=0", "list"), ("/x?watch=1", "get"),
                           ("/api/v1/nodes/n?watch=1", "get")):
            sent = request(path)
            answer(with_request_info(ok), sent)
            self.assertEqual(sent.info.verb, verb, path)

    def test_no_meaning(self) -> None:
        """A path that means nothing is a plain 500, as the original answers it."""
        sent = request()
        sent.path = "/api/v1/watch"
        response = answer(with_request_info(ok), sent)
        self.assertEqual((response.code, response.content_type), (500, "text/plain; charset=utf-8"))
        self.assertIn(b"failed to create RequestInfo", response.body)


class ReadinessTests(SynchronousTestCase):
    """While the server starts, and while it stops."""

    def setUp(self) -> None:
        self.signal = Signal("x")

    def test_not_there_yet(self) -> None:
        """Before all paths are installed what isn't there is 503: it may come yet."""
        async def nothing(_request: Request) -> Response:
            return Response(404, b"")

        handler = with_mux_complete(nothing, self.signal)
        error = self.failureResultOf(outcome(handler, request()), StatusError).value
        self.assertEqual((error.code, error.reason), (503, "ServiceUnavailable"))
        self.signal.fire()
        self.assertEqual(answer(handler, request()).code, 404)
        self.assertEqual(answer(with_mux_complete(ok, Signal("y")), request()).code, 200)

    def test_no_new_requests(self) -> None:
        """At the end new requests are told to come again on another connection; health goes on answering."""
        handler = with_retry_after(ok, self.signal)
        self.assertEqual(answer(handler, request()).code, 200)
        self.signal.fire()
        error = self.failureResultOf(outcome(handler, request()), StatusError).value
        self.assertEqual((error.code, error.headers), (429, {"Retry-After": "5", "Connection": "close"}))
        for path in ("/healthz", "/livez/ping", "/readyz", "/metrics"):
            self.assertEqual(answer(handler, request(path)).code, 200, path)
        self.failureResultOf(outcome(handler, request("/healthzx")), StatusError)


class InFlightTests(SynchronousTestCase):
    def test_drained(self) -> None:
        """Whoever waits for the end hears when the last request is answered, also by an error."""
        ends: list[Deferred[None]] = [Deferred(), Deferred()]
        waiting = iter(ends)

        async def slow(_request: Request) -> Response:
            await next(waiting)
            return Response(200, b"")

        in_flight = InFlight()
        self.successResultOf(in_flight.drained())
        first, second = (to_deferred(in_flight.filter(slow)(request())) for _ in range(2))
        drained = in_flight.drained()
        ends[0].callback(None)
        self.successResultOf(first)
        self.assertNoResult(drained)
        self.assertEqual(in_flight.count, 1)
        ends[1].errback(ZeroDivisionError())
        self.failureResultOf(second, ZeroDivisionError)
        self.successResultOf(drained)


class TimeoutTests(SynchronousTestCase):
    """Requests end in time."""

    def setUp(self) -> None:
        self.time = FakeTime()
        self.work: Deferred[None] = Deferred()

        async def slow(_request: Request) -> Response:
            await self.work
            return Response(200, b"")

        self.handler = with_timeout(slow, Clock(self.time), 60)

    def sent(self, path: str = "/api/v1/pods") -> Deferred[Response]:
        return to_deferred(self.handler(request(path)))

    def test_in_time(self) -> None:
        """A request that ends in time leaves no timer."""
        outcome = self.sent()
        self.work.callback(None)
        self.assertEqual(self.successResultOf(outcome).code, 200)
        self.assertEqual(self.time.getDelayedCalls(), [])

    def test_late(self) -> None:
        """One that doesn't is 504, and its work is cancelled."""
        outcome = self.sent()
        self.time.advance(59)
        self.assertNoResult(outcome)
        self.time.advance(2)
        error = self.failureResultOf(outcome, StatusError).value
        self.assertEqual((error.code, error.reason), (504, "Timeout"))
        self.assertTrue(self.work.called)

    def test_parameter(self) -> None:
        """A client may want it sooner, not later; what is no duration is 400."""
        for path, seconds in (("?timeout=5s", 5), ("?timeout=1h", 60), ("?timeout=", 60), ("?timeout=-1s", 60)):
            self.work = Deferred()
            outcome = self.sent(f"/api/v1/pods{path}")
            self.time.advance(seconds - 0.5)
            self.assertNoResult(outcome)
            self.time.advance(1)
            self.failureResultOf(outcome, StatusError)
        for text in ("x", "5", "9" * 5000 + "s"):
            error = self.failureResultOf(self.sent(f"/api/v1/pods?timeout={text}"), StatusError).value
            self.assertEqual(error.code, 400, text[:10])

    def test_long_running(self) -> None:
        """Watches and streams have their own end."""
        for path in ("/api/v1/watch/pods", "/api/v1/namespaces/ns/pods/p/log"):
            self.work = Deferred()
            outcome = self.sent(path)
            self.time.advance(1000)
            self.assertNoResult(outcome)
            self.work.callback(None)
            self.successResultOf(outcome)

    def test_client_gone(self) -> None:
        """A request that is given up is not late, and leaves no timer."""
        outcome = self.sent()
        outcome.cancel()
        self.failureResultOf(outcome, CancelledError)
        self.assertEqual(self.time.getDelayedCalls(), [])


JANE = UserInfo("jane", "", ("devs",))


class AccessTests(SynchronousTestCase):
    """Who asks, and whether they may."""

    async def authenticate(self, _request: Request) -> UserInfo:
        return JANE

    async def authorize(self, attributes: Attributes) -> Decision:
        self.attributes = attributes
        return Decision(attributes.verb == "get", "only reading")

    def test_user(self) -> None:
        """Authentication sets the user."""
        sent = request()
        answer(with_authentication(ok, self), sent)  # type: ignore[arg-type]
        self.assertIs(sent.user, JANE)

    def test_attributes(self) -> None:
        """Authorization is asked about what the path means."""
        sent = request("/apis/apps/v1/namespaces/ns/deployments/d/scale")
        sent.user = JANE
        self.assertEqual(answer(with_authorization(ok, self), sent).code, 200)  # type: ignore[arg-type]
        self.assertEqual(self.attributes, Attributes(
            user=JANE, verb="get", group="apps", version="v1", resource="deployments", subresource="scale",
            namespace="ns", name="d", path="/apis/apps/v1/namespaces/ns/deployments/d/scale", resource_request=True))

    def test_forbidden(self) -> None:
        """What isn't allowed is 403 with the reason, and the handler is not asked."""
        sent = request("/api/v1/nodes/n", "DELETE")
        sent.user = JANE
        error = self.failureResultOf(to_deferred(with_authorization(ok, self)(sent)), StatusError).value  # type: ignore[arg-type]
        self.assertEqual(error.code, 403)
        self.assertIn('User "jane" cannot delete resource "nodes"', error.message)
        self.assertTrue(error.message.endswith("only reading"), error.message)
        self.assertEqual(error.headers, {"X-Content-Type-Options": "nosniff"})
