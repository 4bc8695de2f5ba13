"""Metrics of APIServices: which are unavailable, and how often and why they became so."""

from __future__ import annotations

from collections import Counter

from kube_twisted.server.metrics import Family


class AvailabilityMetrics:
    """Counts, under the names of the original."""

    def __init__(self) -> None:
        self._unavailable: dict[str, bool] = {}
        self._lost: Counter[tuple[str, str]] = Counter()

    def set(self, name: str, available: bool) -> None:
        self._unavailable[name] = not available

    def forget(self, name: str) -> None:
        """The APIService is gone."""
        self._unavailable.pop(name, None)

    def lost(self, name: str, reason: str) -> None:
        """It was available, and is not any more."""
        self._lost[name, reason] += 1

    def families(self) -> list[Family]:
        return [
            Family("aggregator_unavailable_apiservice", "Gauge of APIServices which are marked as unavailable broken "
                   "down by APIService name.", "gauge", ("name",),
                   lambda: [((name,), int(value)) for name, value in self._unavailable.items()]),
            Family("aggregator_unavailable_apiservice_total", "Counter of APIServices which are marked as unavailable "
                   "broken down by APIService name and reason.", "counter", ("name", "reason"),
                   lambda: [(key, count) for key, count in self._lost.items()]),
        ]
