"""A pod's quality of service class.

Source: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from kube_twisted.registry.podspec.quantities import value

Obj = dict[str, Any]

_COMPUTE = ("cpu", "memory")


def qos_class(spec: Obj) -> str:
    """``Guaranteed``, ``Burstable`` or ``BestEffort``; resources of the pod itself come before its containers'."""
    if "resources" in spec:
        resources = [spec["resources"]]
        all_limited = not spec["resources"].get("limits") or _limits_all(spec["resources"])
    else:
        resources = [one.get("resources") or {} for name in ("containers", "initContainers")
                     for one in spec.get(name) or ()]
        all_limited = all(_limits_all(one) for one in resources)
    requests = _totals(one.get("requests") for one in resources)
    limits = _totals(one.get("limits") for one in resources)
    if not requests and not limits:
        return "BestEffort"
    return "Guaranteed" if all_limited and requests == limits else "Burstable"


def _limits_all(resources: Obj) -> bool:
    limits = resources.get("limits") or {}
    return all(name in limits and value(limits[name]) > 0 for name in _COMPUTE)


def _totals(lists: Iterable[dict[str, str] | None]) -> dict[str, Fraction]:
    totals: dict[str, Fraction] = {}
    for one in lists:
        for name in _COMPUTE if one else ():
            if one and name in one and value(one[name]) > 0:
                totals[name] = totals.get(name, Fraction(0)) + value(one[name])
    return totals
