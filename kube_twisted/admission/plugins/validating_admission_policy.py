"""ValidatingAdmissionPolicy: expressions that may refuse what is written."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.dispatching import DispatchingPlugin
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.policies.parts import PolicyParts

if TYPE_CHECKING:
    from kube_twisted.admission.policies.refusing import ValidatingDispatcher
    from kube_twisted.admission.policies.validating import ValidatingPolicy


@implementer(IValidation)
class ValidatingAdmissionPolicy(DispatchingPlugin):
    """Asks all ValidatingAdmissionPolicies."""

    name = "ValidatingAdmissionPolicy"

    def __init__(self, parts: PolicyParts) -> None:
        def new_dispatcher() -> ValidatingDispatcher:
            from kube_twisted.admission.policies.refusing import ValidatingDispatcher

            return ValidatingDispatcher(parts.invoking(), parts.authorizer, parts.metrics, parts.clock)

        super().__init__(parts.source("validatingadmissionpolic", _compile), new_dispatcher)

    def validate(self, attributes: Attributes) -> Awaitable[None]:
        return self.dispatch(attributes)


def _compile(obj: dict[str, Any]) -> ValidatingPolicy:
    from kube_twisted.admission.policies.validating import compile_validating

    return compile_validating(obj)
