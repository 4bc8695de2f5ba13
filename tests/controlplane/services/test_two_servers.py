"""Two servers on one store, each of which learns late what the other one does."""

from __future__ import annotations

from typing import Any

import orjson
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.config.services import ServiceSettings
from kube_twisted.controlplane.services.node_port_range import KEY, NodePortRange
from kube_twisted.controlplane.services.service_store import ServiceStore
from kube_twisted.controlplane.stores import Stores
from kube_twisted.registry.core.service import STRATEGY
from kube_twisted.registry.strategy import Obj, WriteContext
from kube_twisted.registry.write import Write, accept_create, accept_update
from kube_twisted.storage.interfaces import Create
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from tests.controlplane.services.lagging import LaggingStore
from tests.schema.shared_schema import shared_schema

_NOW = "2026-01-01T00:00:00Z"


def cidr(network: str) -> bytes:
    return orjson.dumps({
        "kind": "ServiceCIDR", "apiVersion": "networking.k8s.io/v1", "metadata": {"name": "kubernetes"},
        "spec": {"cidrs": [network]}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}})


class Server:
    """What a server has of the store."""

    def __init__(self, storage: LaggingStore, clock: Clock, settings: ServiceSettings) -> None:
        self.storage = storage
        self.stores = Stores(storage, shared_schema(), clock, 3600, settings)
        self.services: ServiceStore = self.stores.services

    async def create(self, name: str, **spec: Any) -> Obj:
        obj = {"kind": "Service", "apiVersion": "v1", "metadata": {"name": name},
               "spec": {"ports": [{"port": 80}], **spec}}
        STRATEGY.default(obj)
        item = await self.services.create(Write(WriteContext(_NOW, "ns")), obj, accept_create)
        return dict(item.parse()["spec"])

    async def change(self, name: str, **spec: Any) -> Obj:
        async def changed(old: Obj | None) -> Obj:
            assert old is not None
            new: Obj = orjson.loads(orjson.dumps(old))
            new["spec"].update(orjson.loads(orjson.dumps(spec)))
            STRATEGY.default(new)
            return new

        item, _ = await self.services.update(Write(WriteContext(_NOW, "ns")), name, changed, accept_create,
                                             accept_update)
        return dict(item.parse()["spec"])


class TwoServersTests(SynchronousTestCase):
    """A range of five addresses, besides the reserved one, and one of four ports."""

    def setUp(self) -> None:
        clock = Clock(FakeReactor())
        self.store = MemoryStore(clock)
        settings = ServiceSettings(cluster_ip_range="10.1.0.0/29", node_port_range=(31000, 31003))
        self.result(self.store.start())
        self.result(self.store.transact([
            Create("/registry/servicecidrs/kubernetes", cidr("10.1.0.0/29")),
            Create(KEY, NodePortRange(31000, 31003).encode(0))]))
        self.one, self.two = (Server(LaggingStore(self.store), clock, settings) for _ in range(2))
        for server in (self.one, self.two):
            self.result(server.stores.start())
            self.addCleanup(server.stores.stop)

    def result(self, work: Any) -> Any:
        deferred: Deferred[Any] = to_deferred(work)
        return self.successResultOf(deferred)

    def refusal(self, work: Any) -> StatusError:
        error: StatusError = self.failureResultOf(to_deferred(work), StatusError).value
        return error

    def test_same_address_asked_for(self) -> None:
        """The second server sees the address as free, writes, fails, and says so."""
        self.result(self.one.create("a", clusterIP="10.1.0.3"))
        self.assertIn("already allocated", self.refusal(self.two.create("b", clusterIP="10.1.0.3")).message)
        self.assertEqual(len(self.two.storage.transactions), 1)

    def test_same_address_chosen(self) -> None:
        """Servers that choose among the last addresses choose again until they differ, or until there are none."""
        taken = []
        for number in range(5):
            server = (self.one, self.two)[number % 2]
            taken.append(self.result(server.create(f"s{number}"))["clusterIP"])
        self.assertEqual(sorted(taken), [f"10.1.0.{last}" for last in range(2, 7)])
        self.assertIn("range is full", self.refusal(self.two.create("more")).message)

    def test_same_name(self) -> None:
        """A name that the other server has given just now is a conflict; the address stays free."""
        self.result(self.one.create("a", clusterIP="10.1.0.2"))
        self.assertEqual(self.refusal(self.two.create("a", clusterIP="10.1.0.5")).reason, "AlreadyExists")
        self.result(self.two.create("b", clusterIP="10.1.0.5"))

    def test_same_port_asked_for(self) -> None:
        """The second server is refused."""
        ports = [{"port": 80, "nodePort": 31001}]
        self.result(self.one.create("a", type="NodePort", ports=ports))
        self.assertIn("already allocated", self.refusal(
            self.two.create("b", type="NodePort", ports=ports)).message)

    def test_other_ports(self) -> None:
        """A port of another server's Service is no obstacle, though all ports are in one object."""
        for number, server in enumerate((self.one, self.two, self.one, self.two)):
            self.result(server.create(f"s{number}", type="NodePort", ports=[
                {"port": 80, "nodePort": 31000 + number}]))
        self.assertIn("range is full", self.refusal(self.one.create("more", type="NodePort")).message)

    def test_same_port_chosen(self) -> None:
        """All ports are given, each once."""
        ports = [self.result((self.one, self.two)[number % 2].create(f"s{number}", type="NodePort"))
                 ["ports"][0]["nodePort"] for number in range(4)]
        self.assertEqual(sorted(ports), [31000, 31001, 31002, 31003])

    def test_change(self) -> None:
        """An update that needs a port chooses again when the other server was faster."""
        for name in "abc":
            self.result(self.one.create(name, type="NodePort"))
        self.result(self.one.create("d"))
        self.result(self.two.services.cache.read_revision())
        self.result(self.one.change("a", type="ClusterIP"))
        free = set(range(31000, 31004)) - {
            self.result(self.one.change(name, sessionAffinity="None"))["ports"][0]["nodePort"] for name in "bc"}
        first = self.result(self.two.change("d", type="NodePort"))["ports"][0]["nodePort"]
        second = self.result(self.one.change("a", type="NodePort"))["ports"][0]["nodePort"]
        self.assertEqual({first, second}, free)

    def test_many_at_once(self) -> None:
        """Writes that are under way together take different ports, one after the other."""
        begun = [to_deferred(self.one.create(f"s{number}", type="NodePort")) for number in range(4)]
        ports = [self.successResultOf(one)["ports"][0]["nodePort"] for one in begun]
        self.assertEqual(len(set(ports)), 4)

    def test_nothing_is_left(self) -> None:
        """After all that, what is in use is what Services have."""
        self.result(self.one.create("a", type="NodePort"))
        self.refusal(self.two.create("a", type="NodePort"))
        self.result(self.one.services.delete(Write(WriteContext(_NOW, "ns")), "a", accept_create))
        page = self.result(self.store.list_entries("/registry/"))
        self.assertEqual([entry.key for entry in page.entries], [KEY, "/registry/servicecidrs/kubernetes"])
        self.assertEqual(NodePortRange(31000, 31003).decode(page.entries[0].value), 0)
