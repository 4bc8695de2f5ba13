"""The webhooks of all configurations of a kind: compiled when one changes, and looked up by what is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import Equivalents, ObjectReader
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource

if TYPE_CHECKING:
    from kube_twisted.admission.webhooks.webhook import TargetOf, Webhook

GROUP = "admissionregistration.k8s.io"
#: Kinds that no webhook is asked about, so that nobody can shut the door on those who would put it right.
_EXEMPT = frozenset({
    "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"})


@frozen
class Candidate:
    """A webhook whose rules fit a write.

    :ivar resource: which its rules name.
    :ivar kind: in which it wants to see the objects.
    """

    webhook: Webhook
    resource: GroupVersionResource
    kind: GroupVersionKind


#: operation, resource, subresource, whether in a namespace
_Target = tuple[str, GroupVersionResource, str, bool]


class Configurations:
    """The webhooks of one kind of configurations, in the order in which they are asked.

    What rules say depends on few things, so it is found out once for each endpoint and operation.

    :param resource: ``mutatingwebhookconfigurations`` or ``validatingwebhookconfigurations``.
    """

    def __init__(self, resource: str, reader: ObjectReader, equivalents: Equivalents, target_of: TargetOf) -> None:
        self._resource = resource
        self._reader = reader
        self._equivalents = equivalents
        self._target_of = target_of
        self._state: tuple[int, int] | None = None
        self._webhooks: tuple[Webhook, ...] = ()
        self._candidates: dict[_Target, tuple[Candidate, ...]] = {}

    def candidates(self, attributes: Attributes) -> tuple[Candidate, ...]:
        """The webhooks whose rules fit; selectors and conditions are not looked at yet."""
        state = self._reader.changed(GROUP, self._resource), self._equivalents.changed
        if state != self._state:
            self._renew(state)
        if not self._webhooks:
            return ()
        target = attributes.operation, attributes.resource, attributes.subresource, bool(attributes.namespace)
        found = self._candidates.get(target)
        if found is None:
            found = self._candidates[target] = tuple(self._find(target, attributes.kind))
        return found

    def _renew(self, state: tuple[int, int]) -> None:
        if self._state is None or state[0] != self._state[0]:
            self._webhooks = tuple(self._compiled())
        self._state, self._candidates = state, {}

    def _compiled(self) -> Iterator[Webhook]:
        index = 0
        configurations = self._reader.peek_all(GROUP, self._resource)
        if configurations:
            from kube_twisted.admission.webhooks.webhook import compile_webhook
        for configuration in configurations:
            name = configuration["metadata"]["name"]
            seen: Counter[str] = Counter()
            for hook in configuration.get("webhooks") or ():
                uid = f"{name}/{hook['name']}/{seen[hook['name']]}"
                seen[hook["name"]] += 1
                yield compile_webhook(hook, name, uid, index, self._target_of)
                index += 1

    def _find(self, target: _Target, kind: GroupVersionKind) -> Iterator[Candidate]:
        if kind.group == GROUP and kind.kind in _EXEMPT:
            return
        operation, resource, subresource, namespaced = target
        equivalents = self._equivalents(resource, subresource)
        for webhook in self._webhooks:
            if any(rule.matches(operation, resource, subresource, namespaced) for rule in webhook.rules):
                yield Candidate(webhook, resource, kind)
            elif webhook.equivalent:
                yield from self._by_equivalent(webhook, target, equivalents)

    @staticmethod
    def _by_equivalent(webhook: Webhook, target: _Target,
                       equivalents: Sequence[tuple[GroupVersionResource, GroupVersionKind]]) -> Iterator[Candidate]:
        """The first rule that names another version of the resource decides which one is shown."""
        operation, _, subresource, namespaced = target
        for rule in webhook.rules:
            for resource, kind in equivalents:
                if rule.matches(operation, resource, subresource, namespaced):
                    yield Candidate(webhook, resource, kind)
                    return
