"""Expressions of admission: what they may name, and whether they compile.

Used by the match conditions of webhooks (KEP-3716) and by admission policies (KEP-3488, KEP-3962).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from attrs import frozen

from kube_twisted.api.field import FieldError, internal_error, invalid
from kube_twisted.cel.base import BASE
from kube_twisted.cel.declared import DeclaredType, DeclaredTypes
from kube_twisted.cel.environment import Environment
from kube_twisted.cel.errors import CompilationFailed
from kube_twisted.cel.functions import parse_type
from kube_twisted.cel.library.authorization import AUTHORIZER, RESOURCE_CHECK
from kube_twisted.cel.library.json_patch import JSON_PATCH
from kube_twisted.cel.mutation import MutationTypes
from kube_twisted.cel.program import BadProgram, Program, check_expression, instantiate
from kube_twisted.cel.types import DYN, Type, struct

#: The type of the variable ``variables``.
VARIABLES = "kubernetes.variables"
_SIMPLE = frozenset(("bool", "bytes", "double", "duration", "int", "null_type", "string", "timestamp", "uint"))

#: object type -> its fields and their types
_TYPES: Mapping[str, Mapping[str, str]] = {
    "GroupVersionKind": {"group": "string", "version": "string", "kind": "string"},
    "GroupVersionResource": {"group": "string", "version": "string", "resource": "string"},
    "UserInfo": {"username": "string", "uid": "string", "groups": "list(string)",
                 "extra": "map(string, list(string))"},
    "AdmissionRequest": {
        "kind": "kubernetes.GroupVersionKind", "resource": "kubernetes.GroupVersionResource", "subResource": "string",
        "requestKind": "kubernetes.GroupVersionKind", "requestResource": "kubernetes.GroupVersionResource",
        "requestSubResource": "string", "name": "string", "namespace": "string", "operation": "string",
        "userInfo": "kubernetes.UserInfo", "dryRun": "bool", "options": "dyn"},
    "NamespaceSpec": {"finalizers": "list(string)"},
    "NamespaceCondition": {"status": "string", "type": "string", "lastTransitionTime": "timestamp",
                           "message": "string", "reason": "string"},
    "NamespaceStatus": {"conditions": "list(kubernetes.NamespaceCondition)", "phase": "string"},
    "NamespaceMetadata": {
        "name": "string", "generateName": "string", "namespace": "string", "labels": "map(string, string)",
        "annotations": "map(string, string)", "UID": "string", "creationTimestamp": "timestamp",
        "deletionGracePeriodSeconds": "int", "deletionTimestamp": "timestamp", "generation": "int",
        "resourceVersion": "string", "finalizers": "list(string)"},
    "Namespace": {"metadata": "kubernetes.NamespaceMetadata", "spec": "kubernetes.NamespaceSpec",
                  "status": "kubernetes.NamespaceStatus"}}


@frozen
class Names:
    """Which variables there are besides ``object``, ``oldObject``, ``request`` and ``namespaceObject``.

    :ivar patches: whether objects and JSON patches can be made.
    """

    params: bool = False
    authorizer: bool = True
    patches: bool = False


@lru_cache(maxsize=8)
def environment(names: Names) -> Environment:
    """What an expression of admission may name."""
    declared = {f"kubernetes.{name}": DeclaredType(struct(f"kubernetes.{name}"), fields={
        field: DeclaredType(parse_type(text)) for field, text in fields.items()}) for name, fields in _TYPES.items()}
    variables = {"object": DYN, "oldObject": DYN, "namespaceObject": struct("kubernetes.Namespace"),
                 "request": struct("kubernetes.AdmissionRequest")}
    if names.params:
        variables["params"] = DYN
    if names.authorizer:
        variables |= {"authorizer": AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK}
    env = BASE.with_variables(variables, DeclaredTypes(types=declared))
    return env.with_variables({}, MutationTypes()).with_libraries(JSON_PATCH) if names.patches else env


class Composition:
    """Compiles the expressions of one policy; those of its variables come first, in their order."""

    def __init__(self, has_variables: bool) -> None:
        self._variables: dict[str, DeclaredType] | None = {} if has_variables else None

    def compile(self, expression: str, names: Names, wanted: tuple[Type, ...] = ()) -> Program:
        """A runnable expression.

        :param wanted: the types that it may have; any, when there are none.
        :raises CompilationFailed: see its text.
        :raises TypeError: it has another type.
        :raises BadProgram: it can't be run.
        """
        env = environment(names)
        if self._variables is not None:
            held = DeclaredType(struct(VARIABLES), fields=self._variables)
            env = env.with_variables({"variables": held.type}, DeclaredTypes(types={VARIABLES: held}))
        checked = check_expression(expression, env)
        if wanted and checked.result not in wanted:
            listed = _name(wanted[0]) if len(wanted) == 1 else f"one of [{' '.join(_name(one) for one in wanted)}]"
            raise TypeError(f"must evaluate to {listed} but got {_name(checked.result)}")
        return instantiate(expression, checked, env)

    def declare(self, name: str, result: Type | None) -> None:
        """A variable for the expressions to come; one that doesn't compile is of any type."""
        if self._variables is not None:
            self._variables[name] = DeclaredType(DYN if result is None else variable_type(result))


def variable_type(found: Type) -> Type:
    """Lists and maps of simple types keep their types, objects lose them."""
    if found.kind in _SIMPLE:
        return found
    if found.kind in ("list", "map"):
        return Type(found.kind, found.name, tuple(map(variable_type, found.params)))
    return DYN


def _name(found: Type) -> str:
    """The type as it calls itself at run time."""
    return found.name if not found.params else f"{found.name}({', '.join(map(_name, found.params))})"


def validate(path: str, expression: str, names: Names, wanted: tuple[Type, ...] = (), *,
             within: Composition | None = None, shown: Any = None) -> tuple[list[FieldError], Type | None]:
    """What is wrong with an expression, and its type if nothing is.

    :param within: the policy whose variables it may use.
    :param shown: the value that errors show; the expression itself unless given.
    """
    value = expression if shown is None else shown
    try:
        program = (within or Composition(False)).compile(expression, names, wanted)
    except CompilationFailed as error:
        return [invalid(path, value, f"compilation failed: {error}")], None
    except TypeError as error:
        return [invalid(path, value, str(error))], None
    except BadProgram as error:
        return [internal_error(path, f"program instantiation failed: {error}")], None
    return [], program.result
