"""Label keys of affinity terms and spread constraints, merged into their selectors when a pod is created.

Source: KEP-3633 and KEP-3243.
"""

from __future__ import annotations

from typing import Any

Obj = dict[str, Any]


def merge_label_keys(spec: Obj, labels: dict[str, str]) -> None:
    """Add ``key in (value)`` for matchLabelKeys and ``key notin (value)`` for mismatchLabelKeys, in place."""
    if "affinity" not in spec and "topologySpreadConstraints" not in spec:
        return
    affinity = spec.get("affinity") or {}
    for kind in ("podAffinity", "podAntiAffinity"):
        rules = affinity.get(kind) or {}
        for weighted in rules.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
            _merge(weighted.get("podAffinityTerm") or {}, labels)
        for term in rules.get("requiredDuringSchedulingIgnoredDuringExecution") or ():
            _merge(term, labels)
    for constraint in spec.get("topologySpreadConstraints") or ():
        _merge(constraint, labels)


def _merge(term: Obj, labels: dict[str, str]) -> None:
    if "labelSelector" not in term:
        return
    added = [{"key": key, "operator": operator, "values": [labels[key]]}
             for name, operator in (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))
             for key in term.get(name) or () if key in labels]
    if added:
        selector = term["labelSelector"]
        selector["matchExpressions"] = [*(selector.get("matchExpressions") or ()), *added]
