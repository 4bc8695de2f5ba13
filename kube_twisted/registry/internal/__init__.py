"""Strategies of ``internal.apiserver.k8s.io``."""

from __future__ import annotations

from kube_twisted.registry.internal import storageversion
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "storageversions": storageversion.STRATEGY,
    "storageversions/status": storageversion.STATUS,
}
