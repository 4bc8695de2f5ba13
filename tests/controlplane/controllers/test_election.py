"""Which of several servers runs the controllers."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred, succeed

from kube_twisted.api.errors import service_unavailable
from kube_twisted.controlplane.controllers.elected import ElectedControllers
from kube_twisted.controlplane.controllers.election import LEASE_DURATION, LeaderElection
from kube_twisted.server.loopback import LoopbackClient
from tests.inprocess import ClusterTestCase

LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-twisted-controllers"


class Cut(LoopbackClient):
    """A client that can be cut off from its server."""

    is_cut = False

    async def call(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        if self.is_cut:
            raise service_unavailable("the store is away")
        return await super().call(*arguments, **options)


class Candidate:
    """A server that wants to run the controllers."""

    def __init__(self, cluster: Any, name: str) -> None:
        self.heard: list[str] = []
        server = cluster.server
        self.client = Cut(server.handler, server.completed.loopback_token, "test")
        self.election = LeaderElection(self.client, server.clock, name, lambda: self.heard.append("won"),
                                       lambda: self.heard.append("lost"))

    def take(self) -> list[str]:
        heard, self.heard = self.heard, []
        return heard


class ElectionTests(ClusterTestCase):
    """Two servers of one cluster."""

    def setUp(self) -> None:
        super().setUp()
        self.one, self.two = Candidate(self.cluster, "one"), Candidate(self.cluster, "two")
        for candidate in (self.one, self.two):
            candidate.election.start()
            self.addCleanup(lambda candidate=candidate: self.cluster.result(candidate.election.stop()))

    def lease(self) -> dict[str, Any]:
        spec: dict[str, Any] = self.ask("GET", LEASE)["spec"]
        return spec

    def test_first(self) -> None:
        """The first one leads, for as long as it renews the lease."""
        self.cluster.run(60)
        self.assertEqual((self.one.take(), self.two.take()), (["won"], []))
        lease = self.lease()
        self.assertEqual((lease["holderIdentity"], lease["leaseDurationSeconds"], lease["leaseTransitions"]),
                         ("one", 15, 0))
        self.assertGreater(lease["renewTime"], lease["acquireTime"])

    def test_stopped(self) -> None:
        """When it stops, the other one leads at its next attempt."""
        self.cluster.run(1)
        self.cluster.result(self.one.election.stop())
        self.assertEqual(self.lease()["holderIdentity"], "")
        self.cluster.run(2)
        self.assertEqual((self.one.take(), self.two.take()), (["won", "lost"], ["won"]))
        self.assertEqual((self.lease()["holderIdentity"], self.lease()["leaseTransitions"]), ("two", 1))

    def test_cut_off(self) -> None:
        """A leader that can't renew the lease stops leading before another one may begin."""
        self.cluster.run(1)
        self.one.client.is_cut = True
        self.cluster.run(11)
        self.assertEqual((self.one.take(), self.two.take()), (["won", "lost"], []))
        self.cluster.run(LEASE_DURATION)
        self.assertEqual(self.two.take(), ["won"])
        self.one.client.is_cut = False
        self.cluster.run(30)
        self.assertEqual((self.one.take(), self.two.take()), ([], []))

    def test_short_cut(self) -> None:
        """A leader that can't reach the store for a few seconds goes on."""
        self.cluster.run(1)
        self.one.client.is_cut = True
        self.cluster.run(6)
        self.one.client.is_cut = False
        self.cluster.run(30)
        self.assertEqual((self.one.take(), self.two.take()), (["won"], []))

    def test_taken(self) -> None:
        """A leader whose lease somebody else has taken stops at once."""
        self.cluster.run(1)
        self.merge(LEASE, {"spec": {"holderIdentity": "two"}})
        self.cluster.run(4)
        self.assertEqual((self.one.take(), self.two.take()), (["won", "lost"], ["won"]))


class ElectedTests(ClusterTestCase):
    """Controllers that are elected."""

    def setUp(self) -> None:
        super().setUp()
        self.did: list[str] = []
        self.elected = ElectedControllers(self.make, self.cluster.client, self.cluster.server.clock)

    def make(self) -> ElectedTests:
        self.did.append("made")
        return self

    def start(self) -> None:
        self.did.append("started")

    def stop(self) -> Deferred[None]:
        self.did.append("stopped")
        return succeed(None)

    def test_again(self) -> None:
        """They are made anew each time that the server is elected, and stopped when it is no longer."""
        self.elected.start()
        self.cluster.run(1)
        self.merge(LEASE, {"spec": {"holderIdentity": "other"}})
        self.cluster.run(3)
        self.assertEqual(self.did, ["made", "started", "stopped"])
        self.cluster.run(LEASE_DURATION + 3)
        self.cluster.result(self.elected.stop())
        self.assertEqual(self.did, ["made", "started", "stopped"] * 2)
