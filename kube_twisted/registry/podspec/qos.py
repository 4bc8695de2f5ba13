"""A pod's quality of service class.

Source: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kube_twisted.registry.podspec.quantities import parsed

Obj = dict[str, Any]

_COMPUTE = ("cpu", "memory")


def qos_class(spec: Obj) -> str:
    """``Guaranteed``, ``Burstable`` or ``BestEffort``; the pod's own resources come before those inside."""
    if "resources" in spec:
        resources = [spec["resources"]]
        all_limited = not spec["resources"].get("limits") or _limits_all(spec["resources"])
    else:
        resources = [one.get("resources") or {} for name in ("containers", "initContainers") if name in spec
                     for one in spec[name] or ()]
        all_limited = all(map(_limits_all, resources))
    if not all_limited:
        asks = any(_asks(one.get("requests")) or _asks(one.get("limits")) for one in resources)
        return "Burstable" if asks else "BestEffort"
    requests = _totals(one.get("requests") for one in resources)
    limits = _totals(one.get("limits") for one in resources)
    if not requests and not limits:
        return "BestEffort"
    return "Guaranteed" if requests == limits else "Burstable"


def _asks(amounts: dict[str, str] | None) -> bool:
    return amounts is not None and any(name in amounts and parsed(amounts[name]).sign > 0 for name in _COMPUTE)


def _limits_all(resources: Obj) -> bool:
    limits = resources.get("limits") or {}
    return all(name in limits and parsed(limits[name]).sign > 0 for name in _COMPUTE)


def _totals(lists: Iterable[dict[str, str] | None]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for one in lists:
        for name in _COMPUTE if one else ():
            if one and name in one and parsed(one[name]).sign > 0:
                totals[name] = totals.get(name, 0) + parsed(one[name]).nanos
    return totals
