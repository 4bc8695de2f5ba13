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
    """The range of cluster IPs; its first address is that of the Service ``kubernetes``."""

    secondary_cluster_ip_range: str = setting("secondaryClusterIPRange", "", reading.optional(reading.network))
    """The range of the other IP family, for Services with two families; empty for none."""

    node_port_range: tuple[int, int] = setting("nodePortRange", (30000, 32767), reading.port_range)
    """First and last node port."""

    repair_interval: float = setting("repairInterval", 180.0, reading.duration)
    """Seconds between two searches for addresses and node ports that are lost or given twice; 0 to search only once,
    at the start."""

    endpoint_routing: bool = setting("endpointRouting", False, reading.boolean)
    """Whether aggregated API servers are reached at the endpoints of their Services rather than at cluster IPs."""

    @property
    def cluster_ip_ranges(self) -> tuple[str, ...]:
        """One or two ranges, that of the default family first."""
        return tuple(one for one in (self.cluster_ip_range, self.secondary_cluster_ip_range) if one)

    @property
    def is_dual_stack(self) -> bool:
        """Whether there are ranges of both IP families."""
        return {ip_network(one).version for one in self.cluster_ip_ranges} == {4, 6}

    @property
    def api_server_ip(self) -> str:
        """The cluster IP of the Service ``kubernetes``: the first of the range."""
        return str(ip_network(self.cluster_ip_range)[1])


@frozen
class ServiceAccountSettings:
    """The section ``serviceAccounts``."""

    issuer: str = setting("issuer", "https://kubernetes.default.svc", reading.text)
    """The issuer, and the default audience, of service account tokens."""
