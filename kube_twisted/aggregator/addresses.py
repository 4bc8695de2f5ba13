"""Where the Service of an APIService is reached: at its cluster IP, or at one of its endpoints.

Source of the rules: ``ResolveCluster`` and ``ResolveEndpoint`` of k8s.io/apiserver.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from attrs import frozen

from kube_twisted.aggregator.apiservice import ServiceReference
from kube_twisted.api.errors import StatusError, not_found, service_unavailable
from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupResource
from kube_twisted.registry.strategy import Obj
from kube_twisted.webhooks.service_resolver import ServiceAddress, Unroutable

#: The label that tells of which Service an EndpointSlice is.
SERVICE_LABEL = "kubernetes.io/service-name"
_ROUTED = frozenset(("ClusterIP", "LoadBalancer", "NodePort"))
#: What has no address.
NO_ADDRESS = (StatusError, Unroutable)

#: Finds host and port; raises what is in :data:`NO_ADDRESS`.
Resolve = Callable[[ServiceReference], tuple[str, int]]


class ServiceObjects(Protocol):
    """Reads Services and EndpointSlices, as shared data."""

    def peek(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        """An object, None when it isn't there."""

    def peek_all(self, group: str, resource: str, namespace: str = "") -> list[dict[str, Any]]:
        """All objects of a resource in a namespace."""


def slices_of(objects: ServiceObjects, service: ServiceReference) -> list[Obj]:
    """The EndpointSlices of a Service."""
    found = objects.peek_all("discovery.k8s.io", "endpointslices", service.namespace)
    return [one for one in found if (one["metadata"].get("labels") or {}).get(SERVICE_LABEL) == service.name]


def is_ready(endpoint: Obj) -> bool:
    return (endpoint.get("conditions") or {}).get("ready") is not False


@frozen
class ClusterAddresses:
    """Services are reached at their cluster IPs, as pods reach them."""

    objects: ServiceObjects

    def __call__(self, service: ServiceReference) -> tuple[str, int]:
        return ServiceAddress(self.objects, service.namespace, service.name, service.port)()


@frozen
class EndpointAddresses:
    """Services are reached at any of their ready endpoints: also by a server that is outside of their network."""

    objects: ServiceObjects

    def __call__(self, service: ServiceReference) -> tuple[str, int]:
        found = self.objects.peek("", "services", service.namespace, service.name)
        if found is None:
            raise not_found(GroupResource("", "service"), service.name)
        spec = found.get("spec", {})
        if spec.get("type") not in _ROUTED:
            raise Unroutable(f"unsupported service type {go_quote(spec.get('type', ''))}")
        port = next((one for one in spec.get("ports") or () if one["port"] == service.port), None)
        if port is None:
            raise service_unavailable(f"no service port {service.port} found for service {go_quote(service.name)}")
        addresses = list(self._addresses(service, spec, port.get("name", "")))
        if not addresses:
            raise service_unavailable(f"no endpoints available for service {go_quote(service.name)}")
        return random.choice(addresses)

    def _addresses(self, service: ServiceReference, spec: Obj, port_name: str) -> Iterator[tuple[str, int]]:
        """Of the first slice that has any; those of the Service's first IP family come first."""
        family = (spec.get("ipFamilies") or [""])[0]
        slices = sorted(slices_of(self.objects, service), key=lambda one: one.get("addressType") != family)
        for slice_ in slices:
            ready = [one["addresses"][0] for one in slice_.get("endpoints") or () if is_ready(one)]
            ports = [one["port"] for one in slice_.get("ports") or ()
                     if one.get("name", "") == port_name and one.get("port") is not None]
            if ready and ports:
                yield from ((address, ports[0]) for address in ready)
                return


@frozen
class OwnAddress:
    """The Service ``default/kubernetes`` is this server itself; others are found elsewhere.

    :ivar own: tells host and port.
    """

    own: Callable[[], tuple[str, int]]
    others: Resolve

    def __call__(self, service: ServiceReference) -> tuple[str, int]:
        if service == ServiceReference("default", "kubernetes", 443):
            return self.own()
        return self.others(service)
