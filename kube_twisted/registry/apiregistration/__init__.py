"""Strategies of ``apiregistration.k8s.io``."""

from __future__ import annotations

from kube_twisted.registry.apiregistration import apiservice
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "apiservices": apiservice.STRATEGY,
    "apiservices/status": apiservice.STATUS,
}
