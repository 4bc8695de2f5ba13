"""The repair at the start of a server, and when rounds fail."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred, fail
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.services.node_port_range import KEY
from kube_twisted.storage.interfaces import Create, StoreFailed
from kube_twisted.testing.cluster import InProcessCluster
from kube_twisted.util.starting import StartError
from tests.controlplane.repair.test_cluster_ips import SpoiltCase
from tests.inprocess import keys_directory


class StartTests(SynchronousTestCase):
    def cluster(self, **overrides: Any) -> InProcessCluster:
        cluster = InProcessCluster(overrides, keys_directory())
        self.addCleanup(cluster.stop)
        return cluster

    def test_before_ready(self) -> None:
        """The ports in use are there before the server is ready."""
        cluster = self.cluster()
        seen: list[Any] = []
        server = cluster.server
        server.signals.has_been_ready.call(lambda: seen.append(server.stores.services.parts.ports.bits))
        cluster.start()
        self.assertEqual(seen, [0])

    def test_store_that_cannot_be_written(self) -> None:
        """A first round that can't run ends the start with one line."""
        cluster = self.cluster()
        store: Any = cluster.server.backend.store
        transact = store.transact

        def refuse(operations: Any) -> Deferred[int]:
            if any(isinstance(one, Create) and one.key == KEY for one in operations):
                return fail(StoreFailed("the disk is full"))
            done: Deferred[int] = transact(operations)
            return done

        store.transact = refuse
        error = self.assertRaises(StartError, cluster.start)
        self.assertEqual(str(error), "portallocator-repair-controller: the disk is full")
        self.assertFalse(cluster.server.signals.has_been_ready.fired)


class FailingRoundTests(SpoiltCase):
    """A round every minute."""

    overrides = {"services.repairInterval": "1m"}

    def test_next_round(self) -> None:
        """A round that fails is logged, and the next one mends."""
        self.service("a", clusterIP="10.0.0.11")
        self.remove("/registry/ipaddresses/10.0.0.11")
        read, self.store.read_revision = self.store.read_revision, lambda: fail(StoreFailed("no"))
        self.clock.advance(60)
        self.assertEqual(self.flushLoggedErrors(), [])  # a line will do
        self.store.read_revision = read
        self.assertEqual(self.addresses(), {})
        self.clock.advance(60)
        self.assertEqual(self.addresses(), {"10.0.0.11": "a"})


class OnceTests(SpoiltCase):
    """No interval."""

    overrides = {"services.repairInterval": 0}

    def test_only_at_the_start(self) -> None:
        """There are no further rounds."""
        self.service("a", clusterIP="10.0.0.11")
        self.remove("/registry/ipaddresses/10.0.0.11")
        self.cluster.run(1)
        self.clock.advance(3600)
        self.assertEqual(self.addresses(), {})
