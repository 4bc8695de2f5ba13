"""The kapiserver: three servers in one delegation chain over one store, from a configuration to a running service."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.interfaces import IListeningPort

from kube_twisted.apiextensions.controller import DefinitionController
from kube_twisted.config import Config
from kube_twisted.controlplane.aggregation import new_controllers, trust
from kube_twisted.controlplane.auditing import families as audit_families
from kube_twisted.controlplane.auditing import new_auditor
from kube_twisted.controlplane.bootstrap.controller import BootstrapController, BootstrapParts
from kube_twisted.controlplane.chain import create_server_chain
from kube_twisted.controlplane.completed import CompletedConfig, complete
from kube_twisted.controlplane.controllers.elected import cluster_controllers
from kube_twisted.controlplane.custom_resources import tell_documents
from kube_twisted.controlplane.limiting import Limiting
from kube_twisted.controlplane.observing import families
from kube_twisted.controlplane.paths import install_paths
from kube_twisted.server.chain import ChainParts, build_handler_chain
from kube_twisted.server.filters.inflight import InFlight
from kube_twisted.server.health import HealthCheck
from kube_twisted.server.kubeconfig import server_url, write_admin_kubeconfig
from kube_twisted.server.lifecycle import LifecycleSignals, ShutdownSequence
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.server.metrics import Metrics
from kube_twisted.server.site import KubeSite
from kube_twisted.server.tls import ServerTLS
from kube_twisted.server.transport import TLSFactory, listen

_BACKLOG = 512


def make_server(config: Config, reactor: Any) -> KapiServer:
    """A server, not started yet.

    :raises StartError: when keys or certificates can't be used.
    """
    return KapiServer(complete(config, reactor), reactor)


class KapiServer:
    """The running server: owns the chain, the listening port, and the order of starting and stopping."""

    def __init__(self, completed: CompletedConfig, reactor: Any) -> None:
        self.completed = completed
        self.config = completed.config
        self.clock = completed.clock
        self.backend = completed.backend
        self.stores = completed.stores
        self.watches = completed.watches
        self._reactor = reactor
        self.signals = LifecycleSignals()
        self.metrics = Metrics(self.clock)
        self.metrics.families += families(completed)
        self._in_flight = InFlight()
        self.url = ""
        chain = create_server_chain(completed, lambda: self.url)
        self.front, self.custom_resources = chain.front, chain.custom_resources
        documents = install_paths(self.front, completed, self.metrics, self._checks, lambda: self.url)
        tell_documents(self.custom_resources, *documents)
        self._limiting = Limiting(completed)
        self._limiting.install_paths(self.front.tree)
        self.metrics.families += self._limiting.families()
        self._auditor = new_auditor(self.config.audit, reactor, self.clock, completed.https)
        self.metrics.families += audit_families(self._auditor)
        self.handler = build_handler_chain(self.front.handle, ChainParts(
            self.clock, self.signals, completed.authentication.authenticator, completed.authorizer, self._in_flight,
            self.metrics, self.config.server.request_timeout, self._limiting.filter, self._auditor,
            self.config.server.cors_allowed_origins))
        self.client = LoopbackClient(self.handler, completed.loopback_token, "kube-apiserver")
        completed.admission.writes.client = self.client
        self._limiting.work_with(self.client, self.signals)
        self._controllers = cluster_controllers(
            self.config, self.client, self.clock, completed.pki.trusted_pem.decode())
        self._definitions = DefinitionController(
            self.stores.definitions, self.custom_resources, self.client, self.clock)
        self._aggregation = new_controllers(
            self.front, self.custom_resources, completed, documents, self.client, self.signals)
        self.metrics.families += self._aggregation.families()
        self._port: IListeningPort | None = None
        self._install_hooks()
        self._hooks_done: set[str] = set()

    def _install_hooks(self) -> None:
        completed = self.completed
        bootstrap = BootstrapController(BootstrapParts(
            config=self.config, client=self.client, stores=self.stores, storage=self.backend.store, clock=self.clock,
            signals=self.signals, policy=completed.access.policy, trust=trust(completed), port=self._listening_port))
        self.front.post_start_hooks.append(("start-apiextensions-controllers", self._definitions.start))
        self.front.post_start_hooks += bootstrap.post_start_hooks
        self.front.post_start_hooks += self._limiting.hooks()
        self.front.post_start_hooks += self._aggregation.hooks()
        self.front.pre_shutdown_hooks += bootstrap.pre_shutdown_hooks

    def _listening_port(self) -> int:
        port: int = cast(Any, self._port.getHost()).port if self._port is not None else self.config.server.secure_port
        return port

    # -- starting -------------------------------------------------------------------------------------------------

    def start(self) -> Deferred[None]:
        """Open the store, listen, run the post-start hooks; fires when the server is ready."""
        return Deferred.fromCoroutine(self._start())

    async def _start(self) -> None:
        await self.backend.start()
        await self.stores.start()
        self.completed.access.follow()
        self._definitions.follow()
        self._limiting.follow()
        self._aggregation.follow()
        self.completed.authentication.start(self.clock)
        self.signals.mux_and_discovery_complete.fire()
        self._listen()
        for name, hook in self.front.all_hooks():
            await hook()
            self._hooks_done.add(name)
        self.signals.has_been_ready.fire()
        self._controllers.start()

    def _listen(self) -> None:
        settings, pki = self.config.server, self.completed.pki
        site = KubeSite(self.handler, self._reactor, settings.max_request_body,
                        "; ".join(settings.strict_transport_security))
        tls = ServerTLS(pki.serving_chain_pem, pki.serving_key_pem, self.completed.authentication.client_authorities)
        factory = TLSFactory(tls, False, site, self._reactor)
        self._port = listen(self._reactor, settings.secure_port, factory, _BACKLOG, settings.bind_address)
        self.url = server_url(settings, self._listening_port())
        write_admin_kubeconfig(pki, self.url)

    def _checks(self) -> list[HealthCheck]:
        hooks = [HealthCheck(f"poststarthook/{name}", partial(self._hook_problem, name))
                 for name, _ in self.front.all_hooks()]
        signals = self.signals
        return [
            HealthCheck("ping", lambda: None),
            HealthCheck("etcd", self.backend.problem),
            *self.front.all_checks(), *hooks,
            HealthCheck("informer-sync", lambda: None if signals.has_been_ready.fired else "not synced yet",
                        ("readyz",)),
            HealthCheck("shutdown", lambda: "process is shutting down" if signals.shutdown_initiated.fired else None,
                        ("readyz",)),
        ]

    def _hook_problem(self, name: str) -> str | None:
        return None if name in self._hooks_done else "not finished"

    # -- stopping -------------------------------------------------------------------------------------------------

    def stop(self) -> Deferred[None]:
        """End in the order of ``server/lifecycle.py``."""
        settings = self.config.server
        sequence = ShutdownSequence(
            signals=self.signals, clock=self.clock, delay=settings.shutdown_delay, grace=settings.shutdown_grace,
            stop_hooks=self._run_stop_hooks, stop_listening=self._stop_listening, end_watches=self._end_watches,
            drain=self._drain, close_storage=self._close)
        return Deferred.fromCoroutine(sequence.run())

    async def _run_stop_hooks(self) -> None:
        await self._controllers.stop()
        await self._definitions.stop()
        await self._limiting.stop()
        await self._aggregation.stop()
        for _, hook in self.front.all_stop_hooks():
            await hook()

    async def _stop_listening(self) -> None:
        if self._port is not None:
            await maybeDeferred(self._port.stopListening)

    async def _end_watches(self) -> None:
        self.watches.end_all()
        self.front.proxy.relays.end_watches()

    async def _drain(self) -> None:
        await self._in_flight.drained()
        await self.front.proxy.relays.drained()

    async def _close(self) -> None:
        self.completed.authentication.stop()
        self.custom_resources.stop()
        self.front.proxy.stop()
        self.stores.stop()
        if self._auditor is not None:
            await self._auditor.sink.close()
        await self.completed.https.close()
        await self.backend.stop()
