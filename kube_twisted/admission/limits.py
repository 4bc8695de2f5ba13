"""The bounds of a LimitRange: minimum, maximum, and ratio of limit to request, of one container, pod or claim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kube_twisted.admission.pod_resources import spec_resources
from kube_twisted.admission.resource_lists import ZERO, ResourceList, parse_list
from kube_twisted.api.quantity import Quantity

Obj = dict[str, Any]
#: Up to this amount the original compares thousandths, above it whole numbers.
_MAX_MILLI = ((1 << 63) - 1) // 1000


def broken_pod_limits(limit_range: Obj, pod: Obj) -> list[str]:
    """What is wrong with a pod."""
    found: list[str] = []
    spec = pod["spec"]
    for limit in limit_range["spec"].get("limits") or ():
        if limit["type"] == "Container":
            for field in ("containers", "initContainers"):
                for container in spec.get(field) or ():
                    resources = container.get("resources") or {}
                    found += _broken(limit, parse_list(resources.get("requests")),
                                     parse_list(resources.get("limits")))
        elif limit["type"] == "Pod":
            found += _broken(limit, spec_resources(spec, "requests"), spec_resources(spec, "limits"))
    return found


def broken_claim_limits(limit_range: Obj, claim: Obj) -> list[str]:
    """What is wrong with a PersistentVolumeClaim: only its requests count."""
    found: list[str] = []
    requests = parse_list(claim["spec"].get("resources", {}).get("requests"))
    for limit in limit_range["spec"].get("limits") or ():
        if limit["type"] == "PersistentVolumeClaim":
            for name, bound in _bounds(limit, "min"):
                found += _below(limit["type"], name, bound, requests, {})
            for name, bound in _bounds(limit, "max"):
                found += _request_above(limit["type"], name, bound, requests)
    return found


def _broken(limit: Obj, requests: ResourceList, limits: ResourceList) -> Iterator[str]:
    kind = limit["type"]
    for name, bound in _bounds(limit, "min"):
        yield from _below(kind, name, bound, requests, limits)
    for name, bound in _bounds(limit, "max"):
        yield from _above(kind, name, bound, requests, limits)
    for name, bound in _bounds(limit, "maxLimitRequestRatio"):
        yield from _disproportionate(kind, name, bound, requests, limits)


def _bounds(limit: Obj, field: str) -> list[tuple[str, Quantity]]:
    return sorted(parse_list(limit.get(field)).items())


def _comparable(*quantities: Quantity) -> tuple[int, ...]:
    if all(one.value() <= _MAX_MILLI for one in quantities):
        return tuple(one.milli() for one in quantities)
    return tuple(one.value() for one in quantities)


def _below(kind: str, name: str, bound: Quantity, requests: ResourceList, limits: ResourceList) -> Iterator[str]:
    request, limit = requests.get(name), limits.get(name)
    asked, granted, wanted = _comparable(request or ZERO, limit or ZERO, bound)
    start = f"minimum {name} usage per {kind} is {bound}"
    if request is None:
        yield f"{start}.  No request is specified"
    elif asked < wanted:
        yield f"{start}, but request is {request}"
    elif limit is not None and granted < wanted:
        yield f"{start}, but limit is {limit}"


def _request_above(kind: str, name: str, bound: Quantity, requests: ResourceList) -> Iterator[str]:
    request = requests.get(name)
    asked, wanted = _comparable(request or ZERO, bound)
    start = f"maximum {name} usage per {kind} is {bound}"
    if request is None:
        yield f"{start}.  No request is specified"
    elif asked > wanted:
        yield f"{start}, but request is {request}"


def _above(kind: str, name: str, bound: Quantity, requests: ResourceList, limits: ResourceList) -> Iterator[str]:
    request, limit = requests.get(name), limits.get(name)
    asked, granted, wanted = _comparable(request or ZERO, limit or ZERO, bound)
    start = f"maximum {name} usage per {kind} is {bound}"
    if limit is None:
        yield f"{start}.  No limit is specified"
    elif granted > wanted:
        yield f"{start}, but limit is {limit}"
    elif request is not None and asked > wanted:
        yield f"{start}, but request is {request}"


def _disproportionate(kind: str, name: str, bound: Quantity, requests: ResourceList,
                      limits: ResourceList) -> Iterator[str]:
    asked, granted = _comparable(requests.get(name, ZERO), limits.get(name, ZERO))
    start = f"{name} max limit to request ratio per {kind} is {bound}"
    if not asked:
        yield f"{start}, but no request is specified or request is 0"
    elif not granted:
        yield f"{start}, but no limit is specified or limit is 0"
    elif granted / asked > bound.milli() / 1000:
        yield f"{start}, but provided ratio is {granted / asked:f}"
