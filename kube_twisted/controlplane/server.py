"""The kapiserver: three servers in one delegation chain over one store, from a configuration to a running service.

    aggregator -> kube -> apiextensions -> not found
"""

from __future__ import annotations

from functools import partial
from typing import Any

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.interfaces import IListeningPort
from twisted.logger import Logger

from kube_twisted.admission.order import PluginParts, build_chain
from kube_twisted.authentication.assembly import Authentication, new_authentication
from kube_twisted.authentication.token_review import TokenReviewer
from kube_twisted.authentication.tokens import StaticTokens
from kube_twisted.authorization.basic_user import BasicUser
from kube_twisted.authorization.discovery import Discovery
from kube_twisted.authorization.masters import SystemMasters
from kube_twisted.authorization.union import UnionAuthorizer
from kube_twisted.config import Config
from kube_twisted.controlplane.admission import KindLookup, PluginWrites
from kube_twisted.controlplane.bootstrap import ensure_system_namespaces
from kube_twisted.controlplane.component_probes import component_probes
from kube_twisted.controlplane.groups import install_apis
from kube_twisted.controlplane.providers import APIEXTENSIONS, APIREGISTRATION, builtin_providers, provider
from kube_twisted.controlplane.resources import Resources
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.runtime_config import APIResourceConfig
from kube_twisted.controlplane.service_accounts import new_service_accounts
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.openid_metadata import install_openid_metadata
from kube_twisted.endpoints.watch import WatchSettings
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.server.chain import ChainParts, build_handler_chain
from kube_twisted.server.filters.inflight import InFlight
from kube_twisted.server.generic import GenericAPIServer, NotFound
from kube_twisted.server.health import HealthCheck, install_health
from kube_twisted.server.kubeconfig import server_url, write_admin_kubeconfig
from kube_twisted.server.lifecycle import LifecycleSignals, ShutdownSequence
from kube_twisted.server.loopback import LOOPBACK_USER, LoopbackClient, new_loopback_token
from kube_twisted.server.metrics import CONTENT_TYPE, Metrics
from kube_twisted.server.pki import PKI, open_pki
from kube_twisted.server.site import KubeSite
from kube_twisted.server.tls import ServerTLS
from kube_twisted.server.transport import TLSFactory, listen
from kube_twisted.storage.backends import Backend, open_backend
from kube_twisted.util.clock import Clock

_BACKLOG = 512
_log = Logger()


def create_server_chain(config: Config, options: RESTOptions) -> GenericAPIServer:
    """The servers, from the last to the first; the first is returned."""
    enabled = APIResourceConfig(config.runtime_config)
    end = NotFound()
    extensions = GenericAPIServer("apiextensions", end)
    install_apis(extensions, [provider(APIEXTENSIONS, "apiextensions")], enabled, options)
    kube = GenericAPIServer("kube", extensions)
    install_apis(kube, builtin_providers(), enabled, options)
    aggregator = GenericAPIServer("aggregator", kube)
    install_apis(aggregator, [provider(APIREGISTRATION, "apiregistration")], enabled, options)
    end.front = aggregator
    return aggregator


def make_server(config: Config, reactor: Any) -> KapiServer:
    """A server, not started yet.

    :raises StartError: when keys or certificates can't be used.
    """
    return KapiServer(config, reactor)


class KapiServer:
    """The running server: owns the store, the chain, the listening port and the controllers."""

    def __init__(self, config: Config, reactor: Any) -> None:
        self.config = config
        self._reactor = reactor
        self.clock = Clock(reactor)
        self.signals = LifecycleSignals()
        self.metrics = Metrics(self.clock)
        self.watches = WatchSettings(config.server.min_request_timeout)
        self._in_flight = InFlight()
        self._pki: PKI = open_pki(config, self.clock)
        self._loopback_token = new_loopback_token()
        self.backend: Backend = open_backend(config, reactor, self.clock)
        schema = BuiltinSchema.load(config.data_directory)
        self.stores = Stores(self.backend.store, schema, self.clock, int(config.storage.event_ttl))
        self._service_accounts = new_service_accounts(
            config.service_accounts.issuer, self._pki.signing_key, self.stores, self.clock)
        self._authentication: Authentication = new_authentication(
            config.authentication, self._pki.authority.certificate, self._pki.admin_token, self.clock,
            [StaticTokens({self._loopback_token: LOOPBACK_USER}), self._service_accounts.tokens])
        authorizer = UnionAuthorizer((SystemMasters(), Discovery(), BasicUser()))
        plugin_writes = PluginWrites()
        resources = Resources.load()
        admission = build_chain(
            PluginParts(reader=self.stores, clock=self.clock, authorizer=authorizer,
                        write_quota_status=plugin_writes.quota_status, create_namespace=plugin_writes.namespace,
                        resources_of_kind=KindLookup(resources)),
            config.admission.enable_plugins, config.admission.disable_plugins)
        self.front = create_server_chain(config, RESTOptions(
            resources, self.stores, schema, admission, self.watches,
            self.clock, Plans(), authorizer,
            TokenReviewer(self._authentication.tokens, self._service_accounts.audiences),
            self._service_accounts.issuer, component_probes(reactor, self.backend.problem)))
        self._install_own_paths()
        self.handler = build_handler_chain(self.front.handle, ChainParts(
            self.clock, self.signals, self._authentication.authenticator, authorizer,
            self._in_flight, self.metrics, config.server.request_timeout))
        self.client = plugin_writes.client = LoopbackClient(self.handler, self._loopback_token, "kube-apiserver")
        self._port: IListeningPort | None = None
        self._hooks_done: set[str] = set()
        self.url = ""

    # -- starting -------------------------------------------------------------------------------------------------

    def start(self) -> Deferred[None]:
        """Open the store, listen, run the post-start hooks; fires when the server is ready."""
        return Deferred.fromCoroutine(self._start())

    async def _start(self) -> None:
        await self.backend.start()
        await self.stores.start()
        self._authentication.start(self.clock)
        self.signals.mux_and_discovery_complete.fire()
        self._listen()
        for name, hook in self.front.all_hooks():
            await hook()
            self._hooks_done.add(name)
        await ensure_system_namespaces(self.client)
        self.signals.has_been_ready.fire()

    def _listen(self) -> None:
        settings, pki = self.config.server, self._pki
        site = KubeSite(self.handler, self._reactor, settings.max_request_body)
        tls = ServerTLS(pki.serving_chain_pem, pki.serving_key_pem, self._authentication.client_authorities)
        factory = TLSFactory(tls, False, site, self._reactor)
        self._port = listen(self._reactor, settings.secure_port, factory, _BACKLOG, settings.bind_address)
        port: int = self._port.getHost().port
        self.url = server_url(settings, port)
        write_admin_kubeconfig(pki, self.url)

    def _install_own_paths(self) -> None:
        tree = self.front.tree
        install_health(tree, self._checks)
        issuer = self._service_accounts.issuer
        install_openid_metadata(tree, issuer.issuer, issuer.signer.key_set(), lambda: self.url)
        tree.route("/metrics", self._metrics)
        from kube_twisted.endpoints.discovery import install_discovery
        from kube_twisted.endpoints.discovery.index import install_index
        from kube_twisted.endpoints.discovery.version import install_version
        install_version(tree, "1.36")
        install_index(tree, self.front.all_paths)
        install_discovery(tree, self.front.all_groups, self.front.delegate.handle, server_address=lambda: self.url.partition("//")[2])
        try:
            from kube_twisted.endpoints.openapi.serving import install_openapi
            install_openapi(tree, self.front.all_groups, BuiltinSchema.load(self.config.data_directory), paths=self.front.all_paths)
        except ImportError as e: print(e)

    async def _version(self, _request: Any) -> Any:
        from kube_twisted.endpoints.request import Response
        return Response(200, b'{"major":"1","minor":"36"}')

    async def _metrics(self, _request: Any) -> Any:
        from kube_twisted.endpoints.request import Response

        return Response(200, self.metrics.render(), CONTENT_TYPE)

    def _checks(self) -> list[HealthCheck]:
        hooks = [HealthCheck(f"poststarthook/{name}", partial(self._hook_problem, name))
                 for name, _ in self.front.all_hooks()]
        signals = self.signals
        return [
            HealthCheck("ping", lambda: None),
            HealthCheck("etcd", self.backend.problem),
            *self.front.all_checks(), *hooks,
            HealthCheck("informer-sync", lambda: None if signals.has_been_ready.fired else "not synced yet", ("readyz",)),
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
            drain=self._in_flight.drained, close_storage=self._close)
        return Deferred.fromCoroutine(sequence.run())

    async def _run_stop_hooks(self) -> None:
        for _, hook in self.front.all_stop_hooks():
            await hook()

    async def _stop_listening(self) -> None:
        if self._port is not None:
            await maybeDeferred(self._port.stopListening)

    async def _end_watches(self) -> None:
        self.watches.end_all()

    async def _close(self) -> None:
        self._authentication.stop()
        self.stores.stop()
        await self.backend.stop()
