"""Counts and times of admission webhooks, under the original's names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Literal

from kube_twisted.util.histogram import Histogram

#: Upper bounds in seconds.
CALL_BOUNDS = (0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0, 25.0)
CONDITION_BOUNDS = (0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25)
#: Greater codes are counted under this one.
_LAST_CODE = 600

Labels = tuple[str, ...]
ErrorType = Literal["calling_webhook_error", "apiserver_internal_error", "no_error"]


class WebhookMetrics:
    """What eight families of metrics show; ``name`` is a webhook's, ``type`` is ``admit`` or ``validating``.

    ==========================================================  =========================================
    apiserver_admission_webhook_admission_duration_seconds      name, type, operation, rejected
    apiserver_admission_webhook_request_total                   name, type, operation, code, rejected
    apiserver_admission_webhook_rejection_count                 name, type, operation, error_type,
                                                                rejection_code
    apiserver_admission_webhook_fail_open_count                 name, type
    apiserver_admission_match_condition_evaluation_seconds      name, kind, type, operation
    apiserver_admission_match_condition_evaluation_errors_total name, kind, type, operation
    apiserver_admission_match_condition_exclusions_total        name, kind, type, operation
    ==========================================================  =========================================
    """

    def __init__(self) -> None:
        self._durations: dict[Labels, Histogram] = defaultdict(lambda: Histogram(CALL_BOUNDS))
        self._conditions: dict[Labels, Histogram] = defaultdict(lambda: Histogram(CONDITION_BOUNDS))
        self.requests: Counter[Labels] = Counter()
        self.rejections: Counter[Labels] = Counter()
        self.opened: Counter[Labels] = Counter()
        self.condition_errors: Counter[Labels] = Counter()
        self.exclusions: Counter[Labels] = Counter()

    def asked(self, name: str, type_: str, operation: str, code: int, rejected: bool, seconds: float) -> None:
        """A webhook was asked."""
        said = "true" if rejected else "false"
        self.requests[name, type_, operation, _shown(code), said] += 1
        self._durations[name, type_, operation, said].observe(seconds)

    def rejected(self, name: str, type_: str, operation: str, error: ErrorType, code: int) -> None:
        """A write was refused because of a webhook."""
        self.rejections[name, type_, operation, error, _shown(code)] += 1

    def failed_open(self, name: str, type_: str) -> None:
        """A write went on although a webhook could not be asked."""
        self.opened[name, type_] += 1

    def evaluated(self, name: str, type_: str, operation: str, failures: int, seconds: float,
                  kind: str = "webhook") -> None:
        """The conditions of a webhook, or of a policy, were looked at."""
        labels = name, kind, type_, operation
        self._conditions[labels].observe(seconds)
        if failures:
            self.condition_errors[labels] += failures

    def excluded(self, name: str, type_: str, operation: str) -> None:
        """A webhook was not asked because of its conditions. Policies are not counted."""
        self.exclusions[name, "webhook", type_, operation] += 1

    def durations(self) -> Iterable[tuple[Labels, Histogram]]:
        return list(self._durations.items())

    def condition_durations(self) -> Iterable[tuple[Labels, Histogram]]:
        return list(self._conditions.items())


def _shown(code: int) -> str:
    return str(min(code, _LAST_CODE))
