"""Counts and times of conversions by webhooks, under the original's names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

from kube_twisted.util.histogram import Histogram

#: Upper bounds in seconds for reviews, and for the conversions of one definition.
REVIEW_BOUNDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0)
DEFINITION_BOUNDS = tuple(0.001 * 2 ** power for power in range(15))

Labels = tuple[str, ...]


class Observer(Protocol):
    """Is told of each review that was sent."""

    def reviewed(self, failure: str, seconds: float) -> None:
        """A review was answered.

        :param failure: the type of the failure, empty for a success.
        """

    def converted(self, definition: str, from_version: str, to_version: str, succeeded: bool, seconds: float) -> None:
        """Objects of a definition were converted."""


class ConversionMetrics:
    """An observer that counts.

    Its methods give what three families of metrics show:

    =================================================  =========  ======================================
    apiserver_conversion_webhook_request               counter    ``result``, ``failure_type``
    apiserver_conversion_webhook_duration_seconds      histogram  ``result``, ``failure_type``
    apiserver_crd_conversion_webhook_duration_seconds  histogram  ``crd_name``, ``from_version``,
                                                                  ``to_version``, ``succeeded``
    =================================================  =========  ======================================
    """

    def __init__(self) -> None:
        self._reviews: dict[Labels, Histogram] = defaultdict(lambda: Histogram(REVIEW_BOUNDS))
        self._definitions: dict[Labels, Histogram] = defaultdict(lambda: Histogram(DEFINITION_BOUNDS))

    def reviewed(self, failure: str, seconds: float) -> None:
        self._reviews["failure" if failure else "success", failure].observe(seconds)

    def converted(self, definition: str, from_version: str, to_version: str, succeeded: bool, seconds: float) -> None:
        labels = (definition, from_version, to_version, "true" if succeeded else "false")
        self._definitions[labels].observe(seconds)

    def requests(self) -> Iterable[tuple[Labels, float]]:
        return [(labels, float(sum(histogram.counts))) for labels, histogram in self._reviews.items()]

    def durations(self) -> Iterable[tuple[Labels, Histogram]]:
        return list(self._reviews.items())

    def definition_durations(self) -> Iterable[tuple[Labels, Histogram]]:
        return list(self._definitions.items())
