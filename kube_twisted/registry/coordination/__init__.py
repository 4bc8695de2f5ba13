"""Strategies of the coordination group."""

from __future__ import annotations

from kube_twisted.registry.coordination import lease, leasecandidate
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "leases": lease.STRATEGY,
    "leasecandidates": leasecandidate.STRATEGY,
}
