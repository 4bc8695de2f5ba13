"""MutatingAdmissionWebhook: webhooks that may change what is written."""

from __future__ import annotations

from collections.abc import Awaitable

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.dispatching import DispatchingPlugin
from kube_twisted.admission.interfaces import IMutation

RESOURCE = "mutatingwebhookconfigurations"


@implementer(IMutation)
class MutatingAdmissionWebhook(DispatchingPlugin):
    """Asks the webhooks of all MutatingWebhookConfigurations."""

    name = "MutatingAdmissionWebhook"

    def admit(self, attributes: Attributes) -> Awaitable[None]:
        return self.dispatch(attributes)
