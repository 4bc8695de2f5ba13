"""A whole server: starting, what it is made of, and stopping."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.server.loopback import EventStream
from kube_twisted.testing.cluster import InProcessCluster
from tests.inprocess import CONFIG_MAPS, ClusterTestCase, keys_directory


class RunningTests(ClusterTestCase):
    def test_ready(self) -> None:
        """A server that has started is ready, with all its checks."""
        answer = self.send("GET", "/readyz?verbose")
        lines = answer.body.decode().splitlines()
        self.assertEqual((answer.code, lines[-1]), (200, "readyz check passed"))
        for name in ("ping", "etcd", "informer-sync", "shutdown"):
            self.assertIn(f"[+]{name} ok", lines)

    def test_system_namespaces(self) -> None:
        """The system namespaces are there from the first moment."""
        names = {one["metadata"]["name"] for one in self.ask("GET", "/api/v1/namespaces")["items"]}
        self.assertEqual(names, {"default", "kube-system", "kube-public", "kube-node-lease"})

    def test_chain(self) -> None:
        """Three servers: the groups of all of them are served and listed by the one in front."""
        front = self.cluster.server.front
        self.assertEqual([front.name, front.delegate.name, front.delegate.delegate.name],
                         ["aggregator", "kube", "apiextensions"])
        groups = {one["name"] for one in self.ask("GET", "/apis")["groups"]}
        self.assertTrue({"apiregistration.k8s.io", "apiextensions.k8s.io", "apps"} <= groups)
        for path in ("/apis/apiregistration.k8s.io/v1/apiservices", "/apis/apps/v1/deployments",
                     "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"):
            self.assertEqual(self.send("GET", path).code, 200, path)

    def test_fixed_paths(self) -> None:
        """Index, version, metrics, OpenAPI and discovery answer; what isn't there is 404."""
        for path in ("/", "/version", "/metrics", "/api", "/apis", "/openapi/v2", "/openapi/v3", "/openid/v1/jwks",
                     "/.well-known/openid-configuration", "/healthz", "/livez/ping"):
            self.assertEqual(self.send("GET", path, accept="*/*").code, 200, path)
        self.assertEqual(self.send("GET", "/nope").code, 404)
        self.assertIn("/apis/apps/v1", self.ask("GET", "/")["paths"])

    def test_strangers(self) -> None:
        """A wrong token is 401, no credentials are anonymous and may read health only."""
        self.assertEqual(self.send("GET", CONFIG_MAPS, authorization="Bearer nope").code, 401)
        self.assertEqual(self.send("GET", CONFIG_MAPS, authorization="").code, 403)
        self.assertEqual(self.send("GET", "/livez", authorization="").code, 200)


class StoppingTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.cluster = InProcessCluster({}, keys_directory())
        self.cluster.start()

    def test_order(self) -> None:
        """At the end no new requests are taken, and the store is closed last."""
        server = self.cluster.server
        order: list[str] = []
        for signal in (server.signals.shutdown_initiated, server.signals.not_accepting_new_request,
                       server.signals.in_flight_requests_drained):
            signal.call(lambda name=signal.name: order.append(name))
        self.cluster.stop()
        self.assertEqual(order, ["ShutdownInitiated", "NotAcceptingNewRequest", "InFlightRequestsDrained"])
        error = self.assertRaises(StatusError, self.cluster.ask, "GET", "/api/v1/namespaces")
        self.assertEqual((error.code, error.reason), (429, "TooManyRequests"))

    def test_watches_end(self) -> None:
        """Open watches are ended, and nothing is left in the reactor."""
        ended: list[str] = []
        stream = EventStream(lambda type_, obj: None, lambda: ended.append("yes"))
        self.cluster.result(self.cluster.client.watch(f"{CONFIG_MAPS}?watch=1", stream))
        self.cluster.stop()
        self.assertEqual(ended, ["yes"])
        self.assertEqual([str(one) for one in self.cluster.clock.getDelayedCalls()], [])

    def test_two_servers(self) -> None:
        """Two servers in one process share nothing but what they are told to."""
        other = InProcessCluster({}, keys_directory())
        other.start()
        self.cluster.ask("POST", CONFIG_MAPS, {"metadata": {"name": "a"}})
        error = self.assertRaises(StatusError, other.ask, "GET", f"{CONFIG_MAPS}/a")
        self.assertEqual(error.code, 404)
        other.stop()
        self.cluster.stop()
