"""Services and endpoints."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.core import endpoints, service
from tests.registry.resources import CONTEXT, StrategyTestCase

PORTS: list[dict[str, Any]] = [{"port": 80}]


class ServiceTests(StrategyTestCase):
    api = "v1/Service"
    strategy = service.STRATEGY

    def test_defaults(self) -> None:
        """A service is internal, without affinity, of TCP ports that lead to the same ports."""
        self.assertEqual(self.defaulted(spec={"ports": PORTS})["spec"], {
            "ports": [{"protocol": "TCP", "port": 80, "targetPort": 80}], "sessionAffinity": "None",
            "type": "ClusterIP", "internalTrafficPolicy": "Cluster"})

    def test_external_defaults(self) -> None:
        """Load balancers serve the whole cluster and have node ports."""
        spec = self.defaulted(spec={"ports": PORTS, "type": "LoadBalancer"})["spec"]
        self.assertEqual((spec["externalTrafficPolicy"], spec["allocateLoadBalancerNodePorts"]),
                         ("Cluster", True))

    def test_affinity_defaults(self) -> None:
        """Affinity to clients lasts three hours."""
        spec = self.defaulted(spec={"ports": PORTS, "sessionAffinity": "ClientIP"})["spec"]
        self.assertEqual(spec["sessionAffinityConfig"], {"clientIP": {"timeoutSeconds": 10800}})

    def test_ports(self) -> None:
        """A service has ports unless headless; several need different names."""
        self.assertEqual(self.errors(spec={}), ["spec.ports: Required value"])
        self.assertEqual(self.errors(spec={"clusterIP": "None", "clusterIPs": ["None"]}), [])
        errors = self.errors(spec={"ports": [{"port": 80}, {"port": 81}]})
        self.assertEqual(errors, ["spec.ports[0].name: Required value", "spec.ports[1].name: Required value"])
        errors = self.errors(spec={"ports": [{"port": 0}]})
        self.assertIn("spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive", errors)

    def test_external_name(self) -> None:
        """A service that is another name needs the name and no addresses."""
        self.assertEqual(self.errors(spec={"type": "ExternalName"}), ["spec.externalName: Required value"])
        self.assertEqual(self.errors(spec={"type": "ExternalName", "externalName": "a.example.com"}), [])
        self.assertEqual(self.errors(spec={"type": "ExternalName", "externalName": "a", "ipFamilyPolicy": ""}),
                         ["spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services"])
        named = self.created(spec={"type": "ExternalName", "externalName": "a", "internalTrafficPolicy": "Local"})
        self.strategy.canonicalize(named)
        self.assertNotIn("internalTrafficPolicy", named["spec"])

    def test_type(self) -> None:
        """Types are an enumeration."""
        self.assertIn('spec.type: Unsupported value: "Odd": supported values: "ClusterIP", "ExternalName", '
                      '"LoadBalancer", "NodePort"', self.errors(spec={"ports": PORTS, "type": "Odd"}))

    def test_cluster_ip_is_fixed(self) -> None:
        """An address once given stays; a write without it keeps it."""
        fixed = {"clusterIP": "10.0.0.5", "clusterIPs": ["10.0.0.5"], "ipFamilies": ["IPv4"],
                 "ipFamilyPolicy": "SingleStack"}
        old = self.created(spec={"ports": PORTS} | fixed)
        self.assertEqual(self.updated(old, spec={"ports": PORTS})["spec"]["clusterIP"], "10.0.0.5")
        errors = self.update_errors(old, spec={"ports": PORTS, "clusterIP": "10.0.0.6"} |
                                    {"ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack"})
        self.assertEqual(errors, ['spec.clusterIPs[0]: Invalid value: ["10.0.0.6"]: may not change once set'])

    def test_node_ports_are_kept(self) -> None:
        """A write without node ports keeps those that ports had; a change of type drops them."""
        old = self.created(spec={"type": "NodePort", "ports": [{"port": 80, "nodePort": 30080}]})
        kept = self.updated(old, spec={"type": "NodePort", "ports": PORTS})
        self.assertEqual(kept["spec"]["ports"][0]["nodePort"], 30080)
        dropped = self.updated(old, spec={"type": "ClusterIP", "ports": [{"port": 80, "nodePort": 30080}]})
        self.assertNotIn("nodePort", dropped["spec"]["ports"][0])

    def test_selection(self) -> None:
        """Services are selected by cluster IP and type."""
        fields = self.strategy.selectable_fields(self.created(spec={"ports": PORTS}))
        self.assertEqual(fields, {"spec.clusterIP": "", "spec.type": "ClusterIP"})
        self.assertTrue(self.strategy.returns_deleted_object)

    def test_status(self) -> None:
        """The status endpoint changes the load balancer's addresses, which have to be addresses."""
        old = self.created(spec={"ports": PORTS, "type": "LoadBalancer"})
        status = {"loadBalancer": {"ingress": [{"ip": "1.2.3.4"}]}}
        self.assertEqual(self.update_errors(old, service.STATUS, spec=old["spec"], status=status), [])
        status = {"loadBalancer": {"ingress": [{"ip": "nowhere"}]}}
        self.assertTrue(self.update_errors(old, service.STATUS, spec=old["spec"], status=status))


class EndpointsTests(StrategyTestCase):
    api = "v1/Endpoints"
    strategy = endpoints.STRATEGY

    def test_defaults(self) -> None:
        """Ports are TCP."""
        made = self.defaulted(subsets=[{"addresses": [{"ip": "1.2.3.4"}], "ports": [{"port": 80}]}])
        self.assertEqual(made["subsets"][0]["ports"], [{"port": 80, "protocol": "TCP"}])

    def test_addresses(self) -> None:
        """Addresses are there, and can be reached."""
        errors = self.errors(subsets=[{"ports": [{"port": 80}]}])
        self.assertEqual(errors, ["subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`"])
        errors = self.errors(subsets=[{"addresses": [{"ip": "127.0.0.1"}]}])
        self.assertEqual(errors, ['subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the '
                                  "loopback range (127.0.0.0/8, ::1/128)"])

    def test_warnings(self) -> None:
        """Addresses in other than their usual form warn."""
        made = self.created(subsets=[{"addresses": [{"ip": "1.2.3.4"}, {"ip": "FD00::1"}]}])
        self.assertEqual(self.strategy.warnings_on_create(CONTEXT, made), [
            'subsets[0].addresses[1].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format '
            '("fd00::1")'])
