"""The store of Services: a Service is written together with what it holds.

    Service  ----+
    IPAddress    |  one transaction
    node ports  -+

So no address and no port is ever given twice, by however many servers of one store, and none is lost when a server
dies half-way. Rules: the Service API reference; KEP-1880; KEP-563.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen
from twisted.internet.defer import DeferredLock

from kube_twisted.api import errors
from kube_twisted.controlplane.services.addresses import Addresses
from kube_twisted.controlplane.services.cluster_ips import SERVICE, give_addresses, held_addresses
from kube_twisted.controlplane.services.dry_run import DryAddresses, DryPortWishes
from kube_twisted.controlplane.services.families import settle_families
from kube_twisted.controlplane.services.ip_address_object import ip_address_object, parent_of
from kube_twisted.controlplane.services.node_ports import NodePorts, PortWishes
from kube_twisted.controlplane.services.refusal import Refused
from kube_twisted.controlplane.services.service_ports import give_ports, held_ports
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.write import ChoiceTaken, Write
from kube_twisted.storage.interfaces import Create, Delete, Operation, Update


@frozen
class ServiceParts:
    """What a Service holds, and where that is kept.

    :ivar families: of the cluster, the default one first.
    """

    families: tuple[str, ...]
    addresses: Addresses
    ports: NodePorts
    ip_addresses: Store
    endpoints: Store


class ServiceStore(Store):
    """The store of Services.

    :param parts: what they hold.
    """

    def __init__(self, *args: Any, parts: ServiceParts, **more: Any) -> None:
        super().__init__(*args, **more)
        self.parts = parts
        #: writes that change the one object of all node ports wait for one another
        self._ports_change = DeferredLock()

    async def start(self) -> None:
        await super().start()
        await self.parts.addresses.start()
        await self.parts.ports.start()

    def stop(self) -> None:
        self.parts.addresses.stop()
        self.parts.ports.stop()
        super().stop()

    # -- choosing -------------------------------------------------------------------------------------------------

    def allocate(self, write: Write, new: Obj, old: Obj | None) -> None:
        spec, old_spec = new["spec"], old["spec"] if old is not None else None
        if spec == old_spec:
            return
        name = new["metadata"].get("name", "")
        failures = settle_families(spec, old_spec, self.parts.families)
        if failures:
            raise errors.invalid(SERVICE, name, failures)
        addresses, ports = self.parts.addresses, self.parts.ports
        pool = DryAddresses(addresses) if write.dry_run else addresses
        wishes = DryPortWishes(ports) if write.dry_run else PortWishes(ports)
        for take_back in (give_addresses(pool, name, spec, old_spec), give_ports(wishes, name, spec, old_spec)):
            if take_back is not None:
                write.choices.append(take_back)

    # -- writing --------------------------------------------------------------------------------------------------

    async def commit(self, write: Write, operation: Create | Update | Delete, new: Obj | None, old: Obj | None) -> int:
        if held_ports(_spec(new)) == held_ports(_spec(old)):
            return await super().commit(write, operation, new, old)
        async with self._ports_change:
            return await super().commit(write, operation, new, old)

    def operations_for(self, write: Write, new: Obj | None, old: Obj | None) -> list[Operation]:
        operations = self._address_operations(write, new, old) + self._port_operations(new, old)
        if new is None and old is not None:
            operations += self._endpoints_operations(old["metadata"])
        return operations

    def _address_operations(self, write: Write, new: Obj | None, old: Obj | None) -> list[Operation]:
        held, before = held_addresses(_spec(new)), held_addresses(_spec(old))
        if held == before:
            return []
        meta = (new or old or {})["metadata"]
        namespace, name, store = meta["namespace"], meta["name"], self.parts.ip_addresses
        operations: list[Operation] = []
        for address in sorted(held - before):
            key = store.cache.key("", address)
            if store.cache.get(key) is not None:
                raise ChoiceTaken(address)
            operations.append(Create(key, store.encode(ip_address_object(address, namespace, name, write.ctx.now))))
        for address in sorted(before - held):
            item = store.cache.get(store.cache.key("", address))
            if item is not None and item.parse().get("spec", {}).get("parentRef") == parent_of(namespace, name):
                operations.append(Delete(item.key, item.revision))
        return operations

    def _port_operations(self, new: Obj | None, old: Obj | None) -> list[Operation]:
        held, before = held_ports(_spec(new)), held_ports(_spec(old))
        if held == before:
            return []
        try:
            change = self.parts.ports.change(held - before, before - held)
        except Refused as refused:
            raise ChoiceTaken(str(refused)) from None
        return [change] if change is not None else []

    def _endpoints_operations(self, meta: Obj) -> list[Operation]:
        """The Endpoints go with their Service, so that another one of its name doesn't inherit them."""
        cache = self.parts.endpoints.cache
        item = cache.get(cache.key(meta["namespace"], meta["name"]))
        if item is None or item.parse()["metadata"].get("finalizers"):
            return []
        return [Delete(item.key, item.revision)]


def _spec(service: Obj | None) -> Obj | None:
    return service["spec"] if service is not None else None
