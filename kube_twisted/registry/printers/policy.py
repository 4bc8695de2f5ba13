"""Table columns of PodDisruptionBudgets."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import AGE, NAME, at, value_at
from kube_twisted.registry.printers.column import Cell, integer, printer, text


def _amount(path: str) -> Cell:
    """A number or percentage as text."""
    return lambda obj, now: str(value_at(obj, path, "N/A"))


PRINTERS = {
    ("policy", "poddisruptionbudgets"): printer(
        NAME,
        text("Min Available", "The minimum number of pods that must be available.",
             _amount("spec.minAvailable")),
        text("Max Unavailable", "The maximum number of pods that may be unavailable.",
             _amount("spec.maxUnavailable")),
        integer("Allowed Disruptions", "Calculated number of pods that may be disrupted at this time.",
                at("status.disruptionsAllowed", 0)),
        AGE,
    ),
}
