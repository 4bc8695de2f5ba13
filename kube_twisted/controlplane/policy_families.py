"""Metrics of admission policies."""

from __future__ import annotations

from collections.abc import Iterable

from kube_twisted.admission.policies.metrics import Checks, PolicyMetrics
from kube_twisted.server.metrics import Family, Labels

_LABELS = ("policy", "policy_binding", "error_type")


def policy_families(metrics: PolicyMetrics) -> list[Family]:
    """What admission policies did."""
    return [
        *_families("validating", metrics.validating, (*_LABELS, "enforcement_action"),
                   "Validation admission policy check total, labeled by policy and further identified by binding and "
                   "enforcement action taken.",
                   "Validation admission latency for individual validation expressions in seconds, labeled by policy "
                   "and further including binding and enforcement action taken."),
        *_families("mutating", metrics.mutating, _LABELS,
                   "Mutation admission policy check total, labeled by policy and further identified by binding.",
                   "Mutation admission latency for individual mutation expressions in seconds, labeled by policy and "
                   "binding."),
    ]


def _families(kind: str, checks: Checks, labels: tuple[str, ...], total: str, duration: str) -> list[Family]:
    def counts() -> Iterable[tuple[Labels, float]]:
        return list(checks.counts.items())

    start = f"apiserver_{kind}_admission_policy_check"
    return [Family(start, total, "counter", labels, counts),
            Family(f"{start}_duration_seconds", duration, "histogram", labels, checks.durations)]
