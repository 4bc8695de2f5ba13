"""Repair of node ports, in a store that somebody has spoilt."""

from __future__ import annotations

from kube_twisted.controlplane.repair.node_ports import claimed_ports
from kube_twisted.controlplane.services.node_port_range import KEY, NodePortRange
from kube_twisted.registry.strategy import Obj
from kube_twisted.storage.interfaces import Update
from tests.controlplane.repair.test_cluster_ips import SpoiltCase

_SERVICE_KEY = "/registry/services/specs/default/"
RANGE = NodePortRange(30000, 32767)


class NodePortRepairTests(SpoiltCase):
    """A Service with the port 30007."""

    def setUp(self) -> None:
        super().setUp()
        self.service("a", {"port": 80, "nodePort": 30007}, type="NodePort")

    def store_bits(self, *ports: int) -> None:
        """Say that these are in use."""
        self.write(Update(KEY, RANGE.encode(sum(RANGE.bit(port) for port in ports)), self.node_ports.revision))

    def test_nothing_to_do(self) -> None:
        """A round over what is right writes nothing."""
        before = self.node_ports.revision
        self.round()
        self.assertEqual((self.node_ports.revision, self.events()), (before, []))

    def test_missing(self) -> None:
        """A port of a Service is in use again."""
        self.store_bits()
        self.round()
        self.assertEqual(self.used_ports(), [30007])
        self.assertEqual(self.events(), [("PortNotAllocated", "a", "Port 30007 is not allocated; repairing")])

    def test_leaked(self) -> None:
        """A port that no Service has is free again."""
        self.store_bits(30007, 30008)
        self.assertEqual(self.no_service("b", {"port": 80, "nodePort": 30008}, type="NodePort").code, 422)
        self.round()
        self.assertEqual((self.used_ports(), self.events()), ([30007], []))
        self.service("b", {"port": 80, "nodePort": 30008}, type="NodePort")

    def test_duplicate(self) -> None:
        """The second Service with a port is told."""
        def second(obj: Obj) -> None:
            obj["metadata"].update(name="twin", uid="4a0a4a9e-0000-4000-8000-000000000000")
            obj["spec"].update(clusterIP="None", clusterIPs=["None"])

        self.copy(_SERVICE_KEY + "a", _SERVICE_KEY + "twin", second)
        self.round()
        self.assertEqual((self.used_ports(), self.events()), ([30007], [
            ("PortAlreadyAllocated", "twin", "Port 30007 was assigned to multiple services; please recreate service")]))

    def test_out_of_range(self) -> None:
        """A port outside of the range is told, and is nobody's."""
        self.spoil(_SERVICE_KEY + "a", lambda obj: obj["spec"]["ports"][0].update(nodePort=80))
        self.round()
        self.assertEqual((self.used_ports(), self.events()), ([], [
            ("PortOutOfRange", "a", "Port 80 is not within the port range 30000-32767; please recreate service")]))
        self.delete("a")

    def test_lost(self) -> None:
        """Without the object no port is given; it is made again from the Services."""
        self.remove(KEY)
        error = self.no_service("b", {"port": 80, "nodePort": 30009}, type="NodePort")
        self.assertIn("cannot allocate resources of type servicenodeportallocations at this time", error.message)
        self.assertEqual(self.no_service("b", type="NodePort").code, 500)
        self.round()
        self.assertEqual(self.used_ports(), [30007])
        self.service("b", type="NodePort")

    def test_unreadable(self) -> None:
        """So it is when it is damaged, or about another range."""
        for value in (b"\xff\xff", b"{}", NodePortRange(30000, 30010).encode(1)):
            self.write(Update(KEY, value, self.node_ports.revision))
            self.assertIsNone(self.node_ports.bits)
            self.round()
            self.assertEqual(self.used_ports(), [30007])

    def test_release_without_object(self) -> None:
        """A Service can be deleted while the object is lost."""
        self.remove(KEY)
        self.delete("a")
        self.round()
        self.assertEqual(self.used_ports(), [])


class ClaimedPortsTests(SpoiltCase):
    def test_protocols(self) -> None:
        """A port that a Service has for two protocols is one, for one protocol it is there twice."""
        tcp, udp = {"nodePort": 30001, "protocol": "TCP"}, {"nodePort": 30001, "protocol": "UDP"}
        self.assertEqual(claimed_ports({"type": "NodePort", "ports": [tcp, udp]}), [30001])
        self.assertEqual(claimed_ports({"type": "NodePort", "ports": [tcp, tcp]}), [30001, 30001])

    def test_health_check(self) -> None:
        """The port of the health check counts where there is one; ports of other types don't."""
        local = {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 30002}
        self.assertEqual(claimed_ports({**local, "ports": [{"nodePort": 30001}]}), [30001, 30002])
        self.assertEqual(claimed_ports({**local, "externalTrafficPolicy": "Cluster"}), [])
        self.assertEqual(claimed_ports({"type": "ExternalName", "ports": [{"nodePort": 30001}]}), [])
