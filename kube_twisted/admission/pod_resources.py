"""What a pod requests, and its limits: containers summed up, with init containers, sidecars and the pod's own level.

Source of the formula: KEP-753 (sidecar containers), KEP-1287 (resize in place), KEP-2837 (pod level resources).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kube_twisted.admission.resource_lists import ResourceList, add_to, greatest, parse_list, raise_to, total_of

Obj = dict[str, Any]
#: The resources of one container, given whether its status may count.
_Of = Callable[[Obj, bool], ResourceList]

_POD_LEVEL = ("cpu", "memory")
_HUGE_PAGES = "hugepages-"


def spec_resources(spec: Obj, field: str) -> ResourceList:
    """``requests`` or ``limits`` that the spec alone asks for; of the pod's own level only CPU and memory."""
    total = _sum(spec, lambda container, _: parse_list(container.get("resources", {}).get(field)))
    for name, quantity in parse_list(spec.get("resources", {}).get(field)).items():
        if name in _POD_LEVEL:
            total[name] = quantity
    return total


def has_pod_level(spec: Obj) -> bool:
    """Whether the pod's own level sets a resource that can be set there."""
    resources = spec.get("resources") or {}
    return any(_is_pod_level(name) for field in ("requests", "limits") for name in resources.get(field) or ())


def _is_pod_level(name: str) -> bool:
    return name in _POD_LEVEL or name.startswith(_HUGE_PAGES)


def requests_with_overhead(spec: Obj) -> ResourceList:
    """What the spec alone asks for, with the pod's own level and its overhead."""
    total = _sum(spec, lambda container, _: parse_list(container.get("resources", {}).get("requests")))
    _override(total, spec, "requests")
    add_to(total, parse_list(spec.get("overhead")))
    return total


def effective_requests(pod: Obj) -> ResourceList:
    """What the pod takes: also while a resize is under way, and with its overhead."""
    spec = pod["spec"]
    total = _sum(spec, _Effective(pod, "requests"))
    _override(total, spec, "requests")
    add_to(total, parse_list(spec.get("overhead")))
    return total


def effective_limits(pod: Obj) -> ResourceList:
    """Like :func:`effective_requests`; overhead counts where there is a limit."""
    spec = pod["spec"]
    total = _sum(spec, _Effective(pod, "limits"))
    _override(total, spec, "limits")
    for name, quantity in parse_list(spec.get("overhead")).items():
        if total.get(name):
            total[name] = total[name] + quantity
    return total


def _override(total: ResourceList, spec: Obj, field: str) -> None:
    for name, quantity in parse_list(spec.get("resources", {}).get(field)).items():
        if _is_pod_level(name):
            total[name] = quantity


def _sum(spec: Obj, of: _Of) -> ResourceList:
    """All containers together, or what is needed while starting, whichever is more."""
    total: ResourceList = {}
    for container in spec.get("containers") or ():
        add_to(total, of(container, True))
    sidecars: ResourceList = {}
    starting: ResourceList = {}
    for container in spec.get("initContainers") or ():
        sidecar = container.get("restartPolicy") == "Always"
        own = of(container, sidecar)
        if sidecar:
            add_to(total, own)
            add_to(sidecars, own)
            own = sidecars
        else:
            own = total_of(own, sidecars)
        raise_to(starting, own)
    raise_to(total, starting)
    return total


class _Effective:
    """Resources of a container as asked for, allocated and in use, whichever is most.

    An infeasible resize does not count.
    """

    def __init__(self, pod: Obj, field: str) -> None:
        self._field = field
        status = pod.get("status") or {}
        self._statuses = {one.get("name"): one for key in ("containerStatuses", "initContainerStatuses")
                          for one in status.get(key) or ()}
        self._infeasible = any(one.get("type") == "PodResizePending" and one.get("reason") == "Infeasible"
                               for one in status.get("conditions") or ())

    def __call__(self, container: Obj, use_status: bool) -> ResourceList:
        asked = parse_list(container.get("resources", {}).get(self._field))
        status = self._statuses.get(container.get("name")) if use_status and self._statuses else None
        if status is None or "resources" not in status:
            return asked
        counted = [] if self._infeasible else [asked]
        counted.append(parse_list(status["resources"].get(self._field)))
        if self._field == "requests":
            counted.append(parse_list(status.get("allocatedResources")))
        return greatest(counted)


def is_extended(name: str) -> bool:
    """Whether it is a resource that neither Kubernetes nor a quota defines."""
    return "/" in name and "kubernetes.io/" not in name and not name.startswith("requests.")


def is_best_effort(pod: Obj) -> bool:
    """Whether its quality of service is BestEffort: it asks for neither CPU nor memory."""
    quality = pod.get("status", {}).get("qosClass")
    if quality:
        return bool(quality == "BestEffort")
    lists = (effective_requests(pod), effective_limits(pod))
    return not any(one.get(name) for one in lists for name in _POD_LEVEL)
