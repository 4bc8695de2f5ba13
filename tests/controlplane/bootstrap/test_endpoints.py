"""The Endpoints of the Service ``kubernetes``: the servers that are alive."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import succeed
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.config import load_config
from kube_twisted.controlplane.bootstrap.advertised_address import advertised_address
from kube_twisted.controlplane.bootstrap.endpoints import EndpointReconciler
from kube_twisted.controlplane.bootstrap.server_leases import ServerLeases
from kube_twisted.registry.strategy import Obj
from kube_twisted.storage.interfaces import PreconditionFailed
from kube_twisted.testing.cluster import InProcessCluster
from tests.inprocess import NAMESPACE, ClusterTestCase, keys_directory

_ENDPOINTS = f"{NAMESPACE}/endpoints/kubernetes"
_SLICE = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes"


def addresses(endpoints: Obj) -> list[str]:
    return [one["ip"] for subset in endpoints.get("subsets") or () for one in subset["addresses"]]


def slice_addresses(slice_: Obj) -> list[str]:
    return [one for endpoint in slice_["endpoints"] or () for one in endpoint["addresses"]]


class EndpointCase(ClusterTestCase):
    overrides = {"server.advertiseAddress": "192.0.2.10"}

    def later(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.cluster.run(0.2)

    def shown(self) -> list[str]:
        """The addresses of the Endpoints and of the slice, which are the same."""
        both = addresses(self.ask("GET", _ENDPOINTS)), slice_addresses(self.ask("GET", _SLICE))
        self.assertEqual(*both)
        return both[0]

    def leases(self) -> ServerLeases:
        return ServerLeases(self.cluster.server.backend.store)

    def other(self, address: str) -> EndpointReconciler:
        """Another server of the same store."""
        server = self.cluster.server
        return EndpointReconciler(server.client, server.stores, self.leases(), address)


class EndpointReconcilerTests(EndpointCase):
    """A server at 192.0.2.10."""

    def test_joined(self) -> None:
        """Once it is ready, the server is in both objects, which nobody mirrors."""
        self.cluster.run(0.2)
        self.assertEqual(self.shown(), ["192.0.2.10"])
        endpoints, slice_ = self.ask("GET", _ENDPOINTS), self.ask("GET", _SLICE)
        port = {"name": "https", "port": 6443, "protocol": "TCP"}
        self.assertEqual((endpoints["subsets"][0]["ports"], slice_["ports"]), ([port], [port]))
        self.assertEqual(endpoints["metadata"]["labels"], {"endpointslice.kubernetes.io/skip-mirror": "true"})
        self.assertEqual(slice_["metadata"]["labels"], {"kubernetes.io/service-name": "kubernetes"})
        self.assertEqual((slice_["addressType"], slice_["endpoints"][0]["conditions"]), ("IPv4", {"ready": True}))

    def test_several(self) -> None:
        """Servers find one another by their leases; one that dies is taken out when its lease has run out."""
        other = self.other("192.0.2.9")
        self.cluster.result(other.reconcile(6443))
        self.assertEqual(self.shown(), ["192.0.2.10", "192.0.2.9"])
        self.later(10)
        self.assertEqual(len(self.shown()), 2)
        self.later(10)
        self.assertEqual(self.shown(), ["192.0.2.10"])

    def test_leaving(self) -> None:
        """A server that ends takes itself out, and doesn't come back."""
        other = self.other("192.0.2.9")
        self.cluster.result(other.reconcile(6443))
        self.cluster.result(other.leave(6443))
        self.assertEqual(self.shown(), ["192.0.2.10"])
        self.cluster.result(other.reconcile(6443))
        self.assertEqual(self.shown(), ["192.0.2.10"])

    def test_kept(self) -> None:
        """What others make of the objects is put right, and what they delete comes back."""
        self.merge(_ENDPOINTS, {"subsets": [{"addresses": [{"ip": "192.0.2.77"}], "ports": [{"port": 1}]}]})
        self.merge(_SLICE, {"endpoints": [{"addresses": ["192.0.2.78"]}]})
        self.later(10)
        self.assertEqual(self.shown(), ["192.0.2.10"])
        self.ask("DELETE", _ENDPOINTS)
        self.ask("DELETE", _SLICE)
        self.later(10)
        self.assertEqual(self.shown(), ["192.0.2.10"])

    def test_nothing_to_do(self) -> None:
        """A round that finds all as it should be writes the lease alone."""
        self.cluster.run(0.2)
        before = self.revision()
        self.later(10)
        self.assertEqual(self.revision(), before + 1)

    def test_port(self) -> None:
        """The port is that of the server which came last; servers don't quarrel about it."""
        self.cluster.result(self.other("192.0.2.9").reconcile(7443))
        for _ in range(2):
            self.assertEqual([subset["ports"][0]["port"] for subset in self.ask("GET", _ENDPOINTS)["subsets"]], [7443])
            self.later(10)

    def test_other_family(self) -> None:
        """A slice has addresses of one family: it is made anew when that changes."""
        self.cluster.run(0.2)
        leases = self.leases()
        self.patch(leases, "addresses", lambda: succeed(["fd00::9"]))
        server = self.cluster.server
        six = EndpointReconciler(server.client, server.stores, leases, "fd00::9")
        self.cluster.result(six.reconcile(6443))
        self.assertEqual((self.ask("GET", _SLICE)["addressType"], self.shown()), ("IPv6", ["fd00::9"]))

    def test_no_leases(self) -> None:
        """If no lease is to be seen, not even the own one, nothing is taken out."""
        self.cluster.run(0.2)
        leases = self.leases()
        self.patch(leases, "addresses", lambda: succeed([]))
        server = self.cluster.server
        self.cluster.result(EndpointReconciler(server.client, server.stores, leases, "192.0.2.9").reconcile(6443))
        self.assertEqual(self.shown(), ["192.0.2.10"])


class ShutdownTests(SynchronousTestCase):
    def cluster(self, **overrides: Any) -> InProcessCluster:
        cluster = InProcessCluster(overrides, keys_directory())
        cluster.start()
        cluster.run(0.2)
        return cluster

    def test_before_the_listeners_close(self) -> None:
        """The last server of a store leaves the Endpoints empty while it still accepts requests."""
        cluster = self.cluster(**{"server.advertiseAddress": "192.0.2.10"})
        seen: list[Any] = []
        stores = cluster.server.stores

        def look() -> None:
            endpoints = stores.peek("", "endpoints", "default", "kubernetes")
            slice_ = stores.peek("discovery.k8s.io", "endpointslices", "default", "kubernetes")
            assert endpoints is not None and slice_ is not None
            seen.append((addresses(endpoints), slice_addresses(slice_)))

        cluster.server.signals.not_accepting_new_request.call(look)
        cluster.stop()
        self.assertEqual(seen, [([], [])])

    def test_store_that_hangs(self) -> None:
        """Leaving doesn't hold up the end for ever."""
        cluster = self.cluster(**{"server.advertiseAddress": "192.0.2.10"})

        class Hanging(ServerLeases):
            async def remove(self, address: str) -> None:
                await cluster.server.clock.sleep(1e6)

        self.patch(ServerLeases, "remove", Hanging.remove)
        start = cluster.clock.seconds()
        cluster.result(cluster.server.stop(), 100)
        self.assertEqual(round(cluster.clock.seconds() - start), 20)

    def test_switched_off(self) -> None:
        """Without reconciler, and where others can't reach the server, there are no Endpoints."""
        for overrides in ({"server.advertiseAddress": "192.0.2.10", "server.endpointReconciler": "none"},
                          {"server.bindAddress": "127.0.0.1"}):
            cluster = self.cluster(**overrides)
            self.assertIsNone(cluster.server.stores.peek("", "endpoints", "default", "kubernetes"))
            cluster.stop()


class ServerLeasesTests(EndpointCase):
    def test_time(self) -> None:
        """A lease lasts 15 seconds from its last renewal."""
        leases = self.leases()
        self.cluster.result(leases.renew("192.0.2.9"))
        self.clock.pump([10, 0])
        self.cluster.result(leases.renew("192.0.2.9"))
        self.clock.pump([10, 0.5])
        self.assertIn("192.0.2.9", self.cluster.result(leases.addresses()))
        self.clock.pump([6, 0.5])
        self.assertNotIn("192.0.2.9", self.cluster.result(leases.addresses()))

    def test_removal(self) -> None:
        """A lease can be given back, once or twice."""
        leases = self.leases()
        self.cluster.result(leases.renew("192.0.2.9"))
        for _ in range(2):
            self.cluster.result(leases.remove("192.0.2.9"))
        self.assertNotIn("192.0.2.9", self.cluster.result(leases.addresses()))

    def test_two_of_one_address(self) -> None:
        """A renewal that another one overtakes is tried again."""
        store = self.cluster.server.backend.store
        leases = self.leases()
        self.cluster.result(leases.renew("192.0.2.9"))
        get = store.get
        overtaken: list[str] = []

        def overtake(key: str, revision: int = 0) -> Any:
            found = get(key, revision)
            if not overtaken:
                overtaken.append(key)
                self.cluster.result(ServerLeases(store).renew("192.0.2.9"))
            return found

        self.patch(store, "get", overtake)
        self.cluster.result(leases.renew("192.0.2.9"))
        self.cluster.result(leases.remove("192.0.2.9"))
        self.assertEqual(self.flushLoggedErrors(PreconditionFailed), [])


class AdvertisedAddressTests(SynchronousTestCase):
    def address(self, version: int = 4, **settings: str) -> str | None:
        overrides = {f"server.{key}": value for key, value in settings.items()}
        overrides["services.clusterIPRange"] = {4: "10.0.0.0/24", 6: "fd00:10::/112"}[version]
        return advertised_address(load_config(None, overrides).server, version)

    def test_said(self) -> None:
        """The address of the settings, else the one it listens at."""
        self.assertEqual(self.address(advertiseAddress="192.0.2.1", bindAddress="192.0.2.2"), "192.0.2.1")
        self.assertEqual(self.address(bindAddress="192.0.2.2"), "192.0.2.2")
        self.assertEqual(self.address(advertiseAddress="::", bindAddress="192.0.2.2"), "192.0.2.2")
        self.assertEqual(self.address(6, bindAddress="fd00::2"), "fd00::2")

    def test_unreachable(self) -> None:
        """Nobody else reaches a loopback address."""
        for version, address in ((4, "127.0.0.1"), (6, "::1")):
            self.assertIsNone(self.address(version, bindAddress=address))
