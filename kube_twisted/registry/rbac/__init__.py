"""Strategies of RBAC; whether a writer may grant what is written is decided by the store."""

from __future__ import annotations

from kube_twisted.registry.rbac import clusterrole, clusterrolebinding, role, rolebinding
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "clusterrolebindings": clusterrolebinding.STRATEGY,
    "clusterroles": clusterrole.STRATEGY,
    "rolebindings": rolebinding.STRATEGY,
    "roles": role.STRATEGY,
}
