"""ValidatingAdmissionWebhook: webhooks that may refuse what is written."""

from __future__ import annotations

from collections.abc import Awaitable

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.dispatching import DispatchingPlugin
from kube_twisted.admission.interfaces import IValidation

RESOURCE = "validatingwebhookconfigurations"


@implementer(IValidation)
class ValidatingAdmissionWebhook(DispatchingPlugin):
    """Asks the webhooks of all ValidatingWebhookConfigurations."""

    name = "ValidatingAdmissionWebhook"

    def validate(self, attributes: Attributes) -> Awaitable[None]:
        return self.dispatch(attributes)
