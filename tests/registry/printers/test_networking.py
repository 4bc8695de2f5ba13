"""What Tables say about the kinds of networking.k8s.io and discovery.k8s.io."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, cell, cells, named

GROUP = "networking.k8s.io"


def hosts(*names: str) -> Any:
    rules = [{"host": one} if one else {} for one in names]
    return cell(GROUP, "ingresses", "Hosts", named(spec={"rules": rules}))


class IngressTests(SynchronousTestCase):
    def test_full(self) -> None:
        """Class, hosts, the balancer's addresses sorted, and the ports that TLS opens."""
        obj = named("i", spec={"ingressClassName": "cls", "rules": [{"host": "a.example"}], "tls": [{}]},
                    status={"loadBalancer": {"ingress": [{"hostname": "h.example"}, {"ip": "192.0.2.44"}]}})
        self.assertEqual(cells(GROUP, "ingresses", obj),
                         ["i", "cls", "a.example", "192.0.2.44,h.example", "80, 443", AGE])

    def test_bare(self) -> None:
        """Nothing set: every host, without TLS."""
        self.assertEqual(cells(GROUP, "ingresses", named("i")), ["i", "<none>", "*", "", "80", AGE])

    def test_hosts(self) -> None:
        """Three hosts are shown; the others are counted in rules."""
        self.assertEqual(hosts("a", "b", "c"), "a,b,c")
        self.assertEqual(hosts("a", "b", "c", "d", "e"), "a,b,c + 2 more...")
        self.assertEqual(hosts("", "a", "", "b"), "a,b")
        self.assertEqual(hosts("a", "", "b", "c", ""), "a,b,c + 2 more...")
        self.assertEqual(hosts("", ""), "*")


class IngressClassTests(SynchronousTestCase):
    def test_parameters(self) -> None:
        """Parameters are named by kind, group if any, and name."""
        parameters = {"apiGroup": "k8s.example.com", "kind": "P", "name": "x"}
        obj = named("cls", spec={"controller": "example.com/ctl", "parameters": parameters})
        self.assertEqual(cells(GROUP, "ingressclasses", obj),
                         ["cls", "example.com/ctl", "P.k8s.example.com/x", AGE])
        del parameters["apiGroup"]
        self.assertEqual(cell(GROUP, "ingressclasses", "Parameters", obj), "P/x")

    def test_default(self) -> None:
        """The default class is marked."""
        annotations = {"ingressclass.kubernetes.io/is-default-class": "true"}
        self.assertEqual(cells(GROUP, "ingressclasses", named("cls", metadata={"annotations": annotations})),
                         ["cls (default)", "", "<none>", AGE])
        annotations["ingressclass.kubernetes.io/is-default-class"] = "yes"
        other = named("b", metadata={"annotations": annotations})
        self.assertEqual(cell(GROUP, "ingressclasses", "Name", other), "b")


class NetworkTests(SynchronousTestCase):
    def test_network_policy(self) -> None:
        """A policy shows which pods it selects."""
        obj = named("p", spec={"podSelector": {"matchLabels": {"app": "db"}}})
        self.assertEqual(cells(GROUP, "networkpolicies", obj), ["p", "app=db", AGE])
        self.assertEqual(cells(GROUP, "networkpolicies", named("p", spec={"podSelector": {}})),
                         ["p", "<none>", AGE])

    def test_service_cidr(self) -> None:
        """Both ranges of a dual-stack CIDR."""
        obj = named("k", spec={"cidrs": ["10.0.0.0/24", "fd00::/112"]})
        self.assertEqual(cells(GROUP, "servicecidrs", obj),
                         ["k", "10.0.0.0/24,fd00::/112", AGE])

    def test_ip_address(self) -> None:
        """An address shows its parent, and has an age that no column announces."""
        for parent, shown in (
            ({"resource": "services", "namespace": "ns", "name": "pick"}, "services/ns/pick"),
            ({"group": "example.com", "resource": "Things", "name": "x"}, "things.example.com/x"),
        ):
            self.assertEqual(cells(GROUP, "ipaddresses", named("10.0.0.11", spec={"parentRef": parent})),
                             ["10.0.0.11", shown, AGE])
        self.assertEqual(cells(GROUP, "ipaddresses", named("10.0.0.11")), ["10.0.0.11", "<none>", AGE])


class EndpointSliceTests(SynchronousTestCase):
    def test_ports_and_addresses(self) -> None:
        """Ports by number, else by name, else any; three of each are shown."""
        obj = named("s", addressType="IPv4",
                    ports=[{"port": 80, "name": "http"}, {"name": "dns"}, {}, {"port": 1}],
                    endpoints=[{"addresses": ["10.1.0.2", "10.1.0.3"]},
                               {"addresses": ["10.1.0.4", "10.1.0.5"]}])
        self.assertEqual(cells("discovery.k8s.io", "endpointslices", obj),
                         ["s", "IPv4", "80,dns,* + 1 more...", "10.1.0.2,10.1.0.3,10.1.0.4 + 1 more...", AGE])

    def test_empty(self) -> None:
        """A slice whose lists are null."""
        obj = named("s", addressType="IPv6", ports=None, endpoints=None)
        self.assertEqual(cells("discovery.k8s.io", "endpointslices", obj),
                         ["s", "IPv6", "<unset>", "<unset>", AGE])
