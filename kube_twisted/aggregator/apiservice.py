"""What the aggregator reads of an APIService."""

from __future__ import annotations

import base64

from attrs import frozen

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.registry.strategy import Obj

GROUP, RESOURCE = "apiregistration.k8s.io", "apiservices"
API_VERSION = f"{GROUP}/v1"
#: The collection of all.
PATH = f"/apis/{API_VERSION}/{RESOURCE}"
AVAILABLE = "Available"
_HTTPS_PORT = 443


@frozen
class ServiceReference:
    """A port of a Service."""

    namespace: str
    name: str
    port: int

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}:{self.port}"


@frozen
class APIService:
    """Who serves a group-version.

    :ivar priority: groupPriorityMinimum and versionPriority.
    :ivar service: where another server is; None when this one serves the group-version.
    :ivar authorities_pem: whom that server's certificate must be signed by; when None, by whom the system trusts.
    :ivar verified: whether its certificate is looked at.
    :ivar available: whether its last check was good.
    """

    name: str
    group_version: GroupVersion
    priority: tuple[int, int]
    service: ServiceReference | None
    authorities_pem: bytes | None
    verified: bool
    available: bool

    @property
    def prefix(self) -> str:
        """The path of the group-version; that of the core group stands for all its versions."""
        return f"/apis/{self.group_version}" if self.group_version.group else "/api"

    @property
    def root(self) -> str:
        """The path of the group-version's list of resources."""
        version = self.group_version
        return f"/apis/{version}" if version.group else f"/api/{version.version}"


def read(obj: Obj) -> APIService:
    """An APIService as it is stored."""
    spec, name = obj["spec"], obj["metadata"]["name"]
    service = spec.get("service")
    reference = None
    if service is not None:
        reference = ServiceReference(service["namespace"], service["name"], service.get("port", _HTTPS_PORT))
    return APIService(
        name, GroupVersion(spec.get("group", ""), spec["version"]),
        (spec.get("groupPriorityMinimum", 0), spec.get("versionPriority", 0)), reference,
        base64.b64decode(spec.get("caBundle") or "") or None, not spec.get("insecureSkipTLSVerify", False),
        is_available(obj))


def name_of(group_version: GroupVersion) -> str:
    """What the APIService of a group-version is called."""
    return f"{group_version.version}.{group_version.group}"


def is_available(obj: Obj) -> bool:
    """Whether its condition says so."""
    conditions = obj.get("status", {}).get("conditions") or ()
    return any(one["type"] == AVAILABLE and one["status"] == "True" for one in conditions)
