"""Warnings about where a pod is to run: deprecated node labels, selectors that match nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kube_twisted.api.names import label_value
from kube_twisted.registry.node_labels import DEPRECATED_NODE_LABELS, key_warnings

Obj = dict[str, Any]

_PLACEMENT = ("nodeSelector", "affinity", "topologySpreadConstraints")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_NO_POD = "a null labelSelector results in matching no pod"


def placement_warnings(path: str, spec: Obj) -> list[str]:
    """Deprecated labels of nodes in selectors, affinity and spread constraints."""
    if spec.keys().isdisjoint(_PLACEMENT):
        return []
    warnings = [f"{path}.nodeSelector[{key}]: {DEPRECATED_NODE_LABELS[key]}"
                for key in spec.get("nodeSelector") or () if key in DEPRECATED_NODE_LABELS]
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    here = f"{path}.affinity.nodeAffinity"
    for index, term in enumerate((affinity.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()):
        warnings += _node_term(f"{here}.{_REQUIRED}.nodeSelectorTerms[{index}]", term, with_values=False)
    for index, term in enumerate(affinity.get(_PREFERRED) or ()):
        warnings += _node_term(f"{here}.{_PREFERRED}[{index}].preference", term.get("preference") or {},
                               with_values=True)
    for index, constraint in enumerate(spec.get("topologySpreadConstraints") or ()):
        place, key = f"{path}.topologySpreadConstraints[{index}]", constraint.get("topologyKey", "")
        warnings += key_warnings(f"{place}.topologyKey", key)
        if "labelSelector" not in constraint:
            warnings.append(f"{place}.labelSelector: {_NO_POD}")
    return warnings


def _node_term(path: str, term: Obj, with_values: bool) -> list[str]:
    warnings = []
    for index, expression in enumerate(term.get("matchExpressions") or ()):
        here, key = f"{path}.matchExpressions[{index}]", expression.get("key", "")
        warnings += key_warnings(f"{here}.key", key)
        if with_values:
            warnings += [f"{here}.values[{place}]: {value} is invalid, {message}"
                         for place, value in enumerate(expression.get("values") or ())
                         for message in label_value(value)]
    return warnings


def selector_warnings(path: str, spec: Obj) -> list[str]:
    """Terms of pod affinity without a selector."""
    affinity = spec.get("affinity")
    if not affinity:
        return []
    warnings: list[str] = []
    for kind in ("podAffinity", "podAntiAffinity"):
        rules = affinity.get(kind) or {}
        here = f"{path}.affinity.{kind}"
        warnings += _without_selector(f"{here}.{_REQUIRED}", "labelSelector", rules.get(_REQUIRED) or ())
        warnings += _without_selector(f"{here}.{_PREFERRED}", "podAffinityTerm.labelSelector",
                                      _terms(rules.get(_PREFERRED) or ()))
    return warnings


def _terms(weighted: Iterable[Obj]) -> list[Obj]:
    return [one.get("podAffinityTerm") or {} for one in weighted]


def _without_selector(path: str, name: str, terms: Iterable[Obj]) -> list[str]:
    return [f"{path}[{index}].{name}: {_NO_POD}" for index, term in enumerate(terms)
            if "labelSelector" not in term]
