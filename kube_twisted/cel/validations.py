"""Validate objects by the rules of x-kubernetes-validations (KEP-2876).

``compile_rules`` once for each schema, then ``Rules.validate`` for each object.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field, frozen

from kube_twisted.api.field import FieldError
from kube_twisted.cel.correlation import Correlation, OldElements
from kube_twisted.cel.declared import DeclaredType
from kube_twisted.cel.escaping import escape
from kube_twisted.cel.rule_evaluation import RulesOfNode
from kube_twisted.cel.rules import RuleCompiler
from kube_twisted.cel.schema_types import Schema, declared_type, is_embedded

#: What all rules of one object may cost together.
BUDGET = 10_000_000
_RULES = "x-kubernetes-validations"


@define
class Report:
    """What the rules say about an object.

    :ivar errors: rules that don't hold, and what went wrong with rules.
    :ivar warnings: rules that don't hold for what hasn't changed, which is no error.
    :ivar budget: what is left; negative when it ran out, and further rules were not looked at.
    """

    budget: int
    errors: list[FieldError] = field(factory=list)
    warnings: list[str] = field(factory=list)


@frozen
class Ratchet:
    """Where old values are compared.

    :ivar current: the value at hand beside its old one, if it has one.
    :ivar parent: the nearest value above that has one.
    """

    current: Correlation | None = None
    parent: Correlation | None = None

    def unchanged(self) -> bool:
        nearest = self.current if self.current is not None else self.parent
        return nearest is not None and nearest.unchanged()

    def field(self, name: str) -> Ratchet:
        if self.current is None:
            return self
        if self.parent is None and name in ("apiVersion", "kind"):
            return Ratchet()
        return Ratchet(self.current.field(name), self.current)

    def element(self, index: int) -> Ratchet:
        return self if self.current is None else Ratchet(self.current.element(index), self.current)


@frozen
class Rules:
    """The compiled rules of a schema, with those of the schemas inside."""

    _own: RulesOfNode
    _all_of: tuple[Rules, ...]
    _items: Rules | None
    _properties: Mapping[str, Rules]
    _values: Rules | None
    _schema: Schema

    def validate(self, obj: Any, old: Any = None, *, path: str = "", ratchet: bool = False,
                 budget: int = BUDGET) -> Report:
        """Check an object.

        :param old: the stored object, on update; None on create.
        :param path: of the object, for the errors.
        :param ratchet: a rule that doesn't hold for an unchanged part is only worth a warning.
        """
        report = Report(budget)
        correlation = Ratchet(Correlation(obj, old, self._schema)) if ratchet and old is not None else Ratchet()
        self._validate(report, path, obj, old, correlation)
        return report

    def _validate(self, report: Report, path: str, value: Any, old: Any, ratchet: Ratchet) -> None:
        if value is None:
            return
        self._own.evaluate(report, path, value, old, ratchet.unchanged)
        for one in self._all_of:
            if report.budget < 0:
                return
            one._validate(report, path, value, old, Ratchet(None, ratchet.parent))
        if report.budget < 0:
            return
        if isinstance(value, list):
            self._validate_list(report, path, value, old, ratchet)
        elif isinstance(value, dict):
            self._validate_map(report, path, value, old if isinstance(old, dict) else {}, ratchet)

    def _validate_list(self, report: Report, path: str, value: list[Any], old: Any, ratchet: Ratchet) -> None:
        if self._items is None:
            return
        before = OldElements(self._schema, old)
        for index, one in enumerate(value):
            self._items._validate(report, f"{path}[{index}]", one, before.find(one), ratchet.element(index))
            if report.budget < 0:
                return

    def _validate_map(self, report: Report, path: str, value: dict[str, Any], old: dict[str, Any],
                      ratchet: Ratchet) -> None:
        for name, one in value.items():
            below, where = self._values, f"{path}[{name}]"
            if below is None:
                below, where = self._properties.get(name), f"{path}.{name}" if path else name
            if below is not None:
                below._validate(report, where, one, old.get(name), ratchet.field(name))
            if report.budget < 0:
                return


def compile_rules(schema: Schema, *, is_resource: bool = True) -> Rules | None:
    """The rules of a schema; None when it has none.

    :param schema: a structural schema, as in ``openAPIV3Schema``.
    :param is_resource: whether it is of a whole object: that has an apiVersion, a kind and metadata.
    """
    if not _has_rules(schema):
        return None
    return _compile(schema, schema, is_resource, declared_type(schema, is_resource))


def _has_rules(schema: Any) -> bool:
    """Whether there are rules on the structure itself; those inside of ``allOf`` alone don't count."""
    if not isinstance(schema, Mapping):
        return False
    return bool(schema.get(_RULES)) or _has_rules(schema.get("items")) or _has_rules(
        schema.get("additionalProperties")) or any(map(_has_rules, (schema.get("properties") or {}).values()))


def _compile(rules: Schema, node: Schema, is_root: bool, declared: DeclaredType | None) -> Rules | None:
    """The rules of one schema.

    :param rules: holds the rules; inside of ``allOf`` that is not the schema of the structure.
    :param node: the structure that they are about.
    """
    element = None if declared is None else declared.element
    items = _below(rules.get("items"), node.get("items"), element)
    values = _below(rules.get("additionalProperties"), node.get("additionalProperties"), element)
    properties = _properties(rules, node, declared)
    all_of = tuple(found for one in rules.get("allOf") or []
                   if (found := _compile(one, node, is_root, declared)) is not None)
    own = rules.get(_RULES) or []
    if not (own or items or values or properties or all_of):
        return None
    compiler = None if declared is None or not own else RuleCompiler(declared)
    compiled = () if compiler is None else tuple(map(compiler.compile, own))
    return Rules(RulesOfNode(compiled, node, is_root, broken=bool(own) and declared is None), all_of, items,
                 properties, values, node)


def _below(rules: Any, node: Any, declared: DeclaredType | None) -> Rules | None:
    if not isinstance(rules, Mapping) or not isinstance(node, Mapping):
        return None
    return _compile(rules, node, is_embedded(node), declared)


def _properties(rules: Schema, node: Schema, declared: DeclaredType | None) -> dict[str, Rules]:
    found = {}
    for name, held in (rules.get("properties") or {}).items():
        below = (node.get("properties") or {}).get(name)
        if below is None:
            continue
        identifier = escape(name)
        if identifier is None:
            kind = declared_type(below, is_embedded(below))
        else:
            kind = ((declared.fields if declared else None) or {}).get(identifier)
        compiled = None if kind is None else _compile(held, below, is_embedded(below), kind)
        if compiled is not None:
            found[name] = compiled
    return found
