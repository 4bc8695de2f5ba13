"""The Endpoints and the EndpointSlice of the Service ``kubernetes``: the servers of the store that are alive."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import DeferredLock

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.bootstrap.kubernetes_service import NAME, NAMESPACE, PORT_NAME
from kube_twisted.controlplane.bootstrap.server_leases import ServerLeases
from kube_twisted.controlplane.stores import Stores
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.loopback import LoopbackClient

#: Seconds between two renewals.
INTERVAL = 10.0
_SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror"
_SERVICE_NAME = "kubernetes.io/service-name"
_ENDPOINTS = f"/api/v1/namespaces/{NAMESPACE}/endpoints"
_SLICES = f"/apis/discovery.k8s.io/v1/namespaces/{NAMESPACE}/endpointslices"


class EndpointReconciler:
    """Keeps this server among the endpoints as long as it runs, and takes out those that have ended.

    :param address: this server's.
    """

    def __init__(self, client: LoopbackClient, stores: Stores, leases: ServerLeases, address: str) -> None:
        self._client = client
        self._stores = stores
        self._leases = leases
        self._address = address
        self._one_at_a_time = DeferredLock()
        #: the port is looked at once: servers that listen at different ones would change it for ever
        self._port_is_right = False
        self._leaving = False

    async def reconcile(self, port: int) -> None:
        """Renew the own lease, and write down who has one.

        :param port: where this server listens.
        :raises StatusError: when it can't be written.
        """
        if self._leaving:
            return
        async with self._one_at_a_time:
            await self._leases.renew(self._address)
            await self._write(port)
            self._port_is_right = True

    async def leave(self, port: int) -> None:
        """Give the own lease back, and write down who is left.

        :raises StatusError: when it can't be written.
        """
        self._leaving = True
        async with self._one_at_a_time:
            await self._leases.remove(self._address)
            await self._write(port)

    async def _write(self, port: int) -> None:
        addresses = await self._leases.addresses()
        if not addresses and not self._leaving:
            return  # the own lease was there a moment ago: whatever this is, it is no reason to cut everybody off
        try:
            endpoints = await self._write_endpoints(addresses, port)
            if endpoints is not None:
                await self._write_slice(_slice(endpoints))
        except StatusError as error:
            if error.code != 409:  # another server writes the same
                raise

    async def _write_endpoints(self, addresses: list[str], port: int) -> Obj | None:
        """The Endpoints as they are now; None when there are none, and none are wanted any longer."""
        found = self._stores.get("", "endpoints", NAMESPACE, NAME)
        if found is None and self._leaving:
            return None
        obj: Obj = found or {"apiVersion": "v1", "kind": "Endpoints", "metadata": {"name": NAME}}
        labels, ports = obj["metadata"].setdefault("labels", {}), [{"name": PORT_NAME, "port": port, "protocol": "TCP"}]
        if (_addresses_in(obj) == addresses and labels.get(_SKIP_MIRROR) == "true"
                and (self._port_is_right or _ports_in(obj) == ports)):
            return obj
        labels[_SKIP_MIRROR] = "true"
        if self._port_is_right:
            ports = _ports_in(obj) or ports
        obj["subsets"] = [{"addresses": [{"ip": one} for one in addresses], "ports": ports}] if addresses else []
        await self._put(_ENDPOINTS, obj, found is not None)
        return obj

    async def _write_slice(self, wanted: Obj) -> None:
        found = self._stores.get("discovery.k8s.io", "endpointslices", NAMESPACE, NAME)
        if found is not None and found["addressType"] != wanted["addressType"]:
            await self._client.call("DELETE", f"{_SLICES}/{NAME}")
            found = None
        if found is not None:
            if all(_part(found, key) == _part(wanted, key) for key in ("endpoints", "ports", "labels")):
                return
            wanted["metadata"]["resourceVersion"] = found["metadata"]["resourceVersion"]
        await self._put(_SLICES, wanted, found is not None)

    async def _put(self, collection: str, obj: Obj, exists: bool) -> None:
        if exists:
            await self._client.call("PUT", f"{collection}/{NAME}", obj)
        else:
            await self._client.call("POST", collection, obj)


def _addresses_in(endpoints: Obj) -> list[str] | None:
    """The addresses of an Endpoints of one subset, or of none; None when it is made differently."""
    subsets = endpoints.get("subsets") or []
    if len(subsets) > 1:
        return None
    return sorted(one["ip"] for subset in subsets for one in subset.get("addresses") or ())


def _ports_in(endpoints: Obj) -> list[Obj]:
    return [port for subset in endpoints.get("subsets") or () for port in subset.get("ports") or ()]


def _slice(endpoints: Obj) -> Obj:
    """The EndpointSlice that says the same as an Endpoints; of two families, the IPv4 addresses."""
    addresses = _addresses_in(endpoints) or []
    is_six = bool(addresses) and all(":" in one for one in addresses)
    return {
        "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
        "metadata": {"name": NAME, "labels": {_SERVICE_NAME: NAME}},
        "addressType": "IPv6" if is_six else "IPv4",
        "endpoints": [{"addresses": [one], "conditions": {"ready": True}} for one in addresses
                      if (":" in one) == is_six],
        "ports": _ports_in(endpoints),
    }


def _part(slice_: Obj, key: str) -> Any:
    return (slice_["metadata"] if key == "labels" else slice_).get(key) or []
