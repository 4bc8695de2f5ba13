"""Repair of node ports: the one object that says which are in use is made to say what the Services say.

Ports that no Service has are free again, ports of Services are in use again. A port of two Services, or outside of
the range, is told in an Event. The object is written only if neither it nor any Service's port has changed meanwhile.
"""

from __future__ import annotations

from twisted.logger import Logger

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupResource
from kube_twisted.controlplane.events import EventRecorder
from kube_twisted.controlplane.repair.scan import all_objects
from kube_twisted.controlplane.services.node_port_range import KEY
from kube_twisted.controlplane.services.service_store import ServiceStore
from kube_twisted.registry.core.service_types import needs_health_check, needs_node_port
from kube_twisted.registry.strategy import Obj
from kube_twisted.storage.interfaces import Create, PreconditionFailed, Update
from kube_twisted.util.clock import Clock

CONTROLLER = "portallocator-repair-controller"
_ACTION = "PortAllocation"
_ATTEMPTS = 10
#: (Service, reason, note)
_Finding = tuple[Obj, str, str]


class NodePortRepair:
    """Compares Services and the node ports in use."""

    _log = Logger()

    def __init__(self, services: ServiceStore, events: EventRecorder, clock: Clock) -> None:
        self._services = services
        self._ports = services.parts.ports
        self._events = events
        self._clock = clock

    async def round(self) -> None:
        """Look at everything once.

        :raises StatusError: when ports change faster than they can be looked at.
        """
        for _ in range(_ATTEMPTS):
            try:
                findings = await self._attempt()
            except PreconditionFailed:
                continue
            for service, reason, note in findings:
                await self._events.warn(service, reason, _ACTION, note)
            return
        raise errors.conflict(GroupResource("", "servicenodeportallocations"), "", errors.MODIFIED)

    async def _attempt(self) -> list[_Finding]:
        await self._services.cache.read_revision()
        revision, stored = self._ports.revision, self._ports.bits
        bits, findings = await self._rebuild(stored or 0)
        range_ = self._ports.range
        if stored == bits:
            return findings
        value = range_.encode(bits)
        await self._services.cache.store.transact(
            [Update(KEY, value, revision) if revision else Create(KEY, value)])
        for port in range_.ports((stored or 0) & ~bits):
            self._log.warn("node port {port} appears to have leaked: cleaning up", port=port)
        return findings

    async def _rebuild(self, stored: int) -> tuple[int, list[_Finding]]:
        """The ports of all Services, and what is wrong with them."""
        range_, bits = self._ports.range, 0
        findings: list[_Finding] = []
        async for item in all_objects(self._services, self._clock):
            service = item.parse()
            for port in claimed_ports(service["spec"]):
                if port not in range_:
                    findings.append((service, "PortOutOfRange", f"Port {port} is not within the port range {range_}; "
                                                                "please recreate service"))
                elif bits & range_.bit(port):
                    findings.append((service, "PortAlreadyAllocated", f"Port {port} was assigned to multiple services; "
                                                                      "please recreate service"))
                else:
                    bits |= range_.bit(port)
                    if not stored & range_.bit(port):
                        findings.append((service, "PortNotAllocated", f"Port {port} is not allocated; repairing"))
        return bits, findings


def claimed_ports(spec: Obj) -> list[int]:
    """The node ports of a Service; one that it has twice for the same protocol is there twice."""
    if not needs_node_port(spec):
        return []
    seen: dict[int, set[str]] = {}
    claimed = []
    claims = [(port.get("nodePort"), port.get("protocol", "TCP")) for port in spec.get("ports") or ()]
    if needs_health_check(spec):
        claims.append((spec.get("healthCheckNodePort"), "TCP"))
    for port, protocol in claims:
        if port:
            protocols = seen.setdefault(port, set())
            if not protocols or protocol in protocols:
                claimed.append(port)
            protocols.add(protocol)
    return claimed
