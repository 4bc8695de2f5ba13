"""The namespaces of the system, which are always there."""

from __future__ import annotations

from kube_twisted.controlplane.bootstrap.ensure import all_at_once, create_unless_there
from kube_twisted.controlplane.stores import Stores
from kube_twisted.server.loopback import LoopbackClient

SYSTEM_NAMESPACES = ("kube-system", "kube-public", "kube-node-lease", "default")
#: Seconds between two looks.
INTERVAL = 60.0


class SystemNamespaces:
    """Creates those that are missing."""

    def __init__(self, client: LoopbackClient, stores: Stores) -> None:
        self._client = client
        self._stores = stores

    async def ensure(self) -> None:
        """:raises StatusError: when one can't be created."""
        await all_at_once(
            create_unless_there(self._client, "/api/v1/namespaces",
                                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
            for name in SYSTEM_NAMESPACES if not self._stores.exists("", "namespaces", "", name))
