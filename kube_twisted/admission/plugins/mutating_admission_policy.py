"""MutatingAdmissionPolicy: expressions that may change what is written."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.policies.parts import PolicyParts
from kube_twisted.admission.policies.source import PolicySource
from kube_twisted.util.deferreds import DONE

if TYPE_CHECKING:
    from kube_twisted.admission.policies.changing import MutatingDispatcher
    from kube_twisted.admission.policies.mutating import MutatingPolicy


@implementer(IMutation)
class MutatingAdmissionPolicy(Plugin):
    """Asks all MutatingAdmissionPolicies. There is nothing of a deletion to change."""

    name = "MutatingAdmissionPolicy"
    operations = ("CREATE", "UPDATE", "CONNECT")
    subresources = None

    def __init__(self, parts: PolicyParts) -> None:
        self._parts = parts
        self._policies: PolicySource[MutatingPolicy] = parts.source("mutatingadmissionpolic", _compile)
        self._dispatcher: MutatingDispatcher | None = None

    def admit(self, attributes: Attributes) -> Awaitable[None]:
        candidates = self._policies.candidates(attributes)
        if not candidates:
            return DONE
        if self._dispatcher is None:
            self._dispatcher = self._new_dispatcher()
        return self._dispatcher.dispatch(attributes, candidates)

    def _new_dispatcher(self) -> MutatingDispatcher:
        from kube_twisted.admission.policies.changing import MutatingDispatcher

        parts = self._parts
        return MutatingDispatcher(
            parts.invoking(), parts.authorizer, parts.type_of, parts.metrics, parts.clock)


def _compile(obj: dict[str, Any]) -> MutatingPolicy:
    from kube_twisted.admission.policies.mutating import compile_mutating

    return compile_mutating(obj)
