"""Labels of nodes that have been replaced, and the warnings about their use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: Label -> what is said of it.
DEPRECATED_NODE_LABELS = {
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


def key_warnings(path: str, key: str) -> list[str]:
    """Of one key, when it has been replaced."""
    return [f"{path}: {key} is {DEPRECATED_NODE_LABELS[key]}"] if key in DEPRECATED_NODE_LABELS else []


def expression_warnings(path: str, expressions: Sequence[dict[str, Any]]) -> list[str]:
    """Of the keys of ``matchExpressions``."""
    return [warning for index, one in enumerate(expressions)
            for warning in key_warnings(f"{path}[{index}].key", one.get("key", ""))]
