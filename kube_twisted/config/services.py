"""Settings of Services and of service accounts."""

from __future__ import annotations

from ipaddress import ip_network

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.reading import setting


@frozen
class ServiceSettings:
    """The section ``services``."""

    cluster_ip_range: str = setting("clusterIPRange", "10.0.0.0/24", reading.network)
    """The range of cluster IPs."""

    node_port_range: tuple[int, int] = setting("nodePortRange", (30000, 32767), reading.port_range)
    """First and last node port."""

    @property
    def api_server_ip(self) -> str:
        """The cluster IP of the Service ``kubernetes``: the first of the range."""
        return str(ip_network(self.cluster_ip_range)[1])


@frozen
class ServiceAccountSettings:
    """The section ``serviceAccounts``."""

    issuer: str = setting("issuer", "https://kubernetes.default.svc", reading.text)
    """The issuer, and the default audience, of service account tokens."""
