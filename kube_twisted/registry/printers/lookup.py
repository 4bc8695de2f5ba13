"""Which printer shows which resource."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kube_twisted.registry.printers import (
    admissionregistration,
    apiregistration,
    apps,
    autoscaling,
    batch,
    certificates,
    coordination,
    core,
    event,
    flowcontrol,
    networking,
    node,
    pod,
    policy,
    rbac,
    resource,
    scheduling,
    service,
    storage,
    versions,
    volumes,
)
from kube_twisted.registry.printers.cells import CREATED_AT, NAME, at
from kube_twisted.registry.printers.column import Printer, printer, text
from kube_twisted.registry.printers.documentation import Doc

_MODULES = (
    admissionregistration, apiregistration, apps, autoscaling, batch, certificates, coordination, core,
    event, flowcontrol, networking, node, pod, policy, rbac, resource, scheduling, service, storage,
    versions, volumes,
)
#: Printers of resources by group and plural name.
PRINTERS: Mapping[tuple[str, str], Printer] = MappingProxyType(
    {key: value for module in _MODULES for key, value in module.PRINTERS.items()})

#: What is shown of kinds without a printer of their own, such as Roles and CustomResourceDefinitions.
DEFAULT = printer(NAME, CREATED_AT)

#: Of Status objects of meta.k8s.io.
STATUS = printer(
    text("Status", Doc("meta.v1.Status.status"), at("status")),
    text("Reason", Doc("meta.v1.Status.reason"), at("reason")),
    text("Message", "", at("message")),
)


def printer_for(group: str, resource: str) -> Printer:
    """The printer of a resource, or of a subresource written as ``deployments/scale``."""
    name, _, subresource = resource.partition("/")
    if subresource == "scale":
        return autoscaling.SCALE
    return PRINTERS.get((group, name), DEFAULT)
