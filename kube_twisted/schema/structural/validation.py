"""Validation of a custom object's values against its schema, on creation and on update."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.structural.ratcheting import is_excused


def validate(value: Any, node: Structural, path: str = "") -> list[FieldError]:
    """All that is wrong with a value.

    :param path: where the value sits in its object: ``status`` for the status subresource, "" for a whole object.
    """
    return [problem.field_error(path) for problem, _ in node.checks.outcome(value).problems.values()]


def validate_update(value: Any, old: Any, node: Structural, path: str = "") -> list[FieldError]:
    """All that is wrong with a value, but for what was already so: fields that did not change are excused (KEP-4008).

    :param old: the stored value at the same place; None if there was none.
    """
    found = node.checks.outcome(value).problems
    return [problem.field_error(path) for problem, at in found.values() if not is_excused(at, value, old, node)]
