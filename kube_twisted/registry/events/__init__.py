"""Strategies of ``events.k8s.io``; events are stored as core v1."""

from __future__ import annotations

from kube_twisted.registry.core import event
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {"events": event.EVENTS_STRATEGY}
