"""Strategies of ``flowcontrol.apiserver.k8s.io``."""

from __future__ import annotations

from kube_twisted.registry.flowcontrol import flowschema, prioritylevelconfiguration
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "flowschemas": flowschema.STRATEGY,
    "flowschemas/status": flowschema.STATUS,
    "prioritylevelconfigurations": prioritylevelconfiguration.STRATEGY,
    "prioritylevelconfigurations/status": prioritylevelconfiguration.STATUS,
}
