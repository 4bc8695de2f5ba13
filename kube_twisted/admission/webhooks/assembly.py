"""Makes the plugins that ask webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kube_twisted.admission.interfaces import Equivalents, IAdmissionPlugin, ObjectReader
from kube_twisted.admission.plugins import mutating_admission_webhook as mutating
from kube_twisted.admission.plugins import validating_admission_webhook as validating
from kube_twisted.admission.webhooks.configurations import Configurations
from kube_twisted.admission.webhooks.metrics import WebhookMetrics
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.util.clock import Clock
from kube_twisted.webhooks.client import WebhookClient

if TYPE_CHECKING:
    from kube_twisted.admission.webhooks.calling import Asking
    from kube_twisted.admission.webhooks.conditions import ConditionChecking
    from kube_twisted.admission.webhooks.mutating import MutatingDispatcher
    from kube_twisted.admission.webhooks.selecting import Selecting
    from kube_twisted.admission.webhooks.validating import ValidatingDispatcher

#: What both dispatchers are made of; loaded, like them, when there are webhooks.
_Parts = tuple["Asking", "Selecting", "ConditionChecking", WebhookMetrics, Clock]


def webhook_plugins(reader: ObjectReader, equivalents: Equivalents, client: WebhookClient, metrics: WebhookMetrics,
                    clock: Clock, authorizer: IAuthorizer) -> Mapping[str, IAdmissionPlugin]:
    """MutatingAdmissionWebhook and ValidatingAdmissionWebhook, by name.

    :param reader: has the configurations, and the labels of namespaces.
    :param authorizer: answers what match conditions ask about the user's rights.
    """
    def parts() -> _Parts:
        from kube_twisted.admission.webhooks.calling import Asking
        from kube_twisted.admission.webhooks.conditions import ConditionChecking
        from kube_twisted.admission.webhooks.selecting import Selecting

        return Asking(client, clock), Selecting(reader), ConditionChecking(authorizer, metrics, clock), metrics, clock

    made: tuple[IAdmissionPlugin, ...] = (
        mutating.MutatingAdmissionWebhook(
            Configurations(mutating.RESOURCE, reader, equivalents, client.target),
            lambda: _new_mutating(parts())),
        validating.ValidatingAdmissionWebhook(
            Configurations(validating.RESOURCE, reader, equivalents, client.target),
            lambda: _new_validating(parts())))
    return {one.name: one for one in made}


def _new_mutating(parts: _Parts) -> MutatingDispatcher:
    from kube_twisted.admission.webhooks.mutating import MutatingDispatcher

    return MutatingDispatcher(*parts)


def _new_validating(parts: _Parts) -> ValidatingDispatcher:
    from kube_twisted.admission.webhooks.validating import ValidatingDispatcher

    return ValidatingDispatcher(*parts)
