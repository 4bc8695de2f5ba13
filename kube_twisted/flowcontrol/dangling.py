"""The condition Dangling of a FlowSchema: whether its priority level is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DANGLING = "Dangling"
_TEXT = "This FlowSchema references the PriorityLevelConfiguration object named {} "


def changed_condition(schema: Mapping[str, Any], has_level: bool, now: str) -> dict[str, str] | None:
    """The condition as it should be; None when it is so."""
    name = schema["spec"]["priorityLevelConfiguration"]["name"]
    text = _TEXT.format(f'"{name}"') + ("and it exists" if has_level else "but there is no such object")
    wanted = {"type": DANGLING, "status": "False" if has_level else "True",
              "reason": "Found" if has_level else "NotFound", "message": text}
    for condition in (schema.get("status") or {}).get("conditions") or ():
        if condition["type"] == DANGLING and {key: condition.get(key) for key in wanted} == wanted:
            return None
    return {**wanted, "lastTransitionTime": now}
