"""MutatingAdmissionPolicy: expressions that may change what is written."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.dispatching import DispatchingPlugin
from kube_twisted.admission.interfaces import IMutation
from kube_twisted.admission.policies.parts import PolicyParts

if TYPE_CHECKING:
    from kube_twisted.admission.policies.changing import MutatingDispatcher
    from kube_twisted.admission.policies.mutating import MutatingPolicy


@implementer(IMutation)
class MutatingAdmissionPolicy(DispatchingPlugin):
    """Asks all MutatingAdmissionPolicies. There is nothing of a deletion to change."""

    name = "MutatingAdmissionPolicy"
    operations = ("CREATE", "UPDATE", "CONNECT")

    def __init__(self, parts: PolicyParts) -> None:
        def new_dispatcher() -> MutatingDispatcher:
            from kube_twisted.admission.policies.changing import MutatingDispatcher

            return MutatingDispatcher(
                parts.invoking(), parts.authorizer, parts.type_of, parts.metrics, parts.clock)

        super().__init__(parts.source("mutatingadmissionpolic", _compile), new_dispatcher)

    def admit(self, attributes: Attributes) -> Awaitable[None]:
        return self.dispatch(attributes)


def _compile(obj: dict[str, Any]) -> MutatingPolicy:
    from kube_twisted.admission.policies.mutating import compile_mutating

    return compile_mutating(obj)
