"""Authorization checks: ``authorizer.group('apps').resource('deployments').check('create').allowed()``.

What decides is passed in as the value of the variable ``authorizer``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen

from kube_twisted.api.names import dns_label, dns_subdomain
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.types import Type, struct
from kube_twisted.cel.values import Foreign

_A = "kubernetes.authorization."
_DECLARATIONS = f"""
    path authorizer_path: {_A}Authorizer.(string) -> {_A}PathCheck
    group authorizer_group: {_A}Authorizer.(string) -> {_A}GroupCheck
    serviceAccount authorizer_serviceaccount: {_A}Authorizer.(string, string) -> {_A}Authorizer
    resource groupcheck_resource: {_A}GroupCheck.(string) -> {_A}ResourceCheck
    subresource resourcecheck_subresource: {_A}ResourceCheck.(string) -> {_A}ResourceCheck
    namespace resourcecheck_namespace: {_A}ResourceCheck.(string) -> {_A}ResourceCheck
    name resourcecheck_name: {_A}ResourceCheck.(string) -> {_A}ResourceCheck
    check pathcheck_check: {_A}PathCheck.(string) -> {_A}Decision
    check resourcecheck_check: {_A}ResourceCheck.(string) -> {_A}Decision
    errored decision_errored: {_A}Decision.() -> bool
    error decision_error: {_A}Decision.() -> string
    allowed decision_allowed: {_A}Decision.() -> bool
    reason decision_reason: {_A}Decision.() -> string
    fieldSelector authorizer_fieldselector: {_A}ResourceCheck.(string) -> {_A}ResourceCheck
    labelSelector authorizer_labelselector: {_A}ResourceCheck.(string) -> {_A}ResourceCheck
"""
#: Types of the variables ``authorizer`` and ``authorizer.requestResource``.
AUTHORIZER: Type = struct(f"{_A}Authorizer")
RESOURCE_CHECK: Type = struct(f"{_A}ResourceCheck")


@frozen(eq=False)
class Decision(Foreign):
    """What an authorizer said: allowed or not, why, and what went wrong."""

    allowed: bool
    reason: str = ""
    error: str = ""
    type_name = f"{_A}Decision"

    def equals(self, other: Any) -> bool:
        return isinstance(other, Decision) and (self.allowed, self.reason, self.error) == (
            other.allowed, other.reason, other.error)


@frozen
class Question:
    """What is asked. Either a path, or a resource.

    :ivar service_account: namespace and name of the account to ask about instead of the request's user.
    """

    verb: str = ""
    path: str = ""
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    field_selector: str = ""
    label_selector: str = ""
    service_account: tuple[str, str] | None = None


#: Answers a question at once.
Decide = Callable[[Question], Decision]


@frozen(eq=False)
class Check(Foreign):
    """A question that is being put together; also the authorizer itself, with nothing said yet."""

    kind: str
    decide: Decide
    question: Question = Question()

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return f"{_A}{self.kind}"

    def equals(self, other: Any) -> bool:
        return isinstance(other, Check) and self.kind == other.kind and self.question == other.question


def authorizer(decide: Decide) -> Check:
    """The value of the variable ``authorizer``."""
    return Check("Authorizer", decide)


def _adding(field: str, kind: str) -> Callable[[Check, str], Check]:
    def added(check: Check, text: str) -> Check:
        changed: dict[str, Any] = {field: text}
        return evolve(check, kind=kind, question=evolve(check.question, **changed))
    return added


def _required(field: str, kind: str) -> Callable[[Check, str], Check]:
    add = _adding(field, kind)

    def added(check: Check, text: str) -> Check:
        if not text.strip():
            raise CelError(f"{field} must not be empty")
        return add(check, text)
    return added


def _service_account(check: Check, namespace: str, name: str) -> Check:
    if dns_subdomain(name, False):
        raise CelError("Invalid service account name")
    if dns_label(namespace, False):
        raise CelError("Invalid service account namespace")
    return evolve(check, question=evolve(check.question, service_account=(namespace, name)))


def _check(check: Check, verb: str) -> Decision:
    return check.decide(evolve(check.question, verb=verb))


AUTHORIZATION: Library = library(_DECLARATIONS, {
    "authorizer_path": _required("path", "PathCheck"), "authorizer_group": _adding("group", "GroupCheck"),
    "authorizer_serviceaccount": _service_account, "groupcheck_resource": _required("resource", "ResourceCheck"),
    "resourcecheck_subresource": _adding("subresource", "ResourceCheck"),
    "resourcecheck_namespace": _adding("namespace", "ResourceCheck"),
    "resourcecheck_name": _adding("name", "ResourceCheck"), "pathcheck_check": _check, "resourcecheck_check": _check,
    "decision_errored": lambda decision: bool(decision.error), "decision_error": lambda decision: decision.error,
    "decision_allowed": lambda decision: decision.allowed, "decision_reason": lambda decision: decision.reason,
    "authorizer_fieldselector": _adding("field_selector", "ResourceCheck"),
    "authorizer_labelselector": _adding("label_selector", "ResourceCheck")})
