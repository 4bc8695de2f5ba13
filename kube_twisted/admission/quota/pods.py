"""What pods use: their number, and the requests and limits of those that have not ended.

Source of the rules: the Kubernetes documentation, "Resource Quotas".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.pod_resources import (
    effective_limits,
    effective_requests,
    has_pod_level,
    is_best_effort,
    is_extended,
)
from kube_twisted.admission.quota.evaluator import Evaluator, Obj, selects
from kube_twisted.admission.resource_lists import ONE, ResourceList, parse_list
from kube_twisted.admission.resources import PODS
from kube_twisted.api.timefmt import parse_time
from kube_twisted.util.clock import Clock

_COUNT = "count/pods"
_COMPUTE = ("cpu", "memory", "ephemeral-storage")
_NAMES = frozenset({_COUNT, "pods"} | {prefix + name for prefix in ("", "requests.", "limits.") for name in _COMPUTE})
_HUGE_PAGES = ("hugepages-", "requests.hugepages-")
_DEVICE_CLASS = "deviceclass.resource.kubernetes.io/"
#: A quota over these obliges every container to say how much it wants.
_OBLIGATORY = frozenset(prefix + name for prefix in ("", "requests.", "limits.") for name in ("cpu", "memory"))


class PodEvaluator(Evaluator):
    """Measures pods.

    :param clock: tells which pods in deletion should be gone by now.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__(PODS)
        self._clock = clock

    def handles(self, attributes: Attributes) -> bool:
        if attributes.subresource == "resize":
            return attributes.operation == "UPDATE"
        if attributes.subresource:
            return False
        if attributes.operation == "CREATE":
            return True
        obj, old = attributes.obj, attributes.old
        return (attributes.operation == "UPDATE" and obj is not None and old is not None
                and _is_terminating(obj) != _is_terminating(old))

    def matching(self, names: Iterable[str]) -> list[str]:
        return [name for name in names
                if name in _NAMES or name.startswith(_HUGE_PAGES) or _is_extended_request(name)]

    def in_scope(self, scope: Mapping[str, Any], obj: Obj) -> bool:
        name = scope["scopeName"]
        if name == "PriorityClass":
            chosen = obj["spec"].get("priorityClassName")
            return selects(scope, [chosen] if chosen else [])
        if name in ("Terminating", "NotTerminating"):
            return _is_terminating(obj) is (name == "Terminating")
        if name in ("BestEffort", "NotBestEffort"):
            return is_best_effort(obj) is (name == "BestEffort")
        return bool(name == "CrossNamespacePodAffinity") and _has_affinity_across_namespaces(obj["spec"])

    def missing(self, required: list[str], obj: Obj) -> str:
        spec = obj["spec"]
        if has_pod_level(spec):
            return ""
        found: dict[str, set[str]] = {}
        for field in ("containers", "initContainers"):
            for container in spec.get(field) or ():
                resources = container.get("resources") or {}
                usage = _compute_usage(parse_list(resources.get("requests")), parse_list(resources.get("limits")))
                for name in _OBLIGATORY.intersection(required).difference(usage):
                    found.setdefault(name, set()).add(container.get("name", ""))
        if not found:
            return ""
        return "must specify " + "; ".join(f"{name} for: {','.join(sorted(found[name]))}" for name in sorted(found))

    def usage(self, obj: Obj) -> ResourceList:
        usage: ResourceList = {_COUNT: ONE}
        if not self._has_ended(obj):
            usage.update(_compute_usage(effective_requests(obj), effective_limits(obj)))
        return usage

    def _has_ended(self, pod: Obj) -> bool:
        """Whether it no longer takes resources: also when it is stuck in deletion, past its grace."""
        if pod.get("status", {}).get("phase") in ("Failed", "Succeeded"):
            return True
        deletion, grace = (pod["metadata"].get(key) for key in ("deletionTimestamp", "deletionGracePeriodSeconds"))
        if deletion is None or grace is None:
            return False
        return self._clock.now() > parse_time(deletion) + timedelta(seconds=grace)


def _compute_usage(requests: ResourceList, limits: ResourceList) -> ResourceList:
    """Requests and limits under the names that quotas have for them."""
    usage: ResourceList = {"pods": ONE}
    for name, quantity in requests.items():
        if name in _COMPUTE or name.startswith("hugepages-"):
            usage[name] = usage["requests." + name] = quantity
        elif is_extended(name) or name.startswith(_DEVICE_CLASS):
            usage["requests." + name] = quantity
    for name in _COMPUTE:
        if name in limits:
            usage["limits." + name] = limits[name]
    return usage


def _is_extended_request(name: str) -> bool:
    if not name.startswith("requests."):
        return False
    return ("/" in name and "kubernetes.io/" not in name) or name.startswith("requests." + _DEVICE_CLASS)


def _is_terminating(pod: Obj) -> bool:
    return int(pod["spec"].get("activeDeadlineSeconds", -1)) >= 0


def _has_affinity_across_namespaces(spec: Obj) -> bool:
    affinity = spec.get("affinity") or {}
    for kind in ("podAffinity", "podAntiAffinity"):
        rules = affinity.get(kind) or {}
        terms = list(rules.get("requiredDuringSchedulingIgnoredDuringExecution") or ())
        terms += [one["podAffinityTerm"] for one in rules.get("preferredDuringSchedulingIgnoredDuringExecution") or ()]
        if any(one.get("namespaces") or "namespaceSelector" in one for one in terms):
            return True
    return False
