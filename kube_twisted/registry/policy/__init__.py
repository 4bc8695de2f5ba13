"""Strategies of the policy group."""

from __future__ import annotations

from kube_twisted.registry.policy import poddisruptionbudget
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "poddisruptionbudgets": poddisruptionbudget.STRATEGY,
    "poddisruptionbudgets/status": poddisruptionbudget.STATUS,
}
