"""What the kube server keeps in being while it runs, as hooks of its start and of its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from ipaddress import ip_network
from socket import gethostname

from attrs import frozen
from twisted.logger import Logger

from kube_twisted.config import Config
from kube_twisted.controlplane.bootstrap import (
    authentication_trust,
    endpoints,
    flow_control,
    kubernetes_service,
    legacy_tokens,
    namespaces,
    service_cidr,
)
from kube_twisted.controlplane.bootstrap.advertised_address import advertised_address
from kube_twisted.controlplane.bootstrap.priority_classes import ensure_priority_classes
from kube_twisted.controlplane.bootstrap.rbac_policy import DefaultPolicy
from kube_twisted.controlplane.bootstrap.rbac_roles import DefaultRoles
from kube_twisted.controlplane.bootstrap.server_leases import ServerLeases
from kube_twisted.controlplane.events import EventRecorder
from kube_twisted.controlplane.repair import cluster_ips, node_ports
from kube_twisted.controlplane.rounds import Rounds
from kube_twisted.controlplane.stores import Stores
from kube_twisted.server.generic import Hook
from kube_twisted.server.lifecycle import LifecycleSignals
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.storage.interfaces import IStore
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import finished_within

_log = Logger()
#: How many seconds leaving the endpoints may take at the end.
_LEAVING = 2 * endpoints.INTERVAL


@frozen(kw_only=True)
class BootstrapParts:
    """What the controller works with.

    :ivar port: tells on which port the server listens.
    """

    config: Config
    client: LoopbackClient
    stores: Stores
    storage: IStore
    clock: Clock
    signals: LifecycleSignals
    trust: authentication_trust.Trust
    policy: DefaultPolicy
    port: Callable[[], int]


class BootstrapController:
    """Keeps in being what every cluster has.

    :ivar post_start_hooks: create it; in this order.
    :ivar pre_shutdown_hooks: end the upkeep, and take the server out of the endpoints while it still serves.
    """

    def __init__(self, parts: BootstrapParts) -> None:
        self._parts = parts
        self._rounds: list[Rounds] = []
        self._reconciler = self._make_reconciler()
        client, stores, clock, settings = parts.client, parts.stores, parts.clock, parts.config.services
        cidr = service_cidr.DefaultServiceCIDR(client, stores, clock, settings.cluster_ip_ranges)
        service = kubernetes_service.KubernetesService(client, stores, settings.api_server_ip, parts.port)
        trust = authentication_trust.AuthenticationTrust(client, stores, clock, parts.trust)
        self.post_start_hooks: list[tuple[str, Hook]] = [
            self._kept("start-system-namespaces-controller", namespaces.INTERVAL,
                       namespaces.SystemNamespaces(client, stores).ensure),
            self._kept("start-kubernetes-service-cidr-controller", service_cidr.INTERVAL, cidr.ensure),
            self._repair(),
            self._kept("rbac/bootstrap-roles", 0, DefaultRoles(client, stores, parts.policy).ensure),
            self._kept("scheduling/bootstrap-system-priority-classes", 0,
                       partial(ensure_priority_classes, client, stores)),
            self._kept("priority-and-fairness-config-producer", flow_control.INTERVAL,
                       flow_control.FlowControlObjects(client, stores).ensure, essential=False),
            self._kept("start-cluster-authentication-info-controller", authentication_trust.INTERVAL, trust.ensure,
                       essential=False),
            self._kept("start-legacy-token-tracking-controller", legacy_tokens.INTERVAL,
                       legacy_tokens.LegacyTokenTracking(client, stores, clock).ensure, essential=False),
            self._kept("bootstrap-controller", kubernetes_service.INTERVAL, service.ensure, essential=False),
        ]
        self.pre_shutdown_hooks: list[tuple[str, Hook]] = [("stop-kubernetes-service-controller", self._stop)]
        self._join()

    def _kept(self, name: str, interval: float, work: Callable[[], Awaitable[None]],
              essential: bool = True) -> tuple[str, Hook]:
        rounds = Rounds(name, self._parts.clock, interval, work, essential=essential)
        self._rounds.append(rounds)
        return name, rounds.start

    def _repair(self) -> tuple[str, Hook]:
        """The search for lost addresses and ports; what it finds missing must be there before the server is ready."""
        parts = self._parts
        services = parts.stores.services
        host = gethostname()
        works = [
            (one.CONTROLLER, make(services, EventRecorder(
                parts.client, parts.clock, one.CONTROLLER, f"{one.CONTROLLER}-{host}"), parts.clock).round)
            for one, make in ((cluster_ips, cluster_ips.ClusterIPRepair), (node_ports, node_ports.NodePortRepair))]
        rounds = [Rounds(name, parts.clock, parts.config.services.repair_interval, work) for name, work in works]
        self._rounds += rounds

        async def start() -> None:
            for one in rounds:
                await one.start()

        return "start-service-ip-repair-controllers", start

    # -- the endpoints --------------------------------------------------------------------------------------------

    def _make_reconciler(self) -> endpoints.EndpointReconciler | None:
        parts = self._parts
        server = parts.config.server
        if server.endpoint_reconciler == "none":
            return None
        address = advertised_address(server, ip_network(parts.config.services.cluster_ip_range).version)
        if address is None:
            _log.info("others can't reach this server: it is left out of the endpoints of the Service kubernetes")
            return None
        return endpoints.EndpointReconciler(parts.client, parts.stores, ServerLeases(parts.storage), address)

    def _join(self) -> None:
        """Become one of the endpoints once the server is ready."""
        reconciler = self._reconciler
        if reconciler is not None:
            rounds = Rounds("keeping the endpoints of the Service kubernetes", self._parts.clock, endpoints.INTERVAL,
                            lambda: reconciler.reconcile(self._parts.port()))
            self._rounds.append(rounds)
            self._parts.signals.has_been_ready.call(rounds.go_on)

    async def _stop(self) -> None:
        for rounds in self._rounds:
            rounds.stop()
        if self._reconciler is None or not self._parts.signals.has_been_ready.fired:
            return
        try:
            if not await finished_within(self._parts.clock, _LEAVING, self._reconciler.leave(self._parts.port())):
                _log.warn("leaving the endpoints of the Service kubernetes takes too long; not waiting longer")
        except Exception:
            _log.failure("leaving the endpoints of the Service kubernetes failed")
