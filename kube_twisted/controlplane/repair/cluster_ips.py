"""Repair of cluster IPs: each address of a Service has an IPAddress that refers to it, and no other is left.

====================================================  =========================================================
a Service's address has no IPAddress                  it is made
the IPAddress refers to something else                it is made to refer to the Service
... to another Service that has the address too       told in an Event: one of them must be made anew
the address is no address, or in no ServiceCIDR       told in an Event
an IPAddress of the allocator's refers to no Service  it is removed
... or to a Service that hasn't the address           it is removed
====================================================  =========================================================

A Service and its addresses are written in one transaction, so what does not match is wrong at once; each repair is
a transaction that requires the Service to be as it was found. Reasons and texts of Events are the original's.
"""

from __future__ import annotations

from twisted.logger import Logger

from kube_twisted.controlplane.events import EventRecorder
from kube_twisted.controlplane.repair.scan import all_objects
from kube_twisted.controlplane.services.cluster_ips import held_addresses
from kube_twisted.controlplane.services.ip_address_object import (
    ALLOCATOR,
    MANAGER_LABEL,
    ip_address_object,
    labels_for,
    parent_of,
)
from kube_twisted.controlplane.services.networks import family_of
from kube_twisted.controlplane.services.service_store import ServiceStore
from kube_twisted.registry.addresses import Address, parse_ip
from kube_twisted.registry.core.service_types import is_headless, needs_cluster_ip
from kube_twisted.registry.strategy import Obj
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import Check, Create, Delete, Operation, PreconditionFailed, Update
from kube_twisted.util.clock import Clock

CONTROLLER = "ipallocator-repair-controller"
_OF_SERVICE, _OF_ADDRESS = "ClusterIPAllocation", "IPAddressAllocation"


class ClusterIPRepair:
    """Compares Services and IPAddresses, in both directions."""

    _log = Logger()

    def __init__(self, services: ServiceStore, events: EventRecorder, clock: Clock) -> None:
        self._services = services
        self._objects = services.parts.ip_addresses
        self._networks = services.parts.addresses.networks
        self._events = events
        self._clock = clock

    async def round(self) -> None:
        """Look at everything once."""
        await self._services.cache.read_revision()
        async for item in all_objects(self._services, self._clock):
            await self._look_at_service(item)
        async for item in all_objects(self._objects, self._clock):
            await self._look_at_address(item)

    # -- from Services to IPAddresses -----------------------------------------------------------------------------

    async def _look_at_service(self, item: CachedObject) -> None:
        service = item.parse()
        spec = service["spec"]
        if not needs_cluster_ip(spec) or is_headless(spec):
            return
        for text in spec.get("clusterIPs") or ():
            address = parse_ip(text)
            if address is None:
                await self._events.warn(service, "ClusterIPNotValid", "ClusterIPValidation",
                                        f"Cluster IP {text} is not a valid IP; please recreate Service")
            elif not self._networks.has(address):
                await self._events.warn(
                    service, "ClusterIPOutOfRange", _OF_SERVICE, f"Cluster IP [{family_of(address)}]: {address} is "
                    "not within any configured Service CIDR; please recreate service")
            else:
                await self._look_at_allocation(item, service, address)

    async def _look_at_allocation(self, item: CachedObject, service: Obj, address: Address) -> None:
        found = self._objects.cache.get(self._objects.cache.key("", str(address)))
        family, meta = family_of(address), service["metadata"]
        if found is None:
            await self._events.warn(service, "ClusterIPNotAllocated", _OF_SERVICE,
                                    f"Cluster IP [{family}]: {address} is not allocated; repairing")
            obj = ip_address_object(str(address), meta["namespace"], meta["name"], self._clock.rfc3339())
            key = self._objects.cache.key("", str(address))
            await self._write(Check(item.key, item.revision), Create(key, self._objects.encode(obj)))
            return
        obj = found.parse()
        if obj.get("spec", {}).get("parentRef") != parent_of(meta["namespace"], meta["name"]):
            if self._has_other_holder(obj, str(address)):
                await self._events.warn(
                    service, "ClusterIPAlreadyAllocated", _OF_SERVICE,
                    f"Cluster IP [{family}]:{address} was assigned to multiple services; please recreate service")
                return
            await self._events.warn(
                service, "ClusterIPNotAllocated", _OF_SERVICE, f"the ClusterIP [{family}]: {address} for Service "
                f"{meta['namespace']}/{meta['name']} has a wrong reference; repairing")
        await self._make_refer(found, obj, item, service)

    def _has_other_holder(self, obj: Obj, address: str) -> bool:
        """Whether an IPAddress rightly refers to a Service."""
        holder = self._parent(obj)
        return holder is not None and address in held_addresses(holder.parse()["spec"])

    def _parent(self, obj: Obj) -> CachedObject | None:
        """The Service that an IPAddress refers to."""
        parent = obj.get("spec", {}).get("parentRef") or {}
        if parent.get("group") or parent.get("resource") != "services":
            return None
        return self._services.cache.get(self._parent_key(parent))

    def _parent_key(self, parent: Obj) -> str:
        return self._services.cache.key(parent.get("namespace", ""), parent.get("name", ""))

    async def _make_refer(self, found: CachedObject, obj: Obj, item: CachedObject, service: Obj) -> None:
        """Give an IPAddress the reference and the labels that it should have."""
        meta = service["metadata"]
        obj["metadata"]["labels"] = {**obj["metadata"].get("labels", {}), **labels_for(found.name)}
        obj["spec"] = {**obj.get("spec", {}), "parentRef": parent_of(meta["namespace"], meta["name"])}
        value = self._objects.encode(obj)
        if value != found.value:
            await self._write(Check(item.key, item.revision), Update(found.key, value, found.revision))

    # -- from IPAddresses to Services -----------------------------------------------------------------------------

    async def _look_at_address(self, item: CachedObject) -> None:
        obj = item.parse()
        if obj["metadata"].get("labels", {}).get(MANAGER_LABEL) != ALLOCATOR:
            return
        parent = obj.get("spec", {}).get("parentRef") or {}
        remove = Delete(item.key, item.revision)
        if parent.get("group") or parent.get("resource") != "services":
            await self._events.warn(obj, "IPAddressNotAllocated", _OF_ADDRESS, f"IPAddress {item.name} appears to have "
                                    f"been modified, not referencing a Service {parent}: cleaning up")
            await self._write(remove)
            return
        service, name = self._parent(obj), f"{parent.get('namespace', '')}/{parent.get('name', '')}"
        if service is None:
            await self._events.warn(obj, "IPAddressNotAllocated", _OF_ADDRESS, f"IPAddress: {item.name} for Service "
                                    f"{name} appears to have leaked: cleaning up")
            await self._write(Check(self._parent_key(parent), 0), remove)
        elif item.name not in held_addresses(service.parse()["spec"]):
            await self._events.warn(obj, "IPAddressWrongReference", _OF_ADDRESS, f"IPAddress: {item.name} for Service "
                                    f"{name} has a wrong reference; cleaning up")
            await self._write(Check(service.key, service.revision), remove)

    async def _write(self, *operations: Operation) -> None:
        """Mend, unless something has changed since: then the next round looks at it again."""
        try:
            await self._services.cache.store.transact(operations)
        except PreconditionFailed as failure:
            self._log.info("{key} has changed meanwhile; looking again in the next round",
                           key=operations[failure.index].key)
