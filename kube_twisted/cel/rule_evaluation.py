"""Evaluate the rules at one place of an object, and word what doesn't hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from attrs import field, frozen

from kube_twisted.api.field import OMITTED, FieldError, duplicate, forbidden, go_quote, invalid, required
from kube_twisted.cel import field_path
from kube_twisted.cel.errors import CelError, CostExceeded
from kube_twisted.cel.program import Program
from kube_twisted.cel.rules import OLD_SELF, SELF, CompiledRule
from kube_twisted.cel.schema_types import Schema, with_metadata
from kube_twisted.cel.schema_values import to_value
from kube_twisted.cel.values import NONE, Optional

_MAX_MESSAGE = 5 * 1024
_OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run"
_MESSAGE_OUT_OF_BUDGET = ("messageExpression evaluation failed due to running out of cost budget, no further "
                          "validation rules will be run")


class Findings(Protocol):
    """Where results go, and what may still be spent."""

    budget: int
    errors: list[FieldError]
    warnings: list[str]


class _Stopped(Exception):
    """The budget ran out; the error says where."""

    def __init__(self, error: FieldError) -> None:
        super().__init__(str(error))
        self.error = error


@frozen
class RulesOfNode:
    """The rules of one schema node.

    :ivar broken: there are rules, but the type can't be expressed in the language.
    """

    rules: tuple[CompiledRule, ...]
    schema: Schema
    is_root: bool
    broken: bool = False
    _kind: str = field(init=False)

    @_kind.default
    def _kind_of_schema(self) -> str:
        return self.schema.get("type") or ""

    def evaluate(self, report: Findings, path: str, value: Any, old: Any, unchanged: Callable[[], bool]) -> None:
        """Evaluate all rules; results and costs go to the report.

        :param unchanged: whether the value is as it was, so that breaking a rule is no error.
        """
        if self.broken:
            report.errors.append(self._error(path, "rule compiler initialization error: failed to convert to declType "
                                                   "for CEL validation rules"))
            return
        if not self.rules:
            return
        if report.budget <= 0:
            report.errors.append(self._error(path, _OUT_OF_BUDGET))
            report.budget = -1
            return
        try:
            plain, optional = self._variables(value, old)
            for one in self.rules:
                self._evaluate(report, one, path, value, (plain, optional), old is not None, unchanged)
        except _Stopped as stopped:
            report.errors.append(stopped.error)
            report.budget = -1

    def _error(self, path: str, detail: str) -> FieldError:
        return invalid(path or "<nil>", self._kind, detail)

    def _variables(self, value: Any, old: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """``self`` and ``oldSelf``, and the same with an optional ``oldSelf``."""
        schema = with_metadata(self.schema) if self.is_root else self.schema
        own = _convert(value, schema)
        if old is None:
            return {SELF: own}, {SELF: own, OLD_SELF: NONE}
        before = _convert(old, schema)
        return {SELF: own, OLD_SELF: before}, {
            SELF: own, OLD_SELF: before if isinstance(before, CelError) else Optional(before)}

    def _evaluate(self, report: Findings, compiled: CompiledRule, path: str, value: Any,
                  variables: tuple[dict[str, Any], dict[str, Any]], has_old: bool,
                  unchanged: Callable[[], bool]) -> None:
        rule = compiled.rule
        if compiled.error is not None:
            report.errors.append(self._error(path, f"rule compile error: {compiled.error}"))
            return
        if compiled.program is None or (compiled.uses_old_self and not has_old and not rule.get("optionalOldSelf")):
            return
        plain, optional = variables
        outcome = compiled.program.evaluate(optional if rule.get("optionalOldSelf") else plain)
        if outcome.cost > report.budget:
            raise _Stopped(self._error(path, _OUT_OF_BUDGET))
        report.budget -= outcome.cost
        if outcome.error is not None:
            report.errors.append(self._failure(path, rule, outcome.error))
            return
        if outcome.value is True:
            return
        where = self._where(path, rule)
        error = _broken(where, OMITTED if self._kind in ("object", "array") else value,
                        self._detail(report, compiled, where, plain), rule.get("reason"))
        if not compiled.uses_old_self and unchanged():
            report.warnings.append(str(error))
        else:
            report.errors.append(error)

    def _failure(self, path: str, rule: Mapping[str, Any], error: Exception) -> FieldError:
        """The evaluation of a rule failed."""
        shown = _shown(rule)
        if isinstance(error, CostExceeded):
            raise _Stopped(self._error(
                path, f"'{error}': no further validation rules will be run due to call cost exceeds limit for rule: "
                      f"{shown}"))
        text = str(error)
        if text.startswith("no such overload"):
            return self._error(path, f"'{text}': call arguments did not match a supported operator, function or macro "
                                     f"signature for rule: {shown}")
        return self._error(path, f"{text} evaluating rule: {shown}")

    def _where(self, path: str, rule: Mapping[str, Any]) -> str:
        """The path of the error, as the rule wants it."""
        wanted = rule.get("fieldPath")
        if not wanted:
            return path
        try:
            below = field_path.normalized(wanted, self.schema)
        except field_path.BadPath:
            return path
        return f"{path}.{below}" if path else below

    def _detail(self, report: Findings, compiled: CompiledRule, path: str, variables: Mapping[str, Any]) -> str:
        if compiled.message is not None:
            text = self._message(report, compiled.message, path, variables)
            if text:
                return text
        message = compiled.rule.get("message") or ""
        return message.strip() if message else f"failed rule: {_shown(compiled.rule)}"

    def _message(self, report: Findings, program: Program, path: str, variables: Mapping[str, Any]) -> str | None:
        """What a messageExpression says; None when that is of no use."""
        outcome = program.evaluate(variables)
        if outcome.cost > report.budget:
            raise _Stopped(self._error(path, _MESSAGE_OUT_OF_BUDGET))
        if isinstance(outcome.error, CostExceeded):
            raise _Stopped(self._error(path, "no further validation rules will be run due to call cost exceeds limit "
                                             f"for messageExpression: {go_quote(program.expression)}"))
        report.budget -= outcome.cost
        text = outcome.value.strip() if isinstance(outcome.value, str) else ""
        return None if len(text.encode()) > _MAX_MESSAGE or "\n" in text else text or None


def _convert(data: Any, schema: Schema) -> Any:
    """A value, or the error that using it is."""
    try:
        return to_value(data, schema)
    except CelError as error:
        return error


def _shown(rule: Mapping[str, Any]) -> str:
    """The rule in a message: its own message, or its text."""
    return str(rule.get("message") or rule["rule"]).strip()


def _broken(path: str, value: Any, detail: str, reason: str | None) -> FieldError:
    path = path or "<nil>"
    if reason == "FieldValueForbidden":
        return forbidden(path, detail)
    if reason == "FieldValueRequired":
        return required(path, detail)
    return duplicate(path, value) if reason == "FieldValueDuplicate" else invalid(path, value, detail)
