"""Strategies of the scheduling group."""

from __future__ import annotations

from kube_twisted.registry.scheduling import priorityclass
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {"priorityclasses": priorityclass.STRATEGY}
