"""Conditions of a pod that the API server itself sets."""

from __future__ import annotations

from kube_twisted.registry.strategy import Obj


def set_pod_condition(pod: Obj, now: str, type_: str, reason: str = "", message: str = "") -> None:
    """Have the condition be true; it keeps the time of its transition when it was true before."""
    conditions = pod.setdefault("status", {}).setdefault("conditions", [])
    condition: Obj = {"type": type_, "status": "True", "lastProbeTime": None, "lastTransitionTime": now}
    if reason:
        condition["reason"] = reason
    if message:
        condition["message"] = message
    for index, old in enumerate(conditions):
        if old.get("type") == type_:
            if old.get("status") == "True":
                condition["lastTransitionTime"] = old.get("lastTransitionTime")
            conditions[index] = condition
            return
    conditions.append(condition)


def is_ready(pod: Obj) -> bool:
    """Whether the condition Ready is true."""
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(one.get("type") == "Ready" and one.get("status") == "True" for one in conditions)
