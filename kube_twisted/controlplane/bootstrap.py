"""What every cluster has from its first moment: the system namespaces."""

from __future__ import annotations

from kube_twisted.api.errors import StatusError
from kube_twisted.server.loopback import LoopbackClient

SYSTEM_NAMESPACES = ("kube-system", "kube-public", "kube-node-lease", "default")


async def ensure_system_namespaces(client: LoopbackClient) -> None:
    """Create those that are missing."""
    for name in SYSTEM_NAMESPACES:
        try:
            await client.call("GET", f"/api/v1/namespaces/{name}")
        except StatusError as error:
            if error.code != 404:
                raise
            await client.call("POST", "/api/v1/namespaces",
                              {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
