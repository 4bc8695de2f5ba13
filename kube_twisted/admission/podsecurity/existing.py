"""Which pods of a namespace violate a standard that is newly enforced: they stay, but the user is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kube_twisted.admission.podsecurity.policy import LevelVersion
from kube_twisted.admission.podsecurity.standards import violations

Obj = dict[str, Any]

#: No more pods are looked at: a write must not take long.
_MAXIMUM = 3000


def warnings_about_existing(pods: Sequence[Obj], namespace: str, standard: LevelVersion) -> list[str]:
    """Warnings: pods that violate it for the same reasons are told about together."""
    checked = _one_per_controller_first(pods)[:_MAXIMUM]
    by_reason: dict[str, list[str]] = {}
    for pod in checked:
        found = violations(standard, pod["metadata"], pod["spec"])
        if found:
            by_reason.setdefault(", ".join(one.reason for one in found), []).append(pod["metadata"]["name"])
    warnings = []
    if len(checked) < len(pods):
        warnings.append("new PodSecurity enforce level only checked against the first "
                        f"{len(checked)} of {len(pods)} existing pods")
    if by_reason:
        warnings.append(f'existing pods in namespace "{namespace}" violate the new PodSecurity enforce level '
                        f'"{standard}"')
    return warnings + sorted(_described(reason, names) for reason, names in by_reason.items())


def _one_per_controller_first(pods: Sequence[Obj]) -> list[Obj]:
    """Pods of a controller are alike: the first of each comes before the others."""
    first: list[Obj] = []
    others: list[Obj] = []
    seen: set[str | None] = set()
    for pod in pods:
        owners = pod["metadata"].get("ownerReferences") or ()
        owner = next((one["uid"] for one in owners if one.get("controller")), None)
        (others if owner in seen else first).append(pod)
        if owner is not None:
            seen.add(owner)
    return first + others


def _described(reason: str, names: list[str]) -> str:
    more = len(names) - 1
    if not more:
        return f"{names[0]}: {reason}"
    return f"{min(names)} (and {more} other {'pod' if more == 1 else 'pods'}): {reason}"
