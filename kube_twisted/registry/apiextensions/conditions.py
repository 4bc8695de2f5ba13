"""Conditions of CustomResourceDefinitions."""

from __future__ import annotations

from kube_twisted.registry.strategy import Obj

ESTABLISHED = "Established"
NAMES_ACCEPTED = "NamesAccepted"
TERMINATING = "Terminating"
NON_STRUCTURAL = "NonStructuralSchema"
API_APPROVAL = "KubernetesAPIApprovalPolicyConformant"
#: Holds a definition back until its objects are deleted.
CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io"


def find(crd: Obj, type_: str) -> Obj | None:
    """The condition of a type."""
    conditions: list[Obj] = crd.get("status", {}).get("conditions") or []
    return next((one for one in conditions if one["type"] == type_), None)


def is_true(crd: Obj, type_: str) -> bool:
    """Whether the definition has the condition with status True."""
    found = find(crd, type_)
    return found is not None and found["status"] == "True"


def condition(type_: str, status: str, reason: str, message: str) -> Obj:
    return {"type": type_, "status": status, "reason": reason, "message": message}


def set_condition(crd: Obj, wanted: Obj, now: str) -> None:
    """Add the condition, or bring the one of its type up to date; its time is that of the last change of status."""
    conditions = crd.setdefault("status", {}).get("conditions") or []
    crd["status"]["conditions"] = conditions
    stamped = {"type": wanted["type"], "status": wanted["status"], "lastTransitionTime": now,
               "reason": wanted["reason"], "message": wanted["message"]}
    for index, one in enumerate(conditions):
        if one["type"] == wanted["type"]:
            if one["status"] == wanted["status"]:
                stamped["lastTransitionTime"] = one.get("lastTransitionTime", now)
            conditions[index] = stamped
            return
    conditions.append(stamped)


def remove_condition(crd: Obj, type_: str) -> None:
    status = crd.get("status", {})
    status["conditions"] = [one for one in status.get("conditions") or () if one["type"] != type_]


def equivalent(one: Obj | None, other: Obj | None) -> bool:
    """Whether they say the same, whenever they began to."""
    if one is None or other is None:
        return one is other
    return all(one.get(key) == other.get(key) for key in ("type", "status", "reason", "message"))
