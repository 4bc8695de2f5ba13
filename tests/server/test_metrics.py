"""Requests are counted and timed."""

from __future__ import annotations

from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.request import Request, Response
from kube_twisted.server.metrics import Metrics
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from tests.server.filters.requests import answer, request


class MetricsTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.metrics = Metrics(Clock(self.time))
        self.code = 200
        self.found = True
        self.seen: list[str] = []

        async def handle(request: Request) -> Response:
            request.found = self.found
            self.seen.append(self.line("apiserver_current_inflight_requests", "mutating"))
            self.time.advance(0.3)
            if self.code == 0:
                raise ZeroDivisionError
            return Response(self.code, b"")

        self.handler = self.metrics.filter(handle)

    def line(self, name: str, *labels: str) -> str:
        """The value of the one line with these label values."""
        found = [line.rpartition(" ")[2] for line in self.metrics.render().decode().splitlines()
                 if line.startswith(name + "{") and all(f'"{one}"' in line for one in labels)]
        self.assertEqual(len(found), 1, (name, labels, found))
        return found[0]

    def test_counted(self) -> None:
        """By verb, group, resource, scope, code and dry run."""
        for path, method in (("/api/v1/pods", "GET"), ("/api/v1/pods", "HEAD"), ("/api/v1/nodes?dryRun=All", "POST"),
                             ("/apis/apps/v1/namespaces/ns/deployments/d/scale", "PUT"), ("/healthz", "GET"),
                             ("/api/v1/namespaces/ns/pods/p/exec", "POST"), ("/api/v1/namespaces/ns/pods", "DELETE")):
            answer(self.handler, request(path, method))
        name = "apiserver_request_total"
        self.assertEqual(self.line(name, "LIST", "pods", "cluster", "200", "apiserver"), "2.0")
        self.assertEqual(self.line(name, "POST", "nodes", "resource", "All"), "1.0")
        self.assertEqual(self.line(name, "PUT", "apps", "deployments", "scale", "resource"), "1.0")
        self.assertEqual(self.line(name, "CONNECT", "exec"), "1.0")
        self.assertEqual(self.line(name, "DELETE", "namespace"), "1.0")
        self.assertEqual(self.line(name, "GET", "/healthz"), "1.0")

    def test_apply(self) -> None:
        """Server-side apply is no patch; the cluster's components are told from other clients."""
        applied = request("/api/v1/nodes/n", "PATCH", {
            "content-type": "application/apply-patch+yaml", "user-agent": "kube-scheduler/v1.36"})
        answer(self.handler, applied)
        answer(self.handler, request("/api/v1/nodes/n", "PATCH", {"user-agent": "other/1"}))
        self.assertEqual(self.line("apiserver_request_total", "APPLY", "kube-scheduler"), "1.0")
        self.assertEqual(self.line("apiserver_request_total", "PATCH"), "1.0")

    def test_codes(self) -> None:
        """Refusals are counted under their code."""
        self.code = 404
        answer(self.handler, request("/api/v1/pods"))
        self.assertEqual(self.line("apiserver_request_total", "pods", "404"), "1.0")

    def test_nothing_there(self) -> None:
        """What finds no handler does not count: clients can make up anything."""
        self.found, self.code = False, 404
        for path, method in (("/api/v1/a", "GET"), ("/apis/b/c/d", "GET"), ("/e", "GET"), ("/f", "BREW")):
            answer(self.handler, request(path, method))
        self.assertNotIn("apiserver_request_total{", self.metrics.render().decode())

    def test_durations(self) -> None:
        """Seconds in buckets, watches left out."""
        for _ in range(2):
            answer(self.handler, request("/api/v1/pods"))
        watching = request("/api/v1/nodes")
        watching.info.verb = "watch"
        answer(self.handler, watching)
        name = "apiserver_request_duration_seconds"
        self.assertEqual(self.line(f"{name}_bucket", "pods", "0.2"), "0.0")
        self.assertEqual(self.line(f"{name}_bucket", "pods", "0.4"), "2.0")
        self.assertEqual(self.line(f"{name}_bucket", "pods", "+Inf"), "2.0")
        self.assertEqual((self.line(f"{name}_sum", "pods"), self.line(f"{name}_count", "pods")), ("0.6", "2.0"))
        self.assertEqual(self.line("apiserver_request_sli_duration_seconds_count", "pods"), "2.0")
        self.assertEqual(self.line("apiserver_response_sizes_bucket", "pods", "1000"), "2.0")
        shown = self.metrics.render().decode()
        self.assertNotIn('resource="nodes"', "".join(line for line in shown.splitlines() if "_count{" in line))
        self.assertIn(f"# HELP {name} [STABLE] Response latency", shown)

    def test_in_flight(self) -> None:
        """Those that are worked on, writes apart; a failure ends one as well."""
        answer(self.handler, request("/api/v1/nodes", "POST"))
        self.code = 0
        self.failureResultOf(to_deferred(self.handler(request("/api/v1/nodes", "POST"))), ZeroDivisionError)
        self.assertEqual(self.seen, ["1.0", "1.0"])
        self.assertEqual(self.line("apiserver_current_inflight_requests", "mutating"), "0.0")
