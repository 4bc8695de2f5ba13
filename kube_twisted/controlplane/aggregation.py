"""The aggregator in the server chain: what it is made of, and what it learns of the servers behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from kube_twisted.aggregator.addresses import ClusterAddresses, EndpointAddresses, OwnAddress
from kube_twisted.aggregator.apiservice import GROUP, RESOURCE
from kube_twisted.aggregator.controllers import AggregatorControllers, ControllerParts
from kube_twisted.aggregator.registration import Registration
from kube_twisted.aggregator.server import APIAggregator
from kube_twisted.aggregator.upstream import Upstreams
from kube_twisted.api.gvk import GroupResource, GroupVersion, GroupVersionKind
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.apiextensions.handler import CustomResourceHandler
from kube_twisted.controlplane.bootstrap.authentication_trust import Trust
from kube_twisted.controlplane.completed import CompletedConfig
from kube_twisted.endpoints.discovery import DiscoveryDocuments
from kube_twisted.endpoints.openapi.documents import OpenAPIDocuments
from kube_twisted.registry.apiregistration import apiservice
from kube_twisted.server.generic import GenericAPIServer
from kube_twisted.server.lifecycle import LifecycleSignals
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.server.pki import FRONT_PROXY_USER
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watcher import WatchEvent
from kube_twisted.util.tls import Identity


def new_aggregator(completed: CompletedConfig, kube: GenericAPIServer, url: Callable[[], str]) -> APIAggregator:
    """The first server of the chain, without its own group yet.

    :param url: where this server can be reached; known once it listens.
    """
    stores, proxy = completed.stores, completed.pki.front_proxy
    store = stores.obtain(GroupResource(GROUP, RESOURCE), GroupVersionKind(GROUP, "v1", "APIService"), False,
                          apiservice.STRATEGY)

    def own() -> tuple[str, int]:
        parts = urlsplit(url())
        return parts.hostname or "", parts.port or 443

    identity = Identity(proxy.certificate_pem(), proxy.key_pem())
    addresses = EndpointAddresses if completed.config.services.endpoint_routing else ClusterAddresses
    resolve = OwnAddress(own, addresses(stores))
    return APIAggregator(kube, store, Upstreams(completed.https, resolve, identity), completed.clock)


def new_controllers(aggregator: APIAggregator, custom: CustomResourceHandler, completed: CompletedConfig,
                    documents: tuple[DiscoveryDocuments, OpenAPIDocuments], client: LoopbackClient,
                    signals: LifecycleSignals) -> AggregatorControllers:
    """What the aggregator does by itself, with all that it must be told."""
    stores = completed.stores
    controllers = AggregatorControllers(aggregator, *documents, ControllerParts(
        objects=stores, stores=(stores.services, stores.store("discovery.k8s.io", "endpointslices")), client=client,
        clock=completed.clock, builtin=_builtin(aggregator, completed), custom=lambda: _served(custom),
        ready=signals.has_been_ready))
    stores.definitions.cache.add(_DefinitionFollower(controllers.registration))
    return controllers


def trust(completed: CompletedConfig) -> Trust:
    """What the servers behind the aggregator are told: who this server believes, and how it tells them who asks."""
    return Trust(client_authorities=completed.authentication.client_authorities,
                 proxy_authorities=(completed.pki.front_proxy_authority.certificate,),
                 username_headers=("X-Remote-User",), uid_headers=("X-Remote-Uid",),
                 group_headers=("X-Remote-Group",), extra_prefixes=("X-Remote-Extra-",),
                 allowed_names=(FRONT_PROXY_USER,))


def _builtin(aggregator: APIAggregator, completed: CompletedConfig) -> dict[GroupVersion, tuple[int, int]]:
    """The group-versions of the servers behind the aggregator, with their priorities."""
    priorities = {facts.group_version: facts.priority
                  for versions in completed.resources.groups.values() for facts in versions}
    return {version.group_version: priorities[version.group_version]
            for group in aggregator.delegate.installed_groups() for version in group.versions}


def _served(custom: CustomResourceHandler) -> Iterator[GroupVersion]:
    """The group-versions of custom resources, established or not."""
    return (version.group_version for definition in custom.definitions for version in definition.served)


class _DefinitionFollower:
    """Tells of group-versions that come and go with definitions."""

    def __init__(self, registration: Registration) -> None:
        self.selection = Selection()
        self._registration = registration

    def deliver(self, change: WatchEvent) -> None:
        for item in (change.old, change.item):
            if item is not None:
                for version in Definition(item.peek()).versions.values():
                    self._registration.look_at(version.group_version)

    def end(self) -> None:
        """The server stops."""
