"""The conditions by which a namespace tells how its deletion goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define, field

Obj = dict[str, Any]

DISCOVERY_FAILURE = "NamespaceDeletionDiscoveryFailure"
PARSING_FAILURE = "NamespaceDeletionGroupVersionParsingFailure"
CONTENT_FAILURE = "NamespaceDeletionContentFailure"
CONTENT_REMAINING = "NamespaceContentRemaining"
FINALIZERS_REMAINING = "NamespaceFinalizersRemaining"

#: Reason and message of each condition while all is well, in the order in which they are listed.
_WELL = {
    DISCOVERY_FAILURE: ("ResourcesDiscovered", "All resources successfully discovered"),
    PARSING_FAILURE: ("ParsedGroupVersions", "All legacy kube types successfully parsed"),
    CONTENT_FAILURE: ("ContentDeleted", "All content successfully deleted, may be waiting on finalization"),
    CONTENT_REMAINING: ("ContentRemoved", "All content successfully removed"),
    FINALIZERS_REMAINING: ("ContentHasNoFinalizers", "All content-preserving finalizers finished"),
}


@define
class Conditions:
    """What one round of deleting found wrong.

    :ivar found: reason and message by condition type; the other conditions are well.
    """

    found: dict[str, tuple[str, str]] = field(factory=dict)

    def discovery_failed(self, failures: Mapping[str, str], message: str) -> None:
        """:param failures: by group-version."""
        self.found[DISCOVERY_FAILURE] = (
            "DiscoveryFailed", f"Discovery failed for some groups, {len(failures)} failing: {message}")

    def content_failed(self, errors: Iterable[str]) -> None:
        messages = sorted(errors)
        if messages:
            self.found[CONTENT_FAILURE] = (
                "ContentDeletionFailed",
                f"Failed to delete all resource types, {len(messages)} remaining: {', '.join(messages)}")

    def content_remains(self, counts: Mapping[str, int], finalizers: Mapping[str, int]) -> None:
        """:param counts: of objects, by ``resource.group``.
        :param finalizers: how many objects have each.
        """
        if counts:
            listed = ", ".join(sorted(f"{name} has {count} resource instances" for name, count in counts.items()))
            self.found[CONTENT_REMAINING] = ("SomeResourcesRemain", f"Some resources are remaining: {listed}")
        if finalizers:
            listed = ", ".join(sorted(f"{name} in {count} resource instances" for name, count in finalizers.items()))
            self.found[FINALIZERS_REMAINING] = (
                "SomeFinalizersRemain", f"Some content in the namespace has finalizers remaining: {listed}")

    def applied(self, status: Obj, now: str) -> Obj | None:
        """The status with these conditions; None when that changes nothing.

        :param now: the time of transitions.
        """
        conditions = [dict(one) for one in status.get("conditions") or ()]
        changed = False
        for type_, well in _WELL.items():
            reason, message = self.found.get(type_, well)
            new = {"type": type_, "status": "True" if type_ in self.found else "False",
                   "lastTransitionTime": now, "reason": reason, "message": message}
            old = next((one for one in conditions if one["type"] == type_), None)
            if old is None:
                conditions.append(new)
                changed = True
            else:
                changed = _replace(old, new) or changed
        return {**status, "conditions": conditions} if changed else None


def _replace(old: Obj, new: Obj) -> bool:
    """Make the old condition the new one; tell whether they differed."""
    if all(old.get(key) == new[key] for key in ("status", "reason", "message")):
        return False
    if old.get("status") == new["status"] and "lastTransitionTime" in old:
        new["lastTransitionTime"] = old["lastTransitionTime"]
    old.clear()
    old.update(new)
    return True
