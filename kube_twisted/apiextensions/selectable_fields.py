"""Fields of custom resources that field selectors may ask for.

Source of the rules: KEP-4358, "Custom Resource Field Selectors".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from kube_twisted.api.jsonpath import JSONPath, JSONPathError
from kube_twisted.api.jsonvalue import go_print
from kube_twisted.registry.strategy import Obj


@frozen
class SelectableFields:
    """The selectable fields of a version of a custom resource, by their names in selectors: ``spec.color``."""

    paths: dict[str, JSONPath]

    @property
    def labels(self) -> frozenset[str]:
        """What selectors may name besides metadata, as a strategy's ``field_labels``."""
        return frozenset(self.paths)

    def values(self, obj: Obj) -> dict[str, str]:
        """The fields of an object as texts; one that is missing or null is empty."""
        return {name: _text(path, obj) for name, path in self.paths.items()}


def selectable_fields(paths: Iterable[str]) -> SelectableFields:
    """The fields.

    :param paths: valid ones, as a definition writes them: ``.spec.color``.
    """
    return SelectableFields({path.removeprefix("."): JSONPath.parse(f"{{{path}}}") for path in paths})


def _text(path: JSONPath, obj: Obj) -> str:
    try:
        found: list[Any] = path.find(obj)[0]
    except JSONPathError:
        return ""
    return go_print(found[0]) if found and found[0] is not None else ""
