"""The IPAddress object that stands for a cluster IP in use."""

from __future__ import annotations

from kube_twisted.registry.addresses import parse_ip
from kube_twisted.registry.objectmeta import new_uid
from kube_twisted.registry.strategy import Obj

FAMILY_LABEL, MANAGER_LABEL = "ipaddress.kubernetes.io/ip-family", "ipaddress.kubernetes.io/managed-by"
#: Who makes IPAddresses for Services.
ALLOCATOR = "ipallocator.k8s.io"
_FIELDS: Obj = {
    "f:metadata": {"f:labels": {".": {}, f"f:{FAMILY_LABEL}": {}, f"f:{MANAGER_LABEL}": {}}},
    "f:spec": {"f:parentRef": {".": {}, "f:name": {}, "f:namespace": {}, "f:resource": {}}},
}


def labels_for(name: str) -> dict[str, str]:
    """The labels of the object for an address."""
    address = parse_ip(name)
    return {FAMILY_LABEL: f"IPv{address.version}" if address is not None else "", MANAGER_LABEL: ALLOCATOR}


def parent_of(namespace: str, name: str) -> dict[str, str]:
    """The reference to the Service that has the address."""
    return {"resource": "services", "namespace": namespace, "name": name}


def ip_address_object(address: str, namespace: str, name: str, now: str) -> Obj:
    """A new IPAddress for the Service ``namespace/name``.

    :param address: in canonical form.
    """
    return {
        "kind": "IPAddress", "apiVersion": "networking.k8s.io/v1",
        "metadata": {
            "name": address, "uid": new_uid(), "creationTimestamp": now, "labels": labels_for(address),
            "managedFields": [{
                "manager": "kube-apiserver", "operation": "Update", "apiVersion": "networking.k8s.io/v1", "time": now,
                "fieldsType": "FieldsV1", "fieldsV1": _FIELDS}]},
        "spec": {"parentRef": parent_of(namespace, name)},
    }
