"""Table columns of the flowcontrol.apiserver.k8s.io group."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.printers.cells import AGE, NAME, NONE, at, find_condition, value_at
from kube_twisted.registry.printers.column import Cell, Obj, Printed, printer, text
from kube_twisted.registry.printers.documentation import Doc


def _by_precedence(obj: Obj) -> tuple[int, str]:
    """FlowSchemas are shown in the order they are matched in."""
    return value_at(obj, "spec.matchingPrecedence", 0), value_at(obj, "metadata.name", "")


def _missing_level(obj: Obj, now: float) -> str:
    dangling = find_condition(obj, "Dangling")
    return "?" if dangling is None else str(dangling.get("status", ""))


def _shares(obj: Obj, now: float) -> Any:
    limited = value_at(obj, "spec.limited")
    return NONE if limited is None else limited.get("nominalConcurrencyShares", 0)


def _queuing(field: str) -> Cell:
    def cell(obj: Obj, now: float) -> Any:
        queuing = value_at(obj, "spec.limited.limitResponse.queuing")
        return NONE if queuing is None else queuing.get(field, 0)

    return cell


def _queuing_column(name: str, field: str) -> Printed:
    return text(name, Doc(f"flowcontrol.v1.QueuingConfiguration.{field}"), _queuing(field))


_GROUP = "flowcontrol.apiserver.k8s.io"
PRINTERS = {
    (_GROUP, "flowschemas"): printer(
        NAME,
        text("PriorityLevel", Doc("flowcontrol.v1.PriorityLevelConfigurationReference.name"),
             at("spec.priorityLevelConfiguration.name")),
        text("MatchingPrecedence", Doc("flowcontrol.v1.FlowSchemaSpec.matchingPrecedence"),
             at("spec.matchingPrecedence", 0)),
        text("DistinguisherMethod", Doc("flowcontrol.v1.FlowSchemaSpec.distinguisherMethod"),
             at("spec.distinguisherMethod.type", NONE)),
        AGE,
        text("MissingPL", "references a broken or non-existent PriorityLevelConfiguration", _missing_level),
        order=_by_precedence,
    ),
    (_GROUP, "prioritylevelconfigurations"): printer(
        NAME,
        text("Type", Doc("flowcontrol.v1.PriorityLevelConfigurationSpec.type"), at("spec.type")),
        text("NominalConcurrencyShares",
             Doc("flowcontrol.v1.LimitedPriorityLevelConfiguration.nominalConcurrencyShares"), _shares),
        _queuing_column("Queues", "queues"),
        _queuing_column("HandSize", "handSize"),
        _queuing_column("QueueLengthLimit", "queueLengthLimit"),
        AGE,
    ),
}
