"""Table columns of APIServices."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import AGE, NAME, find_condition, value_at
from kube_twisted.registry.printers.column import Obj, printer, text


def _service(obj: Obj, now: float) -> str:
    service = value_at(obj, "spec.service")
    return "Local" if service is None else f"{service.get('namespace', '')}/{service.get('name', '')}"


def _available(obj: Obj, now: float) -> str:
    """The Available condition, with its reason when it is not."""
    available = find_condition(obj, "Available") or {"status": "Unknown"}
    status, reason = available.get("status", ""), available.get("reason", "")
    return f"{status} ({reason})" if reason and status != "True" else status


PRINTERS = {
    ("apiregistration.k8s.io", "apiservices"): printer(
        NAME,
        text("Service", "The reference to the service that hosts this API endpoint.", _service),
        text("Available", "Whether this service is available.", _available),
        AGE,
    ),
}
