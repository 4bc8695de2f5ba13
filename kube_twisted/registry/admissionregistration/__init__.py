"""Strategies of ``admissionregistration.k8s.io``."""

from __future__ import annotations

from kube_twisted.registry.admissionregistration import (
    mutatingadmissionpolicy,
    mutatingadmissionpolicybinding,
    mutatingwebhookconfiguration,
    validatingadmissionpolicy,
    validatingadmissionpolicybinding,
    validatingwebhookconfiguration,
)
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "mutatingadmissionpolicies": mutatingadmissionpolicy.STRATEGY,
    "mutatingadmissionpolicybindings": mutatingadmissionpolicybinding.STRATEGY,
    "mutatingwebhookconfigurations": mutatingwebhookconfiguration.STRATEGY,
    "validatingadmissionpolicies": validatingadmissionpolicy.STRATEGY,
    "validatingadmissionpolicies/status": validatingadmissionpolicy.STATUS,
    "validatingadmissionpolicybindings": validatingadmissionpolicybinding.STRATEGY,
    "validatingwebhookconfigurations": validatingwebhookconfiguration.STRATEGY,
}
