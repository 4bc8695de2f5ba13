"""Where connections to pods and nodes would go; this server does not make them yet.

Source of the rules: the API reference of the subresources that connect.
"""

from __future__ import annotations

from ipaddress import ip_address

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupResource
from kube_twisted.controlplane.stores import Stores
from kube_twisted.registry.strategy import Obj

_CONTAINER_LISTS = ("initContainers", "containers", "ephemeralContainers")
#: Types of a node's addresses, the preferred first.
_PREFERRED_ADDRESSES = ("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP")
_SCHEMES = ("", "http", "https")


def not_connecting(what: str) -> errors.StatusError:
    """501: all is well, but this server makes no connections into the cluster.

    :param what: such as ``the kubelet of node "a"``.
    """
    return errors.StatusError(501, "NotImplemented",
                              f"this server does not connect to nodes and pods yet: {what} was not asked")


def find(stores: Stores, resource: str, namespace: str, name: str) -> Obj:
    """The object, not to be changed.

    :raises StatusError: 404.
    """
    obj = stores.peek("", resource, namespace, name)
    if obj is None:
        raise errors.not_found(GroupResource("", resource), name)
    return obj


def chosen_container(pod: Obj, asked: str) -> str:
    """The container that is meant: the one that is asked for, else the only one.

    :raises StatusError: 400.
    """
    spec, name = pod["spec"], pod["metadata"]["name"]
    every: list[str] = [one["name"] for key in _CONTAINER_LISTS for one in spec.get(key) or ()]
    if asked:
        if asked not in every:
            raise errors.bad_request(f"container {asked} is not valid for pod {name}")
        return asked
    containers = spec.get("containers") or []
    if len(containers) == 1:
        only: str = containers[0]["name"]
        return only
    choice = f", choose one of: [{' '.join(every)}]" if containers else ""
    raise errors.bad_request(f"a container name must be specified for pod {name}{choice}")


def kubelet(stores: Stores, node: str) -> str:
    """The host under which a node's kubelet is found.

    :raises StatusError: 404; 500 when the node tells no address.
    """
    addresses = find(stores, "nodes", "", node).get("status", {}).get("addresses") or []
    for wanted in _PREFERRED_ADDRESSES:
        for one in addresses:
            if one.get("type") == wanted:
                address: str = one["address"]
                return address
    known = " ".join(f"{{{one.get('type')} {one.get('address')}}}" for one in addresses)
    raise errors.plain_internal(f"no preferred addresses found; known addresses: [{known}]")


def split_name(text: str, what: str) -> tuple[str, str, str]:
    """``[scheme:]name[:port]``: (scheme, name, port).

    :raises StatusError: 400.
    """
    parts = text.split(":")
    if len(parts) < 3:
        parts.insert(0, "")
    scheme, name, port = (*parts, "")[:3]
    if len(parts) > 3 or not name or scheme not in _SCHEMES:
        raise errors.bad_request(f'invalid {what} request "{text}"')
    return scheme, name, port


def is_allowed_address(text: str) -> bool:
    """Whether a proxy may go there: to no loopback, link-local or multicast address."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified
                or text == "255.255.255.255")
