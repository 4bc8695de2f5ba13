"""Strategies of ``certificates.k8s.io``."""

from __future__ import annotations

from kube_twisted.registry.certificates import certificatesigningrequest
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "certificatesigningrequests": certificatesigningrequest.STRATEGY,
    "certificatesigningrequests/approval": certificatesigningrequest.APPROVAL,
    "certificatesigningrequests/status": certificatesigningrequest.STATUS,
}
