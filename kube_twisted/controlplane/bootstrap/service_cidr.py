"""The ServiceCIDR ``kubernetes``: the ranges of the configuration as an object (KEP-1880).

It is made when it is missing and never taken over when it differs: the ranges in use may be older than the settings.
Only a second family is added, when the settings have got one.
"""

from __future__ import annotations

from typing import Any

from twisted.logger import Logger

from kube_twisted.controlplane.bootstrap.ensure import create_unless_there
from kube_twisted.controlplane.services.networks import DEFAULT_CIDR
from kube_twisted.controlplane.stores import Stores
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.clock import Clock

#: Seconds between two looks.
INTERVAL = 10.0
_MANAGER = "kubernetes-service-cidr-controller"
_COLLECTION = "/apis/networking.k8s.io/v1/servicecidrs"
_PATH = f"{_COLLECTION}/{DEFAULT_CIDR}"


class DefaultServiceCIDR:
    """Keeps the object in being, and ready.

    :param ranges: one or two, that of the default family first.
    """

    _log = Logger()

    def __init__(self, client: LoopbackClient, stores: Stores, clock: Clock, ranges: tuple[str, ...]) -> None:
        self._client = client
        self._stores = stores
        self._clock = clock
        self._ranges = list(ranges)
        self._reported = False

    async def ensure(self) -> None:
        """:raises StatusError: when the object can't be written."""
        if await self._find() is None:
            await create_unless_there(self._client, _COLLECTION, self._object())
        found = await self._find()
        if found is None:
            return
        cidrs = found["spec"]["cidrs"]
        if len(cidrs) == 1 and len(self._ranges) == 2 and cidrs[0] == self._ranges[0]:
            await self._client.call("PATCH", _PATH, {"spec": {"cidrs": self._ranges}}, "application/merge-patch+json")
        elif cidrs != self._ranges:
            self._report(cidrs)
        elif not found["metadata"].get("deletionTimestamp") and _says_nothing(found):
            await self._set_ready()

    async def _find(self) -> Obj | None:
        return await self._stores.peek_latest("networking.k8s.io", "servicecidrs", "", DEFAULT_CIDR)

    def _object(self) -> Obj:
        return {"apiVersion": "networking.k8s.io/v1", "kind": "ServiceCIDR", "metadata": {"name": DEFAULT_CIDR},
                "spec": {"cidrs": self._ranges}}

    def _report(self, cidrs: list[str]) -> None:
        """Say once that the object is about other ranges than the settings."""
        if not self._reported:
            self._reported = True
            self._log.warn("the ServiceCIDR {name} is about {cidrs}, not {ranges} as set: addresses are given from "
                           "those of the ServiceCIDR", name=DEFAULT_CIDR, cidrs=cidrs, ranges=self._ranges)

    async def _set_ready(self) -> None:
        condition = {"type": "Ready", "status": "True", "lastTransitionTime": self._clock.rfc3339(),
                     "message": "Kubernetes default Service CIDR is ready"}
        body: dict[str, Any] = {
            "apiVersion": "networking.k8s.io/v1", "kind": "ServiceCIDR", "metadata": {"name": DEFAULT_CIDR},
            "status": {"conditions": [condition]}}
        await self._client.call("PATCH", f"{_PATH}/status?fieldManager={_MANAGER}&force=true", body,
                                "application/apply-patch+yaml")


def _says_nothing(cidr: Obj) -> bool:
    """Whether nobody has said yet if it is ready."""
    conditions = cidr.get("status", {}).get("conditions") or ()
    return not any(one["type"] == "Ready" and one["status"] in ("True", "False") for one in conditions)
