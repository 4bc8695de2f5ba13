"""What the aggregator does by itself: registering, checking, and following what other servers serve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import frozen

from kube_twisted.aggregator.addresses import ServiceObjects
from kube_twisted.aggregator.availability import AvailabilityController
from kube_twisted.aggregator.registration import Registration
from kube_twisted.aggregator.remote_discovery import RemoteDiscovery
from kube_twisted.aggregator.remote_openapi import RemoteOpenAPI
from kube_twisted.aggregator.server import APIAggregator
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.discovery import DiscoveryDocuments
from kube_twisted.endpoints.openapi.documents import OpenAPIDocuments
from kube_twisted.registry.store import Store
from kube_twisted.server.generic import Hook
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.server.metrics import Family
from kube_twisted.util.clock import Clock
from kube_twisted.util.signal import Signal


@frozen(kw_only=True)
class ControllerParts:
    """What they work with.

    :ivar objects: reads Services and EndpointSlices.
    :ivar stores: of Services, and of EndpointSlices where there are any.
    :ivar builtin: the built-in group-versions that are served, with their priorities.
    :ivar custom: tells the group-versions of custom resources.
    :ivar ready: fires when this server is ready.
    """

    objects: ServiceObjects
    stores: tuple[Store, Store | None]
    client: LoopbackClient
    clock: Clock
    builtin: Mapping[GroupVersion, tuple[int, int]]
    custom: Callable[[], Iterable[GroupVersion]]
    ready: Signal


class AggregatorControllers:
    """All of them, for one aggregator.

    :ivar registration: to be told of custom resources that come and go.
    """

    def __init__(self, aggregator: APIAggregator, discovery: DiscoveryDocuments, openapi: OpenAPIDocuments,
                 parts: ControllerParts) -> None:
        services, upstreams, clock = aggregator.services, aggregator.upstreams, parts.clock
        self._aggregator = aggregator
        self._parts = parts
        self.registration = Registration(parts.client, services, clock, parts.builtin, parts.custom)
        self._availability = AvailabilityController(
            services, parts.objects, upstreams, parts.client, clock, parts.ready)
        self._discovery = RemoteDiscovery(services, upstreams, clock, discovery.invalidate)
        self._openapi = RemoteOpenAPI(services, upstreams, aggregator.proxy, clock, openapi)
        services.on_change.append(lambda _name: discovery.invalidate())
        aggregator.changing_groups = self._discovery.groups

    def follow(self) -> None:
        """Know all APIServices, from now on; before the first request."""
        self._aggregator.services.follow()
        self._availability.follow(*self._parts.stores)

    def hooks(self) -> list[tuple[str, Hook]]:
        """To be run once the server listens; none when APIServices are switched off."""
        if not self._aggregator.is_enabled:
            return []
        return [("kube-apiserver-autoregistration", self.registration.start),
                ("apiservice-status-available-controllers", _started(self._availability.start)),
                ("apiservice-discovery-controller", _started(self._discovery.start)),
                ("apiservice-openapi-controllers", _started(self._openapi.start))]

    def families(self) -> list[Family]:
        """Metrics."""
        return self._availability.metrics.families()

    async def stop(self) -> None:
        """Begin no more work; wait for what is under way."""
        await self.registration.stop()
        await self._availability.stop()
        await self._discovery.stop()
        await self._openapi.stop()


def _started(start: Callable[[], None]) -> Hook:
    async def hook() -> None:
        start()

    return hook
