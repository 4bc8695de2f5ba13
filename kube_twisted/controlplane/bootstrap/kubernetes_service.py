"""The Service ``kubernetes`` in the namespace ``default``: how pods find the server.

Its address is the first of the range, which nobody else can have: the Service is made before the server is ready.
"""

from __future__ import annotations

from collections.abc import Callable

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.stores import Stores
from kube_twisted.server.loopback import LoopbackClient

NAMESPACE, NAME = "default", "kubernetes"
PORT, PORT_NAME = 443, "https"
#: Seconds between two looks.
INTERVAL = 10.0


class KubernetesService:
    """Creates the Service when it is missing; what is made of it by others stays.

    :param address: the first of the range.
    :param port: tells on which port the server listens.
    """

    def __init__(self, client: LoopbackClient, stores: Stores, address: str, port: Callable[[], int]) -> None:
        self._client = client
        self._stores = stores
        self._address = address
        self._port = port

    async def ensure(self) -> None:
        """:raises StatusError: when it can't be created; 422 when another Service has its address."""
        if await self._exists():
            return
        try:
            await self._create()
        except StatusError:
            if not await self._exists():  # another server may have been faster
                raise

    async def _exists(self) -> bool:
        return await self._stores.peek_latest("", "services", NAMESPACE, NAME) is not None

    async def _create(self) -> None:
        await self._client.call("POST", f"/api/v1/namespaces/{NAMESPACE}/services", {
            "apiVersion": "v1", "kind": "Service",
            "metadata": {"name": NAME, "namespace": NAMESPACE,
                         "labels": {"component": "apiserver", "provider": "kubernetes"}},
            "spec": {
                "type": "ClusterIP", "clusterIP": self._address, "ipFamilyPolicy": "SingleStack",
                "sessionAffinity": "None",
                "ports": [{"name": PORT_NAME, "protocol": "TCP", "port": PORT, "targetPort": self._port()}]}})
