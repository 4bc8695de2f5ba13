"""The condition ``Available`` of an APIService."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.aggregator.apiservice import AVAILABLE
from kube_twisted.registry.strategy import Obj


@frozen
class Availability:
    """What a check found.

    :ivar status: ``True``, ``False`` or ``Unknown``.
    """

    status: str
    reason: str
    message: str


#: Of what this server serves itself.
LOCAL = Availability("True", "Local", "Local APIServices are always available")
PASSED = Availability("True", "Passed", "all checks passed")


def unavailable(reason: str, message: str) -> Availability:
    return Availability("False", reason, message)


def changed_status(obj: Obj, found: Availability, now: str) -> dict[str, Any] | None:
    """The status with the condition, None when it says so already.

    :param now: when the condition changes, if it does.
    """
    status = obj.get("status", {})
    conditions: list[dict[str, Any]] = [dict(one) for one in status.get("conditions") or ()]
    known = next((one for one in conditions if one["type"] == AVAILABLE), None)
    if known is None:
        known = {"type": AVAILABLE, "status": found.status, "lastTransitionTime": now}
        conditions.append(known)
    elif (known["status"], known.get("reason"), known.get("message")) == (found.status, found.reason, found.message):
        return None
    elif known["status"] != found.status:
        known["lastTransitionTime"] = now
    known |= {"status": found.status, "reason": found.reason, "message": found.message}
    return {**status, "conditions": conditions}
