"""How long admission takes: by step of the chain, and by plugin."""

from __future__ import annotations

from collections.abc import Iterable

from kube_twisted.util.histogram import Histogram

#: Upper bounds in seconds, as the original's.
_BOUNDS = (0.005, 0.025, 0.1, 0.5, 1.0, 2.5)
Labels = tuple[str, ...]


class AdmissionTimes:
    """Histograms that appear when they are first asked for, so that whoever observes keeps them at hand.

    A step is ``admit`` or ``validate``: all plugins of the chain, one after the other.
    """

    def __init__(self) -> None:
        self._steps: dict[Labels, Histogram] = {}
        self._plugins: dict[Labels, Histogram] = {}

    def step(self, step: str, operation: str, rejected: bool) -> Histogram:
        return self._steps.setdefault((step, operation, _boolean(rejected)), Histogram(_BOUNDS))

    def plugin(self, name: str, step: str, operation: str, rejected: bool) -> Histogram:
        return self._plugins.setdefault((name, step, operation, _boolean(rejected)), Histogram(_BOUNDS))

    def steps(self) -> Iterable[tuple[Labels, Histogram]]:
        """By type, operation and whether the write was rejected."""
        return list(self._steps.items())

    def plugins(self) -> Iterable[tuple[Labels, Histogram]]:
        """By name, type, operation and whether the write was rejected."""
        return list(self._plugins.items())


def _boolean(value: bool) -> str:
    return "true" if value else "false"
