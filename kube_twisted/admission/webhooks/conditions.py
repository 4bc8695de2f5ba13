"""Match conditions of webhooks (KEP-3716): expressions about a write, all of which must be true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.webhooks.configurations import Candidate
from kube_twisted.admission.webhooks.metrics import WebhookMetrics
from kube_twisted.admission.webhooks.views import Views
from kube_twisted.api import errors
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.util.clock import Clock

if TYPE_CHECKING:
    from kube_twisted.admission.expressions.conditions import MatchConditions

Obj = dict[str, Any]


@frozen
class ConditionChecking:
    """Looks at match conditions.

    :ivar authorizer: answers what expressions ask about the user's rights.
    """

    authorizer: IAuthorizer
    metrics: WebhookMetrics
    clock: Clock

    async def match(self, candidate: Candidate, attributes: Attributes, views: Views, type_: str) -> bool:
        """Whether a webhook is to be asked as far as its conditions are concerned.

        :param type_: of the step, as metrics name it.
        :raises StatusError: 403 when that can't be found out, and the webhook must be asked; 500 when the objects
            can't be converted.
        """
        conditions = candidate.webhook.conditions
        return conditions is None or await self._hold(conditions, candidate, attributes, views, type_)

    async def _hold(self, conditions: MatchConditions, candidate: Candidate, attributes: Attributes, views: Views,
                    type_: str) -> bool:
        # only servers whose webhooks have conditions pay for the expression language
        from kube_twisted.admission.expressions.checks import Checks
        from kube_twisted.admission.expressions.conditions import ConditionsFailed
        from kube_twisted.admission.expressions.inputs import Inputs
        from kube_twisted.admission.expressions.pace import Pace

        webhook = candidate.webhook
        obj, old = await _shown(candidate, views)
        checks = Checks(self.authorizer, attributes.user)
        inputs = Inputs(attributes, candidate.resource, candidate.kind, obj, old, checks=checks)
        begin, failure, holds = self.clock.seconds(), None, False
        try:
            holds = await conditions.hold(inputs, Pace(checks, self.clock))
        except ConditionsFailed as error:
            failure = error
        self.metrics.evaluated(webhook.name, type_, attributes.operation, failure.failures if failure else 0,
                               self.clock.seconds() - begin)
        if failure is not None and not webhook.opens:
            raise errors.forbidden(attributes.resource.group_resource, attributes.name, str(failure))
        if not holds:
            self.metrics.excluded(webhook.name, type_, attributes.operation)
        return holds


async def _shown(candidate: Candidate, views: Views) -> tuple[Obj | None, Obj | None]:
    """:raises StatusError: 500."""
    try:
        return await views.show(candidate.kind)
    except errors.StatusError as error:
        raise errors.internal_error(error.message) from error
