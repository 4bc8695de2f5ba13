"""What Tables say about Services and Endpoints."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, cell, cells, named


def service(kind: str, **fields: Any) -> dict[str, Any]:
    status = fields.pop("status", {})
    return named("s", spec={"type": kind, **fields}, status=status)


def external(obj: dict[str, Any]) -> Any:
    return cell("", "services", "External-IP", obj)


class ServiceTests(SynchronousTestCase):
    def test_cluster_ip(self) -> None:
        """The first cluster address, all ports with their protocols, and the selector."""
        obj = service("ClusterIP", clusterIPs=["10.0.0.9", "fd00::9"], selector={"b": "2", "a": "1"},
                      ports=[{"port": 80, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}])
        self.assertEqual(cells("", "services", obj),
                         ["s", "ClusterIP", "10.0.0.9", "<none>", "80/TCP,53/UDP", AGE, "a=1,b=2"])

    def test_headless(self) -> None:
        """A headless Service without ports and selector."""
        self.assertEqual(cells("", "services", service("ClusterIP", clusterIPs=["None"])),
                         ["s", "ClusterIP", "None", "<none>", "<none>", AGE, "<none>"])

    def test_node_port(self) -> None:
        """Node ports stand between port and protocol."""
        obj = service("NodePort", ports=[{"port": 80, "nodePort": 30369, "protocol": "TCP"}],
                      externalIPs=["192.0.2.7", "192.0.2.8"])
        self.assertEqual(cell("", "services", "Port(s)", obj), "80:30369/TCP")
        self.assertEqual(external(obj), "192.0.2.7,192.0.2.8")

    def test_load_balancer(self) -> None:
        """Balancer addresses are sorted, each once, before external ones; pending until there is one."""
        ingress = [{"ip": "192.0.2.51"}, {"hostname": "lb.example"}, {"ip": "192.0.2.50"},
                   {"ip": "192.0.2.51"}]
        status = {"loadBalancer": {"ingress": ingress}}
        self.assertEqual(external(service("LoadBalancer", status=status)), "192.0.2.50,192.0.2.51,lb.example")
        self.assertEqual(external(service("LoadBalancer", status=status, externalIPs=["1.2.3.4"])),
                         "192.0.2.50,192.0.2.51,lb.example,1.2.3.4")
        self.assertEqual(external(service("LoadBalancer")), "<pending>")

    def test_external_name(self) -> None:
        """A Service that is a name elsewhere has no cluster address."""
        self.assertEqual(cells("", "services", service("ExternalName", externalName="db.example.com")),
                         ["s", "ExternalName", "<none>", "db.example.com", "<none>", AGE, "<none>"])

    def test_without_type(self) -> None:
        """Of a Service without a type, as in a bookmark, nothing is known."""
        self.assertEqual(external({"metadata": {}}), "<unknown>")


class EndpointsTests(SynchronousTestCase):
    def endpoints(self, *subsets: dict[str, Any]) -> Any:
        return cell("", "endpoints", "Endpoints", named("e", subsets=list(subsets)))

    def test_ports_and_addresses(self) -> None:
        """Every address with every port, three of them, then how many more there are."""
        addresses = [{"ip": "10.1.0.2"}, {"ip": "10.1.0.1"}]
        self.assertEqual(self.endpoints({"addresses": addresses, "ports": [{"port": 80}, {"port": 53}]}),
                         "10.1.0.2:80,10.1.0.1:80,10.1.0.2:53 + 1 more...")

    def test_without_ports(self) -> None:
        """Bare addresses where a subset has no ports."""
        self.assertEqual(self.endpoints({"addresses": [{"ip": "10.1.0.2"}]}), "10.1.0.2")

    def test_ipv6(self) -> None:
        """IPv6 addresses stand in brackets before a port."""
        self.assertEqual(self.endpoints({"addresses": [{"ip": "fd00::1"}], "ports": [{"port": 80}]}),
                         "[fd00::1]:80")

    def test_none(self) -> None:
        """No subsets are none; subsets without ready addresses are nothing."""
        self.assertEqual(self.endpoints(), "<none>")
        self.assertEqual(self.endpoints({"notReadyAddresses": [{"ip": "10.1.0.2"}], "ports": [{"port": 80}]}),
                         "")
