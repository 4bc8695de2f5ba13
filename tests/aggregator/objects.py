"""Objects that tests of the aggregator need."""

from __future__ import annotations

from typing import Any

from kube_twisted.aggregator.apiservice import API_VERSION

Obj = dict[str, Any]


def api_service(version: str, group: str, priority: tuple[int, int] = (1000, 100), status: str = "",
                **spec: Any) -> Obj:
    """An APIService.

    :param status: of its condition; empty for none.
    """
    obj: Obj = {"apiVersion": API_VERSION, "kind": "APIService", "metadata": {"name": f"{version}.{group}"}, "spec": {
        "group": group, "version": version, "groupPriorityMinimum": priority[0], "versionPriority": priority[1],
        **spec}}
    if status:
        obj["status"] = {"conditions": [{"type": "Available", "status": status}]}
    return obj


def slice_(name: str, *endpoints: Obj, ports: Any = ({"name": "https", "port": 8443},), **more: Any) -> Obj:
    """An EndpointSlice of the Service ``ns/<name>``."""
    return {"metadata": {"namespace": "ns", "labels": {"kubernetes.io/service-name": name}},
            "addressType": "IPv4", "endpoints": list(endpoints), "ports": list(ports), **more}


def endpoint(address: str, ready: bool | None = None) -> Obj:
    return {"addresses": [address], "conditions": {} if ready is None else {"ready": ready}}


class Objects:
    """Services, EndpointSlices: the Service ``ns/web`` is there if it has a spec."""

    def __init__(self, spec: Obj | None, *slices: Obj) -> None:
        self.spec = spec
        self.slices = list(slices)

    def peek(self, group: str, resource: str, namespace: str, name: str) -> Obj | None:
        known = (group, resource, namespace, name) == ("", "services", "ns", "web")
        return {"spec": self.spec} if known and self.spec is not None else None

    def peek_all(self, group: str, resource: str, namespace: str = "") -> list[Obj]:
        assert (group, resource) == ("discovery.k8s.io", "endpointslices")
        return [one for one in self.slices if one["metadata"]["namespace"] == namespace]
