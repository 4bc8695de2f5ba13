"""Conflicts of an apply: fields that others own and that the configuration would change."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from kube_twisted.api.errors import StatusError
from kube_twisted.schema.apply.elements import path_text
from kube_twisted.schema.apply.fieldset import FieldSet, Path, paths
from kube_twisted.schema.apply.fieldsv1 import ordered
from kube_twisted.schema.apply.managed import Identity


@frozen
class Conflict:
    """One field of one other manager."""

    identity: Identity
    path: Path

    @property
    def manager(self) -> str:
        """The manager as messages describe it."""
        return self.identity.description()

    @property
    def field(self) -> str:
        """The field as messages describe it: ``.spec.replicas``."""
        return path_text(self.path)


def conflicts_of(sets: dict[Identity, FieldSet]) -> list[Conflict]:
    """All conflicts, sorted by manager."""
    return [Conflict(identity, path) for identity in sorted(sets, key=Identity.sort_text)
            for path in paths(ordered(sets[identity]))]


class ApplyConflict(StatusError):
    """409: the apply was not forced, and others own what it would change.

    :ivar conflicts: what the Status lists as causes.
    """

    def __init__(self, conflicts: Iterable[Conflict]) -> None:
        self.conflicts = list(conflicts)
        causes = [_cause(one) for one in self.conflicts]
        super().__init__(409, "Conflict", _message(self.conflicts), {"causes": causes})


def _cause(one: Conflict) -> dict[str, str]:
    return {"reason": "FieldManagerConflict", "message": f"conflict with {one.manager}", "field": one.field}


def _message(conflicts: list[Conflict]) -> str:
    if len(conflicts) == 1:
        return f"Apply failed with 1 conflict: conflict with {conflicts[0].manager}: {conflicts[0].field}"
    lines: list[str] = []
    for index, one in enumerate(conflicts):
        if index == 0 or conflicts[index - 1].identity != one.identity:
            lines.append(f"conflicts with {one.manager}:")
        lines.append(f"- {one.field}")
    return f"Apply failed with {len(conflicts)} conflicts: " + "\n".join(lines)
