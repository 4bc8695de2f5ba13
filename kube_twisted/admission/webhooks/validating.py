"""Asks validating webhooks about a write, all at once.

Source of the rules: the Kubernetes documentation, "Dynamic Admission Control".
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen
from twisted.internet.defer import DeferredList
from twisted.python.failure import Failure

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.webhooks.configurations import Candidate
from kube_twisted.admission.webhooks.dispatching import Dispatcher
from kube_twisted.admission.webhooks.views import Views
from kube_twisted.api import errors
from kube_twisted.util.deferreds import to_deferred


@frozen
class ValidatingDispatcher(Dispatcher):
    """Asks validating webhooks."""

    type = "validating"
    audit_prefix = "validating.webhook.admission.k8s.io/"

    async def dispatch(self, attributes: Attributes, candidates: Sequence[Candidate]) -> None:
        """Ask all that are concerned, and wait for all of them.

        :raises StatusError: what was wrong first, when one refuses, or can't be asked and must be.
        """
        views = Views(attributes)
        concerned = []
        for candidate in candidates:
            if await self.concerns(candidate, attributes, views):
                await _prepare(views, candidate)
                concerned.append(candidate)
        if not concerned:
            return
        refusals: list[Exception] = []
        outcomes = await DeferredList([to_deferred(self._one(candidate, attributes, views, index, refusals))
                                       for index, candidate in enumerate(concerned)], consumeErrors=True)
        for _, outcome in outcomes:
            if isinstance(outcome, Failure):
                outcome.raiseException()
        if refusals:
            raise refusals[0]

    async def _one(self, candidate: Candidate, attributes: Attributes, views: Views, index: int,
                   refusals: list[Exception]) -> None:
        obj, old = await views.show(candidate.kind)
        work = self.asking.ask(candidate, attributes, obj, old, mutating=False)
        try:
            await self.settled(candidate.webhook, attributes, f"round_0_index_{index}", work)
        except errors.StatusError as error:
            refusals.append(error)


async def _prepare(views: Views, candidate: Candidate) -> None:
    """:raises StatusError: 500 when the objects can't be converted."""
    try:
        await views.show(candidate.kind)
    except errors.StatusError as error:
        raise errors.internal_error(error.message) from error
