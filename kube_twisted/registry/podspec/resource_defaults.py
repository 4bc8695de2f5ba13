"""Defaults of resources that only pods have, not pod templates: requests from limits, pod-level sums.

Source: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/ and KEP-2837.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kube_twisted.registry.podspec.quantities import add, compare

Obj = dict[str, Any]
ResourceList = dict[str, str]

_HUGE_PAGES = "hugepages-"


def default_pod_resources(spec: Obj) -> None:
    """Requests of containers from their limits, then those of the pod itself."""
    for name in ("containers", "initContainers"):
        for container in spec.get(name) or ():
            limits = (container.get("resources") or {}).get("limits")
            if limits:
                container["resources"]["requests"] = limits | (container["resources"].get("requests") or {})
    resources = spec.get("resources")
    if resources:
        _default_huge_page_limits(spec, resources)
        _default_requests(spec, resources)


def _default_huge_page_limits(spec: Obj, resources: Obj) -> None:
    limits = resources.get("limits") or {}
    requests = resources.get("requests") or {}
    if not limits and not requests:
        return
    for name, quantity in aggregate(spec, "limits").items():
        if name.startswith(_HUGE_PAGES) and name not in requests:
            limits = {name: quantity} | limits
    if limits:
        resources["limits"] = limits


def _default_requests(spec: Obj, resources: Obj) -> None:
    limits = resources.get("limits")
    if not limits:
        return
    requests = dict(resources.get("requests") or {})
    for name, quantity in aggregate(spec, "requests").items():
        if name in ("cpu", "memory"):
            requests.setdefault(name, quantity)
    for name, quantity in limits.items():
        if name in ("cpu", "memory") or name.startswith(_HUGE_PAGES):
            requests.setdefault(name, quantity)
    if requests:
        resources["requests"] = requests


def aggregate(spec: Obj, kind: str) -> ResourceList:
    """What the containers need together: regular ones and sidecars at once, or the hungriest init container.

    :param kind: ``limits`` or ``requests``.
    """
    total = _sum(_lists(spec.get("containers"), kind))
    sidecars: ResourceList = {}
    peak: ResourceList = {}
    for container in spec.get("initContainers") or ():
        wanted = (container.get("resources") or {}).get(kind) or {}
        if container.get("restartPolicy") == "Always":
            total = _sum((total, wanted))
            sidecars = _sum((sidecars, wanted))
            wanted = sidecars
        else:
            wanted = _sum((wanted, sidecars))
        peak = _maximum(peak, wanted)
    return _maximum(total, peak)


def _lists(containers: list[Obj] | None, kind: str) -> Iterable[ResourceList]:
    return ((one.get("resources") or {}).get(kind) or {} for one in containers or ())


def _sum(lists: Iterable[ResourceList]) -> ResourceList:
    total: ResourceList = {}
    for one in lists:
        for name, quantity in one.items():
            total[name] = add(total[name], quantity) if name in total else quantity
    return total


def _maximum(first: ResourceList, second: ResourceList) -> ResourceList:
    largest = dict(first)
    for name, quantity in second.items():
        if name not in largest or compare(quantity, largest[name]) > 0:
            largest[name] = quantity
    return largest
