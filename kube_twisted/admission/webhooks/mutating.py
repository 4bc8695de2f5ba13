"""Asks mutating webhooks about a write, one after the other, and applies their patches.

Source of the rules: the Kubernetes documentation, "Dynamic Admission Control".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from attrs import frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.reinvocation import Asked
from kube_twisted.admission.webhooks.configurations import Candidate
from kube_twisted.admission.webhooks.dispatching import Dispatcher
from kube_twisted.admission.webhooks.patching import Patched, annotation, apply
from kube_twisted.admission.webhooks.views import Views
from kube_twisted.api import errors
from kube_twisted.api.jsonvalue import deep_copy

Obj = dict[str, Any]
#: Begins the keys of audit annotations about patches: for those who log requests with their bodies.
PATCH_PREFIX = "patch.webhook.admission.k8s.io/"
_NAME = "MutatingAdmissionWebhook"


@frozen
class MutatingDispatcher(Dispatcher):
    """Asks mutating webhooks."""

    type = "admit"
    audit_prefix = "mutation.webhook.admission.k8s.io/"

    async def dispatch(self, attributes: Attributes, candidates: Sequence[Candidate]) -> None:
        """Ask all that are concerned; ``attributes.obj`` is changed in place.

        :raises StatusError: when one refuses, or can't be asked and must be.
        """
        again = attributes.second_round()
        memory: Asked[str] = again.memory.setdefault(_NAME, Asked())
        if again.running and memory.output != attributes.obj:
            memory.changed()
        views = Views(attributes)
        for candidate in candidates:
            webhook = candidate.webhook
            if not await self.concerns(candidate, attributes, views):
                continue
            if again.running and webhook.uid not in memory.due:
                continue
            place = f"round_{int(again.running)}_index_{webhook.index}"
            work = self._changes(candidate, attributes, views, place)
            if await self.settled(webhook, attributes, place, work):
                memory.changed()
                again.wanted = True
            if webhook.reinvocable:
                memory.invoked.add(webhook.uid)
        if again.wanted and not again.running:
            memory.output = deep_copy(attributes.obj)

    async def _changes(self, candidate: Candidate, attributes: Attributes, views: Views, place: str) -> bool:
        """Ask one webhook, and do as it says: whether that changes the object."""
        changed = False
        try:
            obj, old = await _shown(views, candidate)
            verdict = await self.asking.ask(candidate, attributes, obj, old, mutating=True)
            patched = apply(verdict, candidate, attributes, obj)
            if patched is not None:
                changed = patched.changed
                attributes.annotate(PATCH_PREFIX + place, annotation(candidate, patched.patch))
                await _take(patched, candidate, attributes, views)
        finally:
            attributes.annotate(self.audit_prefix + place, _mutation(candidate, changed))
        return changed


async def _shown(views: Views, candidate: Candidate) -> tuple[Obj | None, Obj | None]:
    """:raises StatusError: 500 when the objects can't be converted."""
    try:
        return await views.show(candidate.kind)
    except errors.StatusError as error:
        raise errors.internal_error(f"Internal error occurred: {error.message}") from error


async def _take(patched: Patched, candidate: Candidate, attributes: Attributes, views: Views) -> None:
    """Make the object what it was patched to."""
    obj = attributes.obj
    assert obj is not None
    adopted = await attributes.versions.adopt(patched.obj, candidate.kind)
    obj.clear()
    obj.update(adopted)
    views.changed()


def _mutation(candidate: Candidate, changed: bool) -> str:
    """What the audit log is told about a call."""
    return orjson.dumps({"configuration": candidate.webhook.configuration, "webhook": candidate.webhook.name,
                         "mutated": changed}).decode()
