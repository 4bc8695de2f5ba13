"""Objects and cells for tests of the printers, at a fixed time."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.printers.lookup import printer_for

#: 2026-05-01T12:00:00Z.
NOW = 1777636800.0
CREATED = "2026-05-01T11:55:00Z"
#: The age of an object that was created at CREATED.
AGE = "5m"


def named(name: str = "a", **fields: Any) -> dict[str, Any]:
    """An object of some kind, created five minutes ago; ``metadata`` adds to its metadata."""
    metadata = {"name": name, "creationTimestamp": CREATED, **fields.pop("metadata", {})}
    return {"metadata": metadata, **fields}


def cells(group: str, resource: str, obj: dict[str, Any]) -> list[Any]:
    """What the resource's printer makes of an object."""
    return printer_for(group, resource).cells(obj, NOW)


def cell(group: str, resource: str, column: str, obj: dict[str, Any]) -> Any:
    """One cell by its column's name."""
    printer = printer_for(group, resource)
    return cells(group, resource, obj)[[one.name for one in printer.columns].index(column)]
