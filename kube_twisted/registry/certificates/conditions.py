"""Conditions of certificate requests: approved or denied, not both, and not taken back."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.core.go_diff import go_diff, go_names
from kube_twisted.registry.strategy import Obj

APPROVAL_TYPES = ("Approved", "Denied")
_TRUE_ONLY = ("Approved", "Denied", "Failed")
_PATH = "status.conditions"


def conditions_of(obj: Obj, kind: str | None = None) -> list[dict[str, Any]]:
    """The conditions, or those of one type."""
    found: list[dict[str, Any]] = obj.get("status", {}).get("conditions", [])
    return found if kind is None else [one for one in found if one.get("type") == kind]


def fill_times(obj: Obj, old: Obj, now: str) -> None:
    """Stamp conditions that come without times; one that keeps its status keeps its transition time."""
    for one in conditions_of(obj):
        one["lastUpdateTime"] = one.get("lastUpdateTime") or now
        if not one.get("lastTransitionTime"):
            before = (each["lastTransitionTime"] for each in conditions_of(old, one.get("type", ""))
                      if each.get("status") == one.get("status") and each.get("lastTransitionTime"))
            one["lastTransitionTime"] = next(before, now)


def keep_approval(obj: Obj, old: Obj) -> None:
    """Put back the old Approved and Denied conditions where there are as many as before."""
    for kind in APPROVAL_TYPES:
        before, after = conditions_of(old, kind), conditions_of(obj, kind)
        if len(before) == len(after):
            kept = iter(before)
            obj.get("status", {}).update(
                {"conditions": [next(kept) if one.get("type") == kind else one for one in conditions_of(obj)]}
                if after else {})


def validate_conditions(obj: Obj, old: Obj | None) -> list[FieldError]:
    """Types, statuses, no repeats; faults that the old object has already are let be."""
    before = conditions_of(old) if old else []
    types = [one.get("type", "") for one in before]
    errors, seen = [], set()
    for index, one in enumerate(conditions_of(obj)):
        kind, path = one.get("type", ""), f"{_PATH}[{index}]"
        if not kind and "" not in types:
            errors.append(required(f"{path}.type"))
        allowed = ("True",) if kind in _TRUE_ONLY else ("False", "True", "Unknown")
        errors += rules.required_one_of(f"{path}.status", one.get("status", ""), allowed)
        other = dict(zip(APPROVAL_TYPES, APPROVAL_TYPES[::-1], strict=True)).get(kind)
        if other in seen and not set(APPROVAL_TYPES) <= set(types):
            errors.append(invalid(_PATH, kind, "Approved and Denied conditions are mutually exclusive"))
        if kind in seen and len(types) == len(set(types)):
            errors.append(duplicate(f"{path}.type", kind))
        seen.add(kind)
    return errors


def validate_conditions_change(obj: Obj, old: Obj, *, approving: bool) -> list[FieldError]:
    """Nothing is taken back; only the approval endpoint approves or denies."""
    errors = [forbidden(_PATH, f'updates may not remove a condition of type "{kind}"') for kind in _TRUE_ONLY
              if len(conditions_of(obj, kind)) < len(conditions_of(old, kind))]
    for kind in () if approving else APPROVAL_TYPES:
        before, after = conditions_of(old, kind), conditions_of(obj, kind)
        if len(after) > len(before):
            errors.append(forbidden(_PATH, f'updates may not add a condition of type "{kind}"'))
        elif len(after) == len(before) and after != before:
            errors.append(forbidden(_PATH, f'updates may not modify a condition of type "{kind}"\n'
                                           f"{go_diff(go_names(before), go_names(after))}"))
    return errors
