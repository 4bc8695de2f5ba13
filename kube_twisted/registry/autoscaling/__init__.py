"""Strategies of the autoscaling group; autoscalers are stored as ``autoscaling/v2``."""

from __future__ import annotations

from kube_twisted.registry.autoscaling import horizontalpodautoscaler
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "horizontalpodautoscalers": horizontalpodautoscaler.STRATEGY,
    "horizontalpodautoscalers/status": horizontalpodautoscaler.STATUS,
}
