"""Whether the Service of an APIService can be there: what Services and EndpointSlices tell, without asking anybody."""

from __future__ import annotations

from kube_twisted.aggregator.addresses import ServiceObjects, is_ready, slices_of
from kube_twisted.aggregator.apiservice import ServiceReference
from kube_twisted.aggregator.conditions import Availability, unavailable
from kube_twisted.api.field import go_quote
from kube_twisted.registry.strategy import Obj


def check_service(objects: ServiceObjects, service: ServiceReference) -> Availability | None:
    """Why nobody needs to ask there; None when it is worth it."""
    found = objects.peek("", "services", service.namespace, service.name)
    named = f"service/{service.name} in {go_quote(service.namespace)}"
    if found is None:
        return unavailable("ServiceNotFound", f"{named} is not present")
    spec = found.get("spec", {})
    if spec.get("type") != "ClusterIP":
        return None
    port = next((one for one in spec.get("ports") or () if one["port"] == service.port), None)
    if port is None:
        return unavailable("ServicePortError", f"{named} is not listening on port {service.port}")
    slices = slices_of(objects, service)
    if not slices:
        return unavailable("EndpointsNotFound", f"cannot find endpointslices for {named}")
    port_name = port.get("name", "")
    if not any(_serves(one, port_name) for one in slices):
        return unavailable("MissingEndpoints",
                           f"endpointslices for {named} have no addresses with port name {go_quote(port_name)}")
    return None


def _serves(slice_: Obj, port_name: str) -> bool:
    """Whether it has a ready endpoint, and the port."""
    return (any(map(is_ready, slice_.get("endpoints") or ()))
            and any(one.get("name") == port_name and one.get("port") is not None for one in slice_.get("ports") or ()))
