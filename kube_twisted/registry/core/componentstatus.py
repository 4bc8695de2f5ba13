"""ComponentStatuses: computed when asked for, never stored."""

from __future__ import annotations

from kube_twisted.registry.strategy import Strategy

STRATEGY = Strategy()
