"""A server with Services in it."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.services.node_ports import NodePorts
from tests.inprocess import NAMESPACE, ClusterTestCase

SERVICES = f"{NAMESPACE}/services"
ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses"
CIDRS = "/apis/networking.k8s.io/v1/servicecidrs"
PORT = {"port": 80}


class ServiceCase(ClusterTestCase):
    """The only Service at first is ``kubernetes``."""

    def service(self, name: str, /, *ports: dict[str, Any], query: str = "", **spec: Any) -> dict[str, Any]:
        """Create a Service, with port 80 if nothing else is said; gives its spec."""
        body = {"metadata": {"name": name}, "spec": {"ports": list(ports) or [PORT], **spec}}
        created: dict[str, Any] = self.ask("POST", SERVICES + query, body)["spec"]
        return created

    def no_service(self, name: str, /, *ports: dict[str, Any], **spec: Any) -> StatusError:
        """The error of creating a Service."""
        error: StatusError = self.assertRaises(StatusError, self.service, name, *ports, **spec)
        return error

    def change(self, name: str, /, **spec: Any) -> dict[str, Any]:
        """Patch a Service's spec; gives all of it."""
        changed: dict[str, Any] = self.merge(f"{SERVICES}/{name}", {"spec": spec})["spec"]
        return changed

    def no_change(self, name: str, /, **spec: Any) -> StatusError:
        """The error of patching a Service's spec."""
        error: StatusError = self.assertRaises(StatusError, self.change, name, **spec)
        return error

    def delete(self, name: str, query: str = "") -> None:
        self.ask("DELETE", f"{SERVICES}/{name}{query}")

    def addresses(self) -> dict[str, str]:
        """The Services by address, without ``kubernetes``."""
        found = {one["metadata"]["name"]: one["spec"]["parentRef"]["name"]
                 for one in self.ask("GET", ADDRESSES)["items"]}
        return {address: name for address, name in found.items() if name != "kubernetes"}

    @property
    def node_ports(self) -> NodePorts:
        return self.cluster.server.stores.services.parts.ports

    def used_ports(self) -> list[int]:
        """All node ports in use."""
        return self.node_ports.range.ports(self.node_ports.bits or 0)
