"""Events are sent to a webhook."""

from __future__ import annotations

from typing import Any

import orjson
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase
from twisted.web.http_headers import Headers

from kube_twisted.audit.sinks import AuditCounts
from kube_twisted.audit.webhook import WebhookSink
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.https import Answer, HTTPSError, Server
from kube_twisted.webhooks.kubeconfig import Remote
from tests.audit.test_log import an_event

REMOTE = Remote(Server("audit.example", 443), "https://audit.example/k8s", "secret")


class Hook:
    """A webhook.

    :ivar code: what it answers; 0 for nothing at all, -1 for never.
    """

    def __init__(self) -> None:
        self.code = 200
        self.lists: list[dict[str, Any]] = []
        self.headers: dict[str, str] = {}

    async def request(self, server: Server, method: str, url: str, headers: dict[str, str], body: bytes, *,
                      timeout: float) -> Answer:
        assert (server, method, url, timeout) == (REMOTE.server, "POST", REMOTE.url, 30.0)
        self.headers = headers
        self.lists.append(orjson.loads(body))
        if self.code == 0:
            raise HTTPSError(method, url, "EOF")
        if self.code == -1:
            await Deferred()
        return Answer(self.code, Headers(), b"")

    @property
    def sizes(self) -> list[int]:
        return [len(one["items"]) for one in self.lists]


class WebhookTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.reactor, self.hook, self.counts = FakeReactor(), Hook(), AuditCounts()

    def sink(self, mode: str = "batch", **more: Any) -> WebhookSink:
        settings = {"batch_size": 3, "batch_wait": 30.0, "buffer_size": 10, "initial_backoff": 10.0, **more}
        return WebhookSink(REMOTE, self.hook, Clock(self.reactor), mode, self.counts,  # type: ignore[arg-type]
                           **settings)

    def waited(self, sink: WebhookSink) -> Deferred[bool]:
        wait = sink.process(an_event())
        assert wait is not None
        return wait

    def test_batches(self) -> None:
        """Events are sent when there are enough of them, or have waited long enough."""
        sink = self.sink()
        for _ in range(2):
            self.assertIsNone(sink.process(an_event()))
        self.reactor.advance(29)
        self.assertEqual(self.hook.sizes, [])
        self.reactor.advance(1)
        self.assertEqual(self.hook.sizes, [2])
        for _ in range(4):
            sink.process(an_event())
        self.reactor.advance(0)
        self.assertEqual(self.hook.sizes, [2, 3])
        self.reactor.advance(30)
        self.assertEqual(self.hook.sizes, [2, 3, 1])

    def test_list(self) -> None:
        """What is sent is an EventList, with the credentials."""
        self.waited(self.sink("blocking"))
        self.assertEqual({key: self.hook.lists[0][key] for key in ("kind", "apiVersion", "metadata")},
                         {"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "metadata": {}})
        self.assertEqual(self.hook.lists[0]["items"], [orjson.loads(an_event().json)])
        self.assertEqual(self.hook.headers["Authorization"], "Bearer secret")

    def test_again(self) -> None:
        """What can't be sent is sent again, later and later, five times in all; then it is lost."""
        self.hook.code = 0
        wait = self.waited(self.sink("blocking-strict"))
        for seconds, times in ((0, 1), (10, 2), (15, 3), (22.5, 4), (33.75, 5)):
            self.reactor.advance(seconds)
            self.assertEqual(len(self.hook.lists), times)
        self.assertFalse(self.successResultOf(wait))
        self.assertEqual(self.counts.errors, {"webhook": 1})

    def test_recovers(self) -> None:
        """A webhook that is well again gets the events."""
        self.hook.code = 503
        wait = self.waited(self.sink("blocking-strict"))
        self.hook.code = 200
        self.reactor.advance(10)
        self.assertTrue(self.successResultOf(wait))
        self.assertEqual(self.counts.errors, {})

    def test_failure_that_does_not_matter(self) -> None:
        """Unless somebody is strict, a loss does no harm to requests."""
        self.hook.code = 403
        wait = self.waited(self.sink("blocking", initial_backoff=0.0))
        for _ in range(5):
            self.reactor.advance(0)
        self.assertTrue(self.successResultOf(wait))

    def test_full_buffer(self) -> None:
        """More events than may wait are lost."""
        sink = self.sink(batch_size=100)
        for _ in range(12):
            sink.process(an_event())
        self.assertEqual(self.counts.errors, {"buffered": 2})

    def test_throttled(self) -> None:
        """Not more than fifteen requests are sent at once, and ten a second."""
        sink = self.sink(batch_size=1)
        for _ in range(20):
            sink.process(an_event())
            self.reactor.advance(0)
        self.assertEqual(len(self.hook.lists), 15)
        self.reactor.pump([0.1] * 3)
        self.assertEqual(len(self.hook.lists), 18)
        self.reactor.pump([0.1] * 3)
        self.assertEqual(len(self.hook.lists), 20)

    def test_close(self) -> None:
        """At the end, what waits is sent once; what could not be sent before is lost."""
        sink = self.sink()
        self.hook.code = 0
        for _ in range(3):
            sink.process(an_event())
        self.reactor.advance(0)
        self.hook.code = 200
        sink.process(an_event())
        self.successResultOf(to_deferred(sink.close()))
        self.assertEqual(self.hook.sizes, [3, 1])
        self.assertEqual(self.counts.errors, {"webhook": 3})
        self.assertEqual(self.reactor.getDelayedCalls(), [])
