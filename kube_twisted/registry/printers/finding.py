"""Finds printers when somebody asks for a Table: a server that only talks to programs does without them."""

from __future__ import annotations

from collections.abc import Callable

from kube_twisted.registry.printers.column import Printer

#: Gives a printer.
PrinterFinder = Callable[[], Printer]


def printer_of(group: str, resource: str) -> PrinterFinder:
    """The printer of a resource, or of a subresource written as ``deployments/scale``."""
    def find() -> Printer:
        from kube_twisted.registry.printers.lookup import printer_for

        return printer_for(group, resource)

    return find


def default_printer() -> Printer:
    """Name and age."""
    from kube_twisted.registry.printers.lookup import DEFAULT

    return DEFAULT
