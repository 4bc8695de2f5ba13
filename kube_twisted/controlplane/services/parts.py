"""Puts together what Services hold, from the configuration and the stores of other resources."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Protocol

from kube_twisted.api.gvk import GroupResource, GroupVersionKind
from kube_twisted.config.services import ServiceSettings
from kube_twisted.controlplane.services.addresses import Addresses
from kube_twisted.controlplane.services.networks import ServiceNetworks, family_of
from kube_twisted.controlplane.services.node_port_range import NodePortRange
from kube_twisted.controlplane.services.node_ports import NodePorts
from kube_twisted.controlplane.services.service_store import ServiceParts
from kube_twisted.registry.core import endpoints
from kube_twisted.registry.networking import ipaddress, servicecidr
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Strategy
from kube_twisted.storage.interfaces import IStore

SERVICES = GroupResource("", "services")
_NETWORKING = "networking.k8s.io"


class ObtainStore(Protocol):
    """Finds or makes the store of a resource."""

    def __call__(self, resource: GroupResource, kind: GroupVersionKind, namespaced: bool,
                 strategy: Strategy) -> Store: ...


def service_parts(settings: ServiceSettings, storage: IStore, obtain: ObtainStore) -> ServiceParts:
    """The stores are made even where their resources are not served."""
    ip_addresses = obtain(GroupResource(_NETWORKING, "ipaddresses"),
                          GroupVersionKind(_NETWORKING, "v1", "IPAddress"), False, ipaddress.STRATEGY)
    cidrs = obtain(GroupResource(_NETWORKING, "servicecidrs"),
                   GroupVersionKind(_NETWORKING, "v1", "ServiceCIDR"), False, servicecidr.STRATEGY)
    return ServiceParts(
        tuple(family_of(ip_network(one)) for one in settings.cluster_ip_ranges),
        Addresses(ip_addresses.cache, ServiceNetworks(cidrs.cache), ip_address(settings.api_server_ip)),
        NodePorts(storage, NodePortRange(*settings.node_port_range)),
        ip_addresses,
        obtain(GroupResource("", "endpoints"), GroupVersionKind("", "v1", "Endpoints"), True, endpoints.STRATEGY))
