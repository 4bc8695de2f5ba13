"""Checks a policy's expressions against the types of the objects that it is about (KEP-3488, "Type Checking").

A policy is compiled with objects of any type. What is found here are only warnings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.cel.admission import VARIABLES, Names, environment, variable_type
from kube_twisted.cel.declared import DeclaredType, DeclaredTypes
from kube_twisted.cel.environment import Environment
from kube_twisted.cel.errors import CompilationFailed
from kube_twisted.cel.library.authorization import AUTHORIZER
from kube_twisted.cel.program import check_expression
from kube_twisted.cel.schema_types import Schema, declared_type
from kube_twisted.cel.types import DYN, Type, struct


@frozen
class KindType:
    """A kind, and the type of its objects; None when expressions can't look into them."""

    kind: GroupVersionKind
    type: DeclaredType | None

    @classmethod
    def of(cls, kind: GroupVersionKind, schema: Schema) -> KindType:
        """From an OpenAPI schema without references."""
        declared = declared_type(schema, is_root=True)
        return cls(kind, None if declared is None else declared.named(kind.kind))


@frozen
class Warned:
    """A complaint about an expression.

    :ivar path: of the expression in the policy.
    """

    path: str
    text: str


def check_policy(spec: Mapping[str, Any], kinds: Sequence[KindType], params: KindType | None) -> list[Warned]:
    """The complaints about validations and their messages.

    :param spec: of a ValidatingAdmissionPolicy.
    :param kinds: of the objects that it is about.
    :param params: the kind of its parameters, if it has any.
    """
    checkers = [_Checker.make(one, params, "paramKind" in spec, spec.get("variables") or ()) for one in kinds]
    return [Warned(path, "\n".join(texts)) for path, expression in _expressions(spec)
            if (texts := [text for one in checkers if (text := one.complaint(expression))])]


def _expressions(spec: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for index, one in enumerate(spec.get("validations") or ()):
        yield f"spec.validations[{index}].expression", one["expression"]
        if one.get("messageExpression"):
            yield f"spec.validations[{index}].messageExpression", one["messageExpression"]


@frozen
class _Checker:
    """Checks expressions about objects of one kind.

    :ivar environment: what they may name.
    """

    kind: GroupVersionKind
    environment: Environment

    @classmethod
    def make(cls, about: KindType, params: KindType | None, has_params: bool,
             variables: Sequence[Mapping[str, Any]]) -> _Checker:
        fields: dict[str, DeclaredType] = {}
        held = DeclaredType(struct(VARIABLES), fields=fields)
        env = _environment(about, params, has_params).with_variables(
            {"variables": held.type}, DeclaredTypes(types={VARIABLES: held}))
        for one in variables:
            try:
                found = variable_type(check_expression(one["expression"], env).result)
            except CompilationFailed:
                found = DYN
            fields[one["name"]] = DeclaredType(found)
        return cls(about.kind, env)

    def complaint(self, expression: str) -> str:
        """What is wrong with an expression; empty when nothing is."""
        try:
            check_expression(expression, self.environment)
        except CompilationFailed as error:
            kind = self.kind
            return f"{kind.group}/{kind.version}, Kind={kind.kind}: {error}\n"
        return ""


def _environment(about: KindType, params: KindType | None, has_params: bool) -> Environment:
    known = [one.type for one in (about, params) if one is not None and one.type is not None]
    variables: dict[str, Type] = {"object": _type(about), "oldObject": _type(about), "authorizer": AUTHORIZER}
    if has_params:
        variables["params"] = _type(params)
    return environment(Names(authorizer=False)).with_variables(variables, DeclaredTypes.of(*known))


def _type(found: KindType | None) -> Type:
    return DYN if found is None or found.type is None else found.type.type
