"""Tests for logs, streams and proxies: all that is known before a connection would be made."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.special.locations import is_allowed_address
from tests.controlplane.special.cluster import JANE, Answer, Cluster

NS = "/api/v1/namespaces/ns"
NODE = {"addresses": [{"type": "InternalIP", "address": "10.1.1.1"}, {"type": "Hostname", "address": "n"}]}


class ConnectionTestCase(SynchronousTestCase):
    """A cluster in which a pod ``p`` may be on a node ``n``."""

    def setUp(self) -> None:
        self.cluster = Cluster()

    def node(self, **status: Any) -> None:
        made = self.cluster.make("/api/v1/nodes", "n")
        answer = self.cluster.ask("PUT", "/api/v1/nodes/n/status", {**made, "status": status})
        self.assertEqual(answer.code, 200)

    def ask(self, path: str, method: str = "GET") -> Answer:
        return self.cluster.ask(method, f"{NS}/{path}")


class LogTests(ConnectionTestCase):
    """GET of ``pods/log``."""

    def test_no_node(self) -> None:
        """A pod without a node has no output: 204."""
        self.cluster.make_pod("p")
        answer = self.ask("pods/p/log")
        self.assertEqual((answer.code, answer.body), (204, None))

    def test_container(self) -> None:
        """With several containers one must be named: 400 with the choice; an unknown one is 400."""
        containers = [{"name": "a", "image": "i"}, {"name": "b", "image": "i"}]
        self.cluster.make_pod("p", containers=containers, initContainers=[{"name": "i", "image": "i"}])
        self.assertIn("choose one of: [i a b]", self.ask("pods/p/log").message)
        self.assertEqual(self.ask("pods/p/log?container=i").code, 204)
        self.assertEqual(self.ask("pods/p/log?container=x").message, "container x is not valid for pod p")

    def test_options(self) -> None:
        """Numbers have limits, and there is one start only: 422; a text that is no number or time is 400."""
        self.cluster.make_pod("p")
        for query, code in (("tailLines=-1", 422), ("limitBytes=0", 422), ("sinceSeconds=0", 422),
                            ("sinceSeconds=5&sinceTime=2026-01-01T00:00:00Z", 422), ("stream=Stdout", 422),
                            ("tailLines=x", 400), ("sinceTime=x", 400), ("tailLines=0&follow=true", 204)):
            self.assertEqual(self.ask(f"pods/p/log?{query}").code, code, query)

    def test_kubelet_is_not_asked(self) -> None:
        """501 says that the kubelet would have to be asked; 404 when its node is not there."""
        self.cluster.make_pod("p", nodeName="n")
        self.assertEqual(self.ask("pods/p/log").body["details"], {"name": "n", "kind": "nodes"})
        self.node(**NODE)
        answer = self.ask("pods/p/log")
        self.assertEqual((answer.code, answer.body["reason"]), (501, "NotImplemented"))
        self.assertIn('the kubelet of node "n"', answer.message)


class StreamTests(ConnectionTestCase):
    """``pods/exec``, ``pods/attach`` and ``pods/portforward``."""

    def test_no_node(self) -> None:
        """400."""
        self.cluster.make_pod("p")
        for subresource in ("exec?command=a&command=b", "attach", "portforward"):
            answer = self.ask(f"pods/p/{subresource}", "POST")
            self.assertEqual((answer.code, answer.message), (400, "pod p does not have a host assigned"))

    def test_missing_pod(self) -> None:
        """404."""
        self.assertEqual(self.ask("pods/p/exec").code, 404)

    def test_kubelet_is_not_asked(self) -> None:
        """501 when all is well."""
        self.cluster.make_pod("p", nodeName="n")
        self.node(**NODE)
        for subresource in ("exec", "attach", "portforward"):
            self.assertEqual(self.ask(f"pods/p/{subresource}", "POST").code, 501)

    def test_node_without_address(self) -> None:
        """500, as the original answers."""
        self.cluster.make_pod("p", nodeName="n")
        self.node()
        self.assertIn("known addresses: []", self.ask("pods/p/exec", "POST").message)

    def test_methods_and_paths(self) -> None:
        """GET and POST only, and nothing behind the subresource."""
        self.assertEqual(self.ask("pods/p/exec", "PUT").code, 405)
        self.assertEqual(self.ask("pods/p/exec/x", "POST").code, 404)

    def test_get_needs_the_right_to_create(self) -> None:
        """A stream that is opened with GET is a creation all the same: 403."""
        self.cluster.make_pod("p")
        answer = self.cluster.ask("GET", f"{NS}/pods/p/exec", user=JANE)
        self.assertEqual((answer.code, answer.body["details"]["name"]), (403, "p"))


class PortTests(ConnectionTestCase):
    """The ports of ``pods/portforward``."""

    def test_wrong_ports(self) -> None:
        """Each is a number of 16 bits; several may be in one value."""
        self.cluster.make_pod("p")
        for ports, problem in (("x", 'parsing "x": invalid syntax'), ("80,", 'parsing "": invalid syntax'),
                               ("65536", 'parsing "65536": value out of range')):
            answer = self.ask(f"pods/p/portforward?ports=1&ports={ports}", "POST")
            self.assertEqual((answer.code, answer.body["message"]),
                             (400, "cannot convert to []int32: strconv.ParseUint: " + problem))
        self.assertIn("does not have a host", self.ask("pods/p/portforward?ports=80,00081").body["message"])


class ProxyTests(ConnectionTestCase):
    """``pods/proxy``, ``services/proxy`` and ``nodes/proxy``."""

    def endpoints(self, address: dict[str, Any], port: str = "http") -> None:
        self.cluster.make(f"{NS}/endpoints", "s", subsets=[
            {"addresses": [address], "ports": [{"name": port, "port": 80}]}])

    def test_pod_address(self) -> None:
        """Only addresses in the cluster are gone to: 400 for a pod without one, or with a loopback one."""
        self.cluster.make_pod("p")
        self.assertEqual(self.ask("pods/p/proxy/").message, "address not allowed")
        self.cluster.make_pod("q", {"podIP": "127.0.0.1", "podIPs": [{"ip": "127.0.0.1"}]})
        self.assertEqual(self.ask("pods/q/proxy/").message, "address not allowed")
        self.cluster.make_pod("r", {"podIP": "10.0.0.9", "podIPs": [{"ip": "10.0.0.9"}]})
        for name in ("r", "r:8080", "https:r:443"):
            self.assertEqual(self.ask(f"pods/{name}/proxy/a/b", "PATCH").code, 501)

    def test_names(self) -> None:
        """``scheme:name:port``; another scheme or more parts are 400."""
        for name in ("ftp:p:80", "a:b:c:d", ":80"):
            for resource in ("pods", "services"):
                self.assertEqual(self.ask(f"{resource}/{name}/proxy/").code, 400, name)

    def test_service_without_endpoints(self) -> None:
        """404 without Endpoints, 503 when they have no address."""
        self.cluster.make(f"{NS}/services", "s", spec={"clusterIP": "None", "ports": [{"name": "http", "port": 80}]})
        self.assertEqual(self.ask("services/s/proxy/").body["details"], {"name": "s", "kind": "services"})
        self.cluster.make(f"{NS}/endpoints", "s")
        self.assertEqual(self.ask("services/s/proxy/").code, 503)

    def test_service_port(self) -> None:
        """A number is looked up in the service; an unknown one is 503."""
        self.cluster.make(f"{NS}/services", "s", spec={"clusterIP": "None", "ports": [{"name": "http", "port": 80}]})
        self.cluster.make_pod("p", {"podIP": "10.0.0.9", "podIPs": [{"ip": "10.0.0.9"}]})
        self.endpoints({"ip": "10.0.0.9", "targetRef": {"kind": "Pod", "namespace": "ns", "name": "p"}})
        self.assertEqual(self.ask("services/s:80/proxy/").code, 501)
        self.assertEqual(self.ask("services/s:http/proxy/").code, 501)
        self.assertIn("no service port 81 found", self.ask("services/s:81/proxy/").message)
        self.assertEqual(self.ask("services/s:other/proxy/").code, 503)

    def test_service_of_foreign_address(self) -> None:
        """An address that no pod of the namespace has is not gone to: 503."""
        self.cluster.make(f"{NS}/services", "s", spec={"clusterIP": "None", "ports": [{"port": 80}]})
        self.endpoints({"ip": "10.0.0.9", "targetRef": {"kind": "Pod", "namespace": "ns", "name": "p"}})
        self.assertEqual(self.ask("services/s:http/proxy/").code, 503)

    def test_node(self) -> None:
        """404, 400 for an address that is not allowed and for a host that is not known, else 501."""
        self.assertEqual(self.cluster.get("/api/v1/nodes/n/proxy/healthz").code, 404)
        self.node(addresses=[{"type": "InternalIP", "address": "127.0.0.1"}])
        self.assertEqual(self.cluster.get("/api/v1/nodes/n/proxy/").code, 400)
        self.cluster.ask("DELETE", "/api/v1/nodes/n")
        self.node(addresses=[{"type": "Hostname", "address": "unknown"}])
        answer = self.cluster.get("/api/v1/nodes/n/proxy/")
        self.assertEqual((answer.code, answer.message), (400, "lookup unknown: no such host"))
        self.cluster.ask("DELETE", "/api/v1/nodes/n")
        self.node(**NODE)
        self.assertEqual(self.cluster.get("/api/v1/nodes/n/proxy/").code, 501)

    def test_allowed_addresses(self) -> None:
        """No loopback, link-local, multicast, unspecified or broadcast address, and no text that is none."""
        for address in ("", "x", "127.0.0.1", "169.254.1.1", "224.0.0.1", "0.0.0.0", "255.255.255.255", "::1",
                        "fe80::1"):
            self.assertFalse(is_allowed_address(address), address)
        for address in ("10.0.0.1", "192.0.2.1", "2001:db8::1"):
            self.assertTrue(is_allowed_address(address), address)
