"""Counts of durations in buckets, as Prometheus histograms have them."""

from __future__ import annotations

from bisect import bisect_left


class Histogram:
    """How often how many seconds were observed.

    :param bounds: upper bounds of the buckets, rising; one without a bound comes after them.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Upper bound and number of observations up to it, for each bucket."""
        cumulated, buckets = 0, []
        for bound, count in zip((*(f"{bound:g}" for bound in self.bounds), "+Inf"), self.counts, strict=True):
            cumulated += count
            buckets.append((bound, float(cumulated)))
        return buckets
