"""Validation of a schema's own defaults: each has to be a valid value where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from kube_twisted.api.field import FieldError, invalid, to_aggregate
from kube_twisted.api.jsonvalue import deep_copy, same
from kube_twisted.cel.validations import BUDGET, compile_rules
from kube_twisted.schema.structural.checks import Checks
from kube_twisted.schema.structural.embedded import validate_embedded
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.structural.objectmeta import InvalidMetadata, coerce_embedded
from kube_twisted.schema.structural.pruning import META_FIELDS, prune
from kube_twisted.schema.structural.shown import shown
from kube_twisted.schema.structural.surroundings import Steps, surround
from kube_twisted.schema.types import Struct


def validate_defaults(root: Structural, meta: Struct, path: str, *, require_pruned: bool = True) -> list[FieldError]:
    """All that is wrong with the defaults in the schema of a resource.

    :param meta: the struct of ``io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta``.
    :param path: where the schema sits, such as ``spec.versions[0].schema.openAPIV3Schema``.
    :param require_pruned: whether unknown fields are errors.
    """
    validation = _Validation(meta, require_pruned)
    validation.visit(_Place(evolve(root, embedded=True, embedded_below=True), path))
    return validation.errors


@frozen
class _Place:
    """A node of the schema.

    :ivar resource: the resource whose apiVersion, kind or metadata the node is in; None elsewhere.
    :ivar steps: the way from that resource to the node.
    """

    node: Structural
    path: str
    resource: Structural | None = None
    steps: Steps = ()

    def below(self) -> Iterator[_Place]:
        """The places of items and properties; ``additionalProperties`` have no defaults."""
        node = self.node
        if node.items is not None:
            yield self._inner(node.items, f"{self.path}.items", None)
        for key, child in node.properties.items():
            path = f"{self.path}.properties[{key}]"
            if node.embedded:
                yield _Place(child, path, node, (key,)) if key in META_FIELDS else _Place(child, path)
            else:
                yield self._inner(child, path, key)

    def _inner(self, node: Structural, path: str, step: str | None) -> _Place:
        if self.resource is None or node.embedded:
            return _Place(node, path)
        return _Place(node, path, self.resource, (*self.steps, step))


class _Validation:
    """Goes through a schema.

    :ivar errors: what was found.
    """

    def __init__(self, meta: Struct, require_pruned: bool) -> None:
        self.errors: list[FieldError] = []
        self._meta = meta
        self._require_pruned = require_pruned
        self._budget = BUDGET

    def visit(self, place: _Place) -> None:
        """Look at a node and all below, as long as the budget of rules lasts."""
        if place.node.default is not None:
            self._validate(place, f"{place.path}.default")
        for below in place.below():
            if self._budget < 0:
                return
            self.visit(below)

    def _validate(self, place: _Place, path: str) -> None:
        node, value = place.node, deep_copy(place.node.default)
        if place.resource is not None:
            wrong = self._in_metadata(node, place.resource, place.steps, path)
        else:
            if self._require_pruned:
                self.errors += _unknown_fields(node, path)
            wrong = self._embedded(value, node, path)
        self.errors += wrong or _invalid_values(value, node, path) or self._rules(value, node, path)

    def _in_metadata(self, node: Structural, resource: Structural, steps: Steps, path: str) -> list[FieldError]:
        whole = {"apiVersion": "validation/v1", "kind": "Validation", **surround(deep_copy(node.default), steps)}
        wrong = self._embedded(whole, resource, "")
        return [invalid(path, shown(node.default), f"must result in valid metadata: {to_aggregate(wrong)}")] \
            if wrong else []

    def _embedded(self, value: Any, node: Structural, path: str) -> list[FieldError]:
        """What is wrong with objects inside a value, which are brought into their canonical form."""
        try:
            coerce_embedded(value, node, self._meta, path=path)
        except InvalidMetadata as invalid_metadata:
            return [invalid_metadata.error]
        return validate_embedded(value, node, self._meta, path)

    def _rules(self, value: Any, node: Structural, path: str) -> list[FieldError]:
        """What the CEL rules say, of a value that was there before and of a new one."""
        rules = compile_rules(node.schema, is_resource=node.embedded)
        if rules is None:
            return []
        kept = rules.validate(value, value, path=path, budget=self._budget)
        if kept.errors:
            self._budget = kept.budget
            return kept.errors
        fresh = rules.validate(value, path=path, budget=self._budget)
        self._budget = min(kept.budget, fresh.budget)
        return fresh.errors


def _invalid_values(value: Any, node: Structural, path: str) -> list[FieldError]:
    """What is wrong with a default by itself; here the original looks at all formats, also at those it doesn't know."""
    found = Checks(node.schema, for_defaults=True).outcome(value).problems
    return [problem.field_error(path) for problem, _ in found.values()]


def _unknown_fields(node: Structural, path: str) -> list[FieldError]:
    pruned = deep_copy(node.default)
    prune(pruned, node, is_resource=node.embedded)
    return [] if same(pruned, node.default) else [invalid(path, shown(node.default), "must not have unknown fields")]
