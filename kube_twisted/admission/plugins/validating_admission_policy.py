"""ValidatingAdmissionPolicy: expressions that may refuse what is written."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.policies.parts import PolicyParts
from kube_twisted.admission.policies.source import PolicySource
from kube_twisted.util.deferreds import DONE

if TYPE_CHECKING:
    from kube_twisted.admission.policies.refusing import ValidatingDispatcher
    from kube_twisted.admission.policies.validating import ValidatingPolicy


@implementer(IValidation)
class ValidatingAdmissionPolicy(Plugin):
    """Asks all ValidatingAdmissionPolicies."""

    name = "ValidatingAdmissionPolicy"
    operations = ("CREATE", "UPDATE", "DELETE", "CONNECT")
    subresources = None

    def __init__(self, parts: PolicyParts) -> None:
        self._parts = parts
        self._policies: PolicySource[ValidatingPolicy] = parts.source("validatingadmissionpolic", _compile)
        self._dispatcher: ValidatingDispatcher | None = None

    def validate(self, attributes: Attributes) -> Awaitable[None]:
        candidates = self._policies.candidates(attributes)
        if not candidates:
            return DONE
        if self._dispatcher is None:
            self._dispatcher = self._new_dispatcher()
        return self._dispatcher.dispatch(attributes, candidates)

    def _new_dispatcher(self) -> ValidatingDispatcher:
        from kube_twisted.admission.policies.refusing import ValidatingDispatcher

        parts = self._parts
        return ValidatingDispatcher(parts.invoking(), parts.authorizer, parts.metrics, parts.clock)


def _compile(obj: dict[str, Any]) -> ValidatingPolicy:
    from kube_twisted.admission.policies.validating import compile_validating

    return compile_validating(obj)
