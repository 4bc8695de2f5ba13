"""MutatingAdmissionWebhook: webhooks that may change what is written."""

from __future__ import annotations

from collections.abc import Awaitable

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.webhooks.configurations import Configurations
from kube_twisted.admission.webhooks.mutating import MutatingDispatcher
from kube_twisted.util.deferreds import DONE

RESOURCE = "mutatingwebhookconfigurations"


@implementer(IMutation)
class MutatingAdmissionWebhook(Plugin):
    """Asks the webhooks of all MutatingWebhookConfigurations."""

    name = "MutatingAdmissionWebhook"
    operations = ("CREATE", "UPDATE", "DELETE", "CONNECT")
    subresources = None

    def __init__(self, configurations: Configurations, dispatcher: MutatingDispatcher) -> None:
        self._configurations = configurations
        self._dispatcher = dispatcher

    def admit(self, attributes: Attributes) -> Awaitable[None]:
        candidates = self._configurations.candidates(attributes)
        return self._dispatcher.dispatch(attributes, candidates) if candidates else DONE
