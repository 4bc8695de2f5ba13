"""Strategies of the discovery group."""

from __future__ import annotations

from kube_twisted.registry.discovery import endpointslice
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {"endpointslices": endpointslice.STRATEGY}
