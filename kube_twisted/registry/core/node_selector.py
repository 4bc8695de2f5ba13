"""Warnings about node selectors: labels that have been replaced."""

from __future__ import annotations

from typing import Any

DEPRECATED_LABELS = {
    "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
    "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
    "failure-domain.beta.kubernetes.io/region":
        'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
    "failure-domain.beta.kubernetes.io/zone":
        'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    "beta.kubernetes.io/instance-type":
        'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
    "app.kubernetes.io/created-by": "deprecated since v1.9",
    "scheduler.alpha.kubernetes.io/preferAvoidPods":
        "deprecated since v1.22; use Taints and Tolerations instead",
    "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
}


def node_selector_warnings(path: str, selector: dict[str, Any]) -> list[str]:
    """Warn about labels that have been replaced."""
    return [f"{path}[{index}].matchExpressions[{number}].key: {one['key']} is {DEPRECATED_LABELS[one['key']]}"
            for index, term in enumerate(selector.get("nodeSelectorTerms") or [])
            for number, one in enumerate(term.get("matchExpressions", []))
            if one.get("key") in DEPRECATED_LABELS]
