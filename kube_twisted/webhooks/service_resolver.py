"""Where a Service is reached: its ClusterIP and port, as ``ResolveCluster`` of k8s.io/apiserver finds them."""

from __future__ import annotations

from typing import Any, Protocol

from attrs import frozen

from kube_twisted.api.errors import StatusError, not_found, service_unavailable
from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupResource

_WITH_CLUSTER_IP = frozenset(("ClusterIP", "LoadBalancer", "NodePort"))


class ServiceReader(Protocol):
    """Reads Services."""

    def peek(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        """An object as shared data, None when it isn't there."""


class Unroutable(Exception):
    """The Service has no address; the text says why."""


@frozen
class ServiceAddress:
    """A port of a Service: called for the host and port to connect to, as they are then.

    :ivar port: one of the Service's ports.
    """

    services: ServiceReader
    namespace: str
    name: str
    port: int

    @property
    def hostname(self) -> str:
        """What the certificate of the server behind it must name."""
        return f"{self.name}.{self.namespace}.svc"

    def __call__(self) -> tuple[str, int]:
        """Host and port.

        :raises StatusError: when there is no such Service or port. :raises Unroutable: when it has no address.
        """
        service = self.services.peek("", "services", self.namespace, self.name)
        if service is None:
            raise not_found(GroupResource("", "service"), self.name)
        spec = service.get("spec", {})
        kind, cluster_ip = spec.get("type", ""), spec.get("clusterIP", "")
        if kind == "ExternalName":
            return spec.get("externalName", ""), self.port
        if kind not in _WITH_CLUSTER_IP:
            raise Unroutable(f"unsupported service type {go_quote(kind)}")
        if kind == "ClusterIP" and cluster_ip == "None":
            raise Unroutable('cannot route to service with ClusterIP "None"')
        if all(one.get("port") != self.port for one in spec.get("ports", [])):
            raise self._no_port()
        return cluster_ip, self.port

    def _no_port(self) -> StatusError:
        return service_unavailable(f"no service port {self.port} found for service {go_quote(self.name)}")
