"""Match conditions of webhooks (KEP-3716): expressions about a write, all of which must be true."""

from __future__ import annotations

from typing import Protocol

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.refusal import shown_name
from kube_twisted.admission.webhooks.configurations import Candidate
from kube_twisted.admission.webhooks.views import Views
from kube_twisted.api import errors

_NOT_EVALUATED = "match conditions are not evaluated"


class Conditions(Protocol):
    """Looks at match conditions."""

    async def match(self, candidate: Candidate, attributes: Attributes, views: Views, type_: str) -> bool:
        """Whether a webhook with conditions is to be asked.

        :param type_: of the step, as metrics name it.
        :raises StatusError: 403 when that can't be found out, and the webhook must be asked.
        """


class NoConditions:
    """Where expressions can't be evaluated: as if each failed."""

    async def match(self, candidate: Candidate, attributes: Attributes, views: Views, type_: str) -> bool:
        if candidate.webhook.opens:
            return False
        raise errors.forbidden(attributes.resource.group_resource, shown_name(attributes), _NOT_EVALUATED)
