"""Two whole servers on one store: what one of them gives away, the other one doesn't."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.config import load_config
from kube_twisted.controlplane import completed
from kube_twisted.controlplane.server import KapiServer
from kube_twisted.storage.backends import Backend
from kube_twisted.testing.cluster import InProcessCluster
from kube_twisted.util.deferreds import to_deferred
from tests.inprocess import NAMESPACE, keys_directory

_SERVICES = f"{NAMESPACE}/services"
_SETTINGS = {
    "storage.backend": "memory", "controllers": [],
    "server.bindAddress": "127.0.0.1", "services.clusterIPRange": "10.1.0.0/28",
    "services.nodePortRange": "31000-31005"}


class SecondServer(KapiServer):
    """Serves no sockets."""

    def _listen(self) -> None:
        self.url = "https://127.0.0.1:6444"


class OpenBackend(Backend):
    """The backend of another server, which opens and closes it."""

    def __init__(self, backend: Backend) -> None:
        self.store = backend.store

    async def start(self) -> None:
        """It is open."""

    async def stop(self) -> None:
        """It stays open."""

    def problem(self) -> str | None:
        return None


class SharedStoreTests(SynchronousTestCase):
    """13 addresses, besides that of the Service ``kubernetes``, and six node ports."""

    def setUp(self) -> None:
        self.cluster = InProcessCluster(_SETTINGS, keys_directory())
        self.cluster.start()
        self.addCleanup(self.cluster.stop)
        self.patch(completed, "open_backend", lambda *_: OpenBackend(self.cluster.server.backend))
        reactor = self.cluster.reactor
        other = SecondServer(completed.complete(load_config(None, {
            **_SETTINGS, "dataDirectory": str(keys_directory())}), reactor), reactor)
        self.cluster.result(other.start())
        self.addCleanup(lambda: self.cluster.result(other.stop()))
        self.clients = self.cluster.client, other.client.named("test")

    def create_many(self, number: int, **spec: Any) -> tuple[list[dict[str, Any]], list[str]]:
        """Ask both servers in turn, all at once. The Services that were made, and why others were not."""
        begun: list[Deferred[dict[str, Any]]] = [to_deferred(self.clients[index % 2].call("POST", _SERVICES, {
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": f"s{index}"},
            "spec": {"ports": [{"port": 80}], **spec}})) for index in range(number)]
        made, refused = [], []
        for one in begun:
            try:
                made.append(self.cluster.result(one))
            except StatusError as error:
                refused.append(error.message)
        return made, refused

    def test_addresses(self) -> None:
        """Both give all addresses of the range, each once, to those that ask at the same time."""
        made, refused = self.create_many(20)
        addresses = {one["spec"]["clusterIP"] for one in made}
        self.assertEqual(addresses, {f"10.1.0.{last}" for last in range(2, 15)})
        self.assertEqual((len(made), len(refused)), (13, 7))
        self.assertTrue(all("range is full" in message for message in refused), refused)

    def test_one_address(self) -> None:
        """Of all who ask for one address, one gets it."""
        made, refused = self.create_many(6, clusterIP="10.1.0.9")
        self.assertEqual(([one["spec"]["clusterIP"] for one in made], len(refused)), (["10.1.0.9"], 5))
        self.assertTrue(all("already allocated" in message for message in refused), refused)

    def test_node_ports(self) -> None:
        """So it is with node ports; what one server sets free, the other one gives."""
        made, refused = self.create_many(8, type="NodePort")
        self.assertEqual({one["spec"]["ports"][0]["nodePort"] for one in made}, set(range(31000, 31006)))
        self.assertEqual(len(refused), 2)
        one, other = self.clients
        self.cluster.result(one.call("DELETE", _SERVICES))
        again = self.cluster.result(other.call("POST", _SERVICES, {
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": "again"},
            "spec": {"type": "NodePort", "clusterIP": made[0]["spec"]["clusterIP"], "ports": [
                {"port": 80, "nodePort": made[0]["spec"]["ports"][0]["nodePort"]}]}}))
        self.assertEqual(again["spec"]["clusterIP"], made[0]["spec"]["clusterIP"])

    def test_quota(self) -> None:
        """Nor do both together let more through than a quota has room for."""
        one, _ = self.clients
        quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"},
                 "spec": {"hard": {"services": "5"}}}
        self.cluster.result(one.call("POST", f"{NAMESPACE}/resourcequotas", quota))
        status = {**quota, "status": {"hard": {"services": "5"}, "used": {"services": "1"}}}
        self.cluster.result(one.call("PUT", f"{NAMESPACE}/resourcequotas/q/status", status))
        made, refused = self.create_many(12)
        self.assertEqual((len(made), len(refused)), (4, 8))
        self.assertTrue(all("exceeded quota: q" in message for message in refused), refused)
