"""Strategies of ``node.k8s.io``."""

from __future__ import annotations

from kube_twisted.registry.node import runtimeclass
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {"runtimeclasses": runtimeclass.STRATEGY}
