"""Requests that wait for their turn, and limits of requests in flight."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.user import UserInfo
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.flowcontrol.flow_control import FlowControl
from kube_twisted.flowcontrol.work import Stored
from kube_twisted.server.filters.fairness import with_priority_and_fairness
from kube_twisted.server.filters.max_in_flight import with_max_in_flight
from kube_twisted.util.clock import Clock
from tests.flowcontrol.objects import Obj, group, level, schema, user
from tests.flowcontrol.test_flow_control import Stored as Objects
from tests.server.filters.requests import answer, ok, request

MASTERS = schema("exempt", group("system:masters"), level="exempt", precedence=1)
LIST, WATCH = "/api/v1/pods", "/api/v1/pods?watch=1"


def sent_by(name: str, path: str = "/api/v1/namespaces/ns/pods/p", *groups: str, method: str = "GET") -> Request:
    made = request(path, method)
    made.user = UserInfo(name, groups=groups)
    if "watch=1" in path:
        made.info.verb = "watch"
    return made


class Slow:
    """A handler that answers when it is told to."""

    def __init__(self) -> None:
        self.begun: list[Deferred[None]] = []

    async def handle(self, _request: Request) -> Response:
        done: Deferred[None] = Deferred()
        self.begun.append(done)
        await done
        return Response(200, b"ok")

    def finish(self) -> None:
        self.begun.pop(0).callback(None)


class FairnessTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.reactor = FakeReactor()
        self.slow = Slow()
        self.stored = Stored(0, 0.0)

    def flow_control(self, *levels: Obj, seats: int) -> FlowControl:
        objects = Objects([MASTERS, schema("s", user("*"), by="ByUser")], list(levels))
        self.control = FlowControl(objects, Clock(self.reactor), seats)
        return self.control

    def one_seat(self, **settings: int) -> None:
        """A level with one seat."""
        control = self.flow_control(level("busy", 5, borrowingLimitPercent=0, **settings), seats=2)
        self.filter = with_priority_and_fairness(
            self.slow.handle, control, Clock(self.reactor), 60, lambda _group, _resource: self.stored)

    def send(self, sent: Request) -> Deferred[Response]:
        return Deferred.fromCoroutine(self.filter(sent))

    def test_flow_is_noted(self) -> None:
        """The request knows its flow, of which answers tell."""
        sent = sent_by("ann")
        control = self.flow_control(level("busy"), seats=10)
        filtered = with_priority_and_fairness(ok, control, Clock(self.reactor), 60, lambda _group, _resource: None)
        self.assertEqual(answer(filtered, sent).code, 200)
        assert sent.flow is not None
        self.assertEqual(sent.flow.counts.schema, "s")
        self.assertEqual((sent.flow.counts.dispatched, sent.flow.counts.executing, sent.flow.level.in_use), (1, 0, 0))

    def test_waiting(self) -> None:
        """A second request begins when the first has ended."""
        self.one_seat(queues=1)
        first, second = self.send(sent_by("ann")), self.send(sent_by("bob"))
        self.assertEqual(len(self.slow.begun), 1)
        self.slow.finish()
        self.assertEqual(self.successResultOf(first).code, 200)
        self.assertNoResult(second)
        self.slow.finish()
        self.assertEqual(self.successResultOf(second).code, 200)
        self.assertTrue(self.control.levels["busy"].is_idle)

    def test_rejected(self) -> None:
        """Where there is no room, the answer is 429, as text, with the time to come again and the flow."""
        self.one_seat()
        self.send(sent_by("ann"))
        sent = sent_by("bob")
        response = self.successResultOf(self.send(sent))
        self.assertEqual((response.code, response.body, response.content_type),
                         (429, b"Too many requests, please try again later.\n", "text/plain; charset=utf-8"))
        self.assertEqual(response.headers, [("Retry-After", "1"), ("X-Content-Type-Options", "nosniff")])
        assert sent.flow is not None
        self.assertEqual(sent.flow.counts.rejected, {"concurrency-limit": 1})

    def test_waits_a_quarter_of_its_time(self) -> None:
        """A request waits for a quarter of the time that it has in all."""
        self.one_seat(queues=1)
        self.send(sent_by("ann"))
        for path, seconds in (("/api/v1/pods/p", 15), ("/api/v1/pods/p?timeout=8s", 2), (f"{WATCH}&timeout=soon", 15)):
            sent = sent_by("bob", path)
            sent.received = self.reactor.seconds()
            waiting = self.send(sent)
            self.reactor.advance(seconds - 0.5)
            self.assertNoResult(waiting)
            self.reactor.advance(0.5)
            self.assertEqual(self.successResultOf(waiting).code, 429)

    def test_masters(self) -> None:
        """Who is exempt never waits."""
        self.one_seat()
        for _ in range(5):
            self.send(sent_by("admin", LIST, "system:masters"))
        self.assertEqual(len(self.slow.begun), 5)

    def test_long_running(self) -> None:
        """What lasts takes no seat, and has no flow; a watch has both until it has begun."""
        self.one_seat()
        for path in ("/api/v1/namespaces/ns/pods/p/log", "/api/v1/namespaces/ns/pods/p/exec", "/debug/pprof/profile"):
            sent = sent_by("ann", path)
            self.send(sent)
            self.assertIsNone(sent.flow)
        self.assertEqual(len(self.slow.begun), 3)
        watch = sent_by("ann", WATCH)
        self.send(watch)
        self.assertIsNotNone(watch.flow)
        self.assertEqual(self.successResultOf(self.send(sent_by("ann", WATCH))).code, 429)

    def test_large_lists(self) -> None:
        """A list of much data takes several seats."""
        control = self.flow_control(level("busy", 95), seats=100)
        self.filter = with_priority_and_fairness(
            self.slow.handle, control, Clock(self.reactor), 60, lambda _group, _resource: Stored(1000, 500.0))
        self.send(sent_by("ann", LIST))
        self.assertEqual(control.levels["busy"].in_use, 5)
        self.send(sent_by("ann", f"{LIST}?limit=10"))
        self.send(sent_by("ann", WATCH))
        self.send(sent_by("ann", f"{WATCH}&resourceVersion=5"))
        self.assertEqual(control.levels["busy"].in_use, 5 + 1 + 5 + 1)

    def test_failure(self) -> None:
        """A request that fails, or whose client leaves, gives its seat back."""
        self.one_seat(queues=1)
        first = self.send(sent_by("ann"))
        second = self.send(sent_by("ann"))
        self.slow.begun.pop().errback(ZeroDivisionError())
        self.failureResultOf(first, ZeroDivisionError)
        second.cancel()
        second.addErrback(lambda _: None)
        self.assertTrue(self.control.levels["busy"].is_idle)


class MaxInFlightTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.slow = Slow()
        self.filter = with_max_in_flight(self.slow.handle, 2, 1)

    def send(self, *asked: object, method: str = "GET") -> Deferred[Response]:
        return Deferred.fromCoroutine(self.filter(sent_by(*map(str, asked), method=method)))

    def test_limits(self) -> None:
        """Reading and writing have a limit each."""
        for method, limit in (("GET", 2), ("POST", 1)):
            begun = [self.send("ann", LIST, method=method) for _ in range(limit)]
            self.assertEqual(self.successResultOf(self.send("ann", LIST, method=method)).code, 429)
            for one in begun:
                self.assertNoResult(one)
        while self.slow.begun:
            self.slow.finish()
        self.assertNoResult(self.send("ann", LIST))

    def test_masters(self) -> None:
        """Members of system:masters always get an answer."""
        for _ in range(3):
            self.send("admin", LIST, "system:masters")
        self.assertEqual(len(self.slow.begun), 3)

    def test_watches(self) -> None:
        """What lasts does not count."""
        for _ in range(5):
            self.send("ann", WATCH)
        self.assertEqual(len(self.slow.begun), 5)

    def test_no_limit(self) -> None:
        """0 is no limit."""
        self.filter = with_max_in_flight(self.slow.handle, 0, 1)
        for _ in range(5):
            self.send("ann", LIST)
        self.assertEqual(len(self.slow.begun), 5)
