"""Counts and times of admission policies, under the original's names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from kube_twisted.util.histogram import Histogram

#: Upper bounds in seconds.
BOUNDS = (0.0000005, 0.001, 0.01, 0.1, 1.0)
_BEGINNINGS = {"compilation": "compile_error",
               "validation failed due to running out of cost budget": "out_of_budget"}

Labels = tuple[str, ...]


class Checks:
    """How often expressions were evaluated, and how long that took, by labels."""

    def __init__(self) -> None:
        self.counts: Counter[Labels] = Counter()
        self._durations: dict[Labels, Histogram] = defaultdict(lambda: Histogram(BOUNDS))

    def note(self, policy: str, binding: str, problem: str | None, seconds: float, *more: str) -> None:
        """An expression of a policy was evaluated.

        :param problem: what came of it; None for nothing.
        :param more: further labels.
        """
        labels = policy, binding, "no_error" if problem is None else _error_type(problem), *more
        self.counts[labels] += 1
        self._durations[labels].observe(seconds)

    def durations(self) -> Iterable[tuple[Labels, Histogram]]:
        return list(self._durations.items())


class PolicyMetrics:
    """What four families of metrics show.

    ===================================================  ============================================================
    apiserver_validating_admission_policy_check_total    policy, policy_binding, error_type, enforcement_action
    ... _check_duration_seconds                          the same
    apiserver_mutating_admission_policy_check_total      policy, policy_binding, error_type
    ... _check_duration_seconds                          the same
    ===================================================  ============================================================
    """

    def __init__(self) -> None:
        self.validating = Checks()
        self.mutating = Checks()


def _error_type(problem: str) -> str:
    return next((kind for beginning, kind in _BEGINNINGS.items() if problem.startswith(beginning)), "invalid_error")
