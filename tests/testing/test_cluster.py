"""The server in the process of a test."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.testing.cluster import START, InProcessCluster
from tests.inprocess import keys_directory


class ClusterTests(SynchronousTestCase):
    """A cluster that is asked."""

    def cluster(self, **settings: object) -> InProcessCluster:
        cluster = InProcessCluster(settings, keys_directory())
        cluster.start()
        self.addCleanup(cluster.stop)
        return cluster

    def test_ask(self) -> None:
        """Requests are answered as over a connection; errors are StatusErrors."""
        cluster = self.cluster()
        self.assertEqual(cluster.ask("GET", "/api/v1/namespaces/default")["kind"], "Namespace")
        error = self.assertRaises(StatusError, cluster.ask, "GET", "/api/v1/namespaces/none")
        self.assertEqual((error.code, error.message), (404, 'namespaces "none" not found'))

    def test_time(self) -> None:
        """Time begins at a known moment, and passes when told."""
        cluster = self.cluster()
        created = cluster.ask("GET", "/api/v1/namespaces/default")["metadata"]["creationTimestamp"]
        self.assertEqual(created[:16], "2026-01-01T00:00")
        cluster.run(60)
        self.assertGreater(cluster.clock.seconds(), START + 59)

    def test_apart(self) -> None:
        """Two clusters in one process know nothing of each other, even with the same keys."""
        one, other = self.cluster(), self.cluster()
        one.ask("POST", "/api/v1/namespaces", {"metadata": {"name": "x"}})
        self.assertRaises(StatusError, other.ask, "GET", "/api/v1/namespaces/x")

    def test_endless(self) -> None:
        """Work that does not end is an error, not a test that hangs."""
        cluster = self.cluster()
        self.assertRaises(AssertionError, cluster.result, Deferred(), 1.0)

    def test_own_directory(self) -> None:
        """Without a directory it makes one, and removes it at the end."""
        cluster = InProcessCluster()
        cluster.start()
        self.assertTrue((cluster.directory / "ca.crt").exists())
        cluster.stop()
        self.assertFalse(cluster.directory.exists())
