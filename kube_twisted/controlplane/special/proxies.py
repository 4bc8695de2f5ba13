"""``pods/proxy``, ``services/proxy`` and ``nodes/proxy``: HTTP into the cluster."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupResource, GroupVersion
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.host_lookup import HostLookup
from kube_twisted.controlplane.special.locations import (
    find,
    is_allowed_address,
    kubelet,
    not_connecting,
    split_name,
)
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.request import Handler, Response
from kube_twisted.endpoints.special.connecting import PROXY_METHODS, ConnectEndpoint, Connection
from kube_twisted.registry.strategy import Obj

_V1 = GroupVersion("", "v1")


def pod_proxy(options: RESTOptions) -> Mapping[str, Handler]:
    return _proxy(options, "pods", "PodProxyOptions", _Proxies(options.stores, options.hosts).pod)


def service_proxy(options: RESTOptions) -> Mapping[str, Handler]:
    return _proxy(options, "services", "ServiceProxyOptions", _Proxies(options.stores, options.hosts).service)


def node_proxy(options: RESTOptions) -> Mapping[str, Handler]:
    return _proxy(options, "nodes", "NodeProxyOptions", _Proxies(options.stores, options.hosts).node)


def _proxy(options: RESTOptions, resource: str, kind: str,
           act: Callable[[Connection], Awaitable[Response]]) -> Mapping[str, Handler]:
    endpoint = ConnectEndpoint(_V1.resource(resource), "proxy", _V1.kind(kind), PROXY_METHODS,
                               options.admission, act, with_path=True)
    return {"connect": endpoint.handle}


@frozen
class _Proxies:
    """Each finds out where the request would go.

    :raises StatusError: 400, 404, 503; 501 when the place would have to be asked.
    """

    stores: Stores
    hosts: HostLookup

    async def pod(self, connection: Connection) -> Response:
        _, name, port = split_name(connection.name, "pod")
        pod = find(self.stores, "pods", connection.namespace, name)
        addresses = (pod.get("status") or {}).get("podIPs") or [{}]
        if not is_allowed_address(addresses[0].get("ip", "")):
            raise errors.bad_request("address not allowed")
        raise not_connecting(f'port {port or _first_port(pod)} of pod "{name}"')

    async def node(self, connection: Connection) -> Response:
        _, name, port = split_name(connection.name, "node")
        await self._check_host(kubelet(self.stores, name))
        raise not_connecting(f'port {port} of node "{name}"' if port else f'the kubelet of node "{name}"')

    async def _check_host(self, host: str) -> None:
        """Only hosts all of whose addresses may be gone to.

        :raises StatusError: 400.
        """
        try:
            addresses = await self.hosts(host)
        except LookupError as error:
            raise errors.bad_request(str(error)) from None
        if not all(map(is_allowed_address, addresses)):
            raise errors.bad_request("address not allowed")

    async def service(self, connection: Connection) -> Response:
        _, name, port = split_name(connection.name, "service")
        namespace = connection.namespace
        port_name = self._port_name(namespace, name, int(port)) if port.isdecimal() else port
        endpoints = self.stores.peek("", "endpoints", namespace, name)
        if endpoints is None:
            raise errors.not_found(GroupResource("", "services"), name)
        subsets = endpoints.get("subsets") or []
        if not subsets:
            raise errors.service_unavailable(f'no endpoints available for service "{name}"')
        for subset in subsets:
            if any(one.get("name", "") == port_name for one in subset.get("ports") or ()):
                for address in subset.get("addresses") or ():
                    if self._is_of_pod(namespace, address):
                        raise not_connecting(f'service "{name}" at {address["ip"]}')
        raise errors.service_unavailable(f'no endpoints available for service "{connection.name}"')

    def _port_name(self, namespace: str, name: str, number: int) -> str:
        for port in find(self.stores, "services", namespace, name).get("spec", {}).get("ports") or ():
            if port["port"] == number:
                found: str = port.get("name", "")
                return found
        raise errors.service_unavailable(f'no service port {number} found for service "{name}"')

    def _is_of_pod(self, namespace: str, address: Obj) -> bool:
        """Only addresses that a pod of the namespace has are gone to."""
        target = address.get("targetRef") or {}
        if target.get("namespace") != namespace:
            return False
        pod = self.stores.peek("", "pods", namespace, target.get("name", ""))
        addresses = ((pod or {}).get("status") or {}).get("podIPs") or ()
        return any(one.get("ip") == address.get("ip") for one in addresses)


def _first_port(pod: Obj) -> int:
    """The port that is meant when none is named: the first of any container, or the scheme's."""
    for container in pod["spec"].get("containers") or ():
        for port in container.get("ports") or ():
            number: int = port["containerPort"]
            return number
    return 80
