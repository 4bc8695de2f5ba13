"""The fairness objects that must exist as they are: ``exempt`` and ``catch-all`` (KEP-1040)."""

from __future__ import annotations

from typing import Any


def _schema(level: str, precedence: int, groups: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """A schema that matches every request of the groups."""
    return {
        "priorityLevelConfiguration": {"name": level},
        "matchingPrecedence": precedence,
        **more,
        "rules": [{
            "subjects": [{"kind": "Group", "group": {"name": name}} for name in groups],
            "resourceRules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "clusterScope": True,
                               "namespaces": ["*"]}],
            "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}],
        }],
    }


#: name -> spec
FLOW_SCHEMAS: dict[str, dict[str, Any]] = {
    "exempt": _schema("exempt", 1, ("system:masters",)),
    "catch-all": _schema("catch-all", 10000, ("system:unauthenticated", "system:authenticated"),
                         distinguisherMethod={"type": "ByUser"}),
}

#: name -> spec
PRIORITY_LEVELS: dict[str, dict[str, Any]] = {
    "exempt": {"type": "Exempt", "exempt": {"nominalConcurrencyShares": 0, "lendablePercent": 0}},
    "catch-all": {"type": "Limited", "limited": {"nominalConcurrencyShares": 5, "lendablePercent": 0,
                                                 "limitResponse": {"type": "Reject"}}},
}
