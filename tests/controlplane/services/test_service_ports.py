"""Node ports of Services: given, asked for, kept, released."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import StatusError
from tests.controlplane.services.case import SERVICES, ServiceCase

LOCAL = {"type": "LoadBalancer", "externalTrafficPolicy": "Local"}


def ports_of(spec: dict[str, Any]) -> list[int]:
    """The node ports of a Service, port by port; 0 for none."""
    return [port.get("nodePort", 0) for port in spec["ports"]]


class NodePortTests(ServiceCase):
    """The usual range of ports."""

    def test_given(self) -> None:
        """NodePort and LoadBalancer Services get a port for each of theirs, of the upper part of the range."""
        ports = ports_of(self.service("a", {"name": "x", "port": 80}, {"name": "y", "port": 81}, type="NodePort"))
        ports += ports_of(self.service("b", type="LoadBalancer"))
        self.assertEqual(self.used_ports(), sorted(set(ports)))
        self.assertEqual(len(set(ports)), 3)
        self.assertTrue(all(30086 <= port <= 32767 for port in ports), ports)

    def test_written_together(self) -> None:
        """The Service and the ports in use have the same revision."""
        answer = self.ask("POST", SERVICES, {"metadata": {"name": "a"}, "spec": {
            "type": "NodePort", "ports": [{"port": 80}]}})
        self.assertEqual(self.node_ports.revision, int(answer["metadata"]["resourceVersion"]))

    def test_shared_between_protocols(self) -> None:
        """Ports of one number share a node port, the one asked for if any is."""
        both = [{"name": "t", "port": 53}, {"name": "u", "port": 53, "protocol": "UDP"}]
        first, second = ports_of(self.service("a", *both, type="NodePort"))
        self.assertEqual(first, second)
        asked = [both[0], {**both[1], "nodePort": 30053}]
        self.assertEqual(ports_of(self.service("b", *asked, type="NodePort")), [30053, 30053])

    def test_asked_for(self) -> None:
        """A port of the range is given to who asks first, once."""
        self.service("a", {"port": 80, "nodePort": 30007}, type="NodePort")
        for port, why in ((30007, "provided port is already allocated"),
                          (8080, "provided port is not in the valid range. The range of valid ports is 30000-32767")):
            error = self.no_service("b", {"port": 80, "nodePort": port}, type="NodePort")
            self.assertEqual((error.code, error.message), (
                422, f'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: {port}: {why}'))
        self.no_service("b", {"name": "x", "port": 80, "nodePort": 30008}, {"name": "y", "port": 81, "nodePort": 30008},
                        type="NodePort")
        self.assertEqual(self.used_ports(), [30007])

    def test_switched_off(self) -> None:
        """A load balancer may do without; a port asked for is given still."""
        spec = self.service("a", {"name": "x", "port": 80}, {"name": "y", "port": 81, "nodePort": 30008},
                            type="LoadBalancer", allocateLoadBalancerNodePorts=False)
        self.assertEqual(ports_of(spec), [0, 30008])

    def test_changed(self) -> None:
        """A port that is no longer asked for is released in the same write."""
        self.service("a", {"port": 80, "nodePort": 30007}, type="NodePort")
        self.change("a", ports=[{"port": 80, "nodePort": 30009}])
        self.assertEqual(self.used_ports(), [30009])
        self.service("b", {"port": 80, "nodePort": 30007}, type="NodePort")
        self.assertEqual(self.no_change("a", ports=[{"port": 80, "nodePort": 30007}]).code, 422)
        self.assertEqual(self.used_ports(), [30007, 30009])

    def test_kept(self) -> None:
        """A replacement without it keeps the port, a new port gets one."""
        self.service("a", {"name": "x", "port": 80, "nodePort": 30007}, type="NodePort")
        spec = self.ask("PUT", f"{SERVICES}/a", {"metadata": {"name": "a"}, "spec": {
            "type": "NodePort", "ports": [{"name": "x", "port": 80}, {"name": "y", "port": 81}]}})["spec"]
        self.assertEqual(ports_of(spec)[0], 30007)
        self.assertEqual(self.used_ports(), sorted(ports_of(spec)))

    def test_released_by_type(self) -> None:
        """A Service that is no longer reached at nodes gives its ports back."""
        self.service("a", type="NodePort")
        self.assertEqual(ports_of(self.change("a", type="ClusterIP")), [0])
        self.assertEqual(self.used_ports(), [])
        self.change("a", type="LoadBalancer")
        self.assertEqual(len(self.used_ports()), 1)
        self.change("a", type="ExternalName", externalName="x.example")
        self.assertEqual(self.used_ports(), [])

    def test_released_by_deletion(self) -> None:
        """All of them, that of the health check as well."""
        self.service("a", {"port": 80}, **LOCAL)
        self.assertEqual(len(self.used_ports()), 2)
        self.delete("a")
        self.assertEqual(self.used_ports(), [])

    def test_health_check(self) -> None:
        """A load balancer with a local policy has one more port, which goes with the policy."""
        spec = self.service("a", {"port": 80, "nodePort": 30007}, healthCheckNodePort=30021, **LOCAL)
        self.assertEqual((spec["healthCheckNodePort"], self.used_ports()), (30021, [30007, 30021]))
        error = self.no_service("b", {"port": 80}, healthCheckNodePort=30021, **LOCAL)
        self.assertEqual((error.code, error.message), (
            500, "Internal error occurred: failed to allocate requested HealthCheck NodePort 30021: "
                 "provided port is already allocated"))
        self.assertNotIn("healthCheckNodePort", self.change("a", externalTrafficPolicy="Cluster"))
        self.assertEqual(self.used_ports(), [30007])
        self.change("a", externalTrafficPolicy="Local")
        self.assertEqual(len(self.used_ports()), 2)

    def test_load_balancer_without_ports(self) -> None:
        """A write without node ports keeps none for a load balancer that doesn't ask for them."""
        self.service("a", {"port": 80, "nodePort": 30007}, type="LoadBalancer", allocateLoadBalancerNodePorts=False)
        self.ask("PUT", f"{SERVICES}/a", {"metadata": {"name": "a"}, "spec": {
            "type": "LoadBalancer", "allocateLoadBalancerNodePorts": False, "ports": [{"port": 80}]}})
        self.assertEqual(self.used_ports(), [])

    def test_dry_run(self) -> None:
        """Shows ports, and takes none."""
        self.assertNotEqual(ports_of(self.service("a", query="?dryRun=All", type="NodePort")), [0])
        self.assertEqual(self.used_ports(), [])

    def test_nothing_else_is_written(self) -> None:
        """A change that leaves the ports as they are leaves their object alone."""
        self.service("a", type="NodePort")
        before = self.node_ports.revision
        self.change("a", sessionAffinity="ClientIP")
        self.assertEqual(self.node_ports.revision, before)

    def test_same_port_twice(self) -> None:
        """A change to one port twice for a protocol is 500, as the original answers."""
        self.service("a", {"name": "x", "port": 80, "nodePort": 30007}, type="NodePort")
        error = self.no_change("a", ports=[{"name": "x", "port": 80, "nodePort": 30007},
                                           {"name": "y", "port": 81, "nodePort": 30007}])
        self.assertEqual((error.code, error.message), (500, "duplicate nodePort: {TCP 30007}"))

    def test_dry_run_guesses(self) -> None:
        """Ports are counted up from a fixed one, the range is not looked at; none is taken."""
        self.service("a", {"port": 80, "nodePort": 30007}, type="NodePort")
        two = [{"name": "x", "port": 80}, {"name": "y", "port": 81}]
        self.assertEqual(ports_of(self.service("b", *two, type="NodePort", query="?dryRun=All")), [32769, 32770])
        self.assertEqual(ports_of(self.service("b", {"port": 80, "nodePort": 7}, type="NodePort",
                                               query="?dryRun=All")), [7])
        error = self.assertRaises(StatusError, self.service, "b", {"port": 80, "nodePort": 30007}, type="NodePort",
                                  query="?dryRun=All")
        self.assertIn("provided port is already allocated", error.message)
        self.assertEqual(self.used_ports(), [30007])


class FullRangeTests(ServiceCase):
    """A range of three ports."""

    overrides = {"services.nodePortRange": "31000-31002"}

    def test_exhausted(self) -> None:
        """The next port is 500; nothing of the refused Service stays."""
        self.service("a", {"name": "x", "port": 80}, {"name": "y", "port": 81}, type="NodePort")
        error = self.no_service("b", {"name": "x", "port": 80}, {"name": "y", "port": 81}, type="NodePort")
        self.assertEqual((error.code, error.message), (
            500, "Internal error occurred: failed to allocate a nodePort: range is full"))
        self.assertEqual((len(self.used_ports()), set(self.addresses().values())), (2, {"a"}))
        self.service("b", type="NodePort")
        self.delete("a")
        self.service("c", type="NodePort")
        self.assertEqual(len(self.used_ports()), 2)
