"""What asking mutating and validating webhooks has in common: whom to ask, and what becomes of failures."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from attrs import frozen
from twisted.logger import Logger

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.webhooks.calling import Asking
from kube_twisted.admission.webhooks.conditions import ConditionChecking
from kube_twisted.admission.webhooks.configurations import Candidate
from kube_twisted.admission.webhooks.failures import CallingFailed, Rejected
from kube_twisted.admission.webhooks.metrics import ErrorType, WebhookMetrics
from kube_twisted.admission.webhooks.selecting import Selecting
from kube_twisted.admission.webhooks.views import Views
from kube_twisted.admission.webhooks.webhook import Webhook
from kube_twisted.api import errors
from kube_twisted.util.clock import Clock

T = TypeVar("T")
_OK = 200


@frozen
class Dispatcher:
    """Asks webhooks.

    :cvar type: as metrics name the step.
    :cvar audit_prefix: of the keys of audit annotations.
    """

    type = ""
    audit_prefix = ""
    _log = Logger()

    asking: Asking
    selecting: Selecting
    conditions: ConditionChecking
    metrics: WebhookMetrics
    clock: Clock

    async def concerns(self, candidate: Candidate, attributes: Attributes, views: Views) -> bool:
        """Whether selectors and conditions fit as well.

        :raises StatusError: when that can't be found out.
        """
        return (await self.selecting.selects(candidate.webhook, attributes)
                and await self.conditions.match(candidate, attributes, views, self.type))

    async def settled(self, webhook: Webhook, attributes: Attributes, place: str, work: Awaitable[T]) -> T | None:
        """The outcome of asking a webhook; None when that failed, and does not matter.

        :param place: which call of the write this is, as audit annotations say it.
        :raises StatusError: when the write is refused.
        """
        begin = self.clock.seconds()
        try:
            outcome = await work
        except CallingFailed as error:
            self._count(webhook, attributes, begin, error.code, None if webhook.opens else "calling_webhook_error")
            if not webhook.opens:
                raise errors.internal_error(str(error)) from error
            self._open(webhook, attributes, place, error)
            return None
        except Rejected as error:
            self._count(webhook, attributes, begin, error.status.code, "no_error")
            raise error.status from None
        except errors.StatusError:
            self._count(webhook, attributes, begin, 0, "apiserver_internal_error")
            raise
        self._count(webhook, attributes, begin, _OK, None)
        return outcome

    def _count(self, webhook: Webhook, attributes: Attributes, begin: float, code: int,
               refused: ErrorType | None) -> None:
        """Have the metrics tell of a call.

        :param refused: what the write was refused for; None when it was not.
        """
        if refused is not None:
            self.metrics.rejected(webhook.name, self.type, attributes.operation, refused, code)
        self.metrics.asked(webhook.name, self.type, attributes.operation, code, refused is not None,
                           self.clock.seconds() - begin)

    def _open(self, webhook: Webhook, attributes: Attributes, place: str, error: CallingFailed) -> None:
        self._log.warn("{error}; going on without it", error=error)
        self.metrics.failed_open(webhook.name, self.type)
        attributes.annotate(f"failed-open.{self.audit_prefix}{place}", webhook.name)
