"""ValidatingAdmissionWebhook: webhooks that may refuse what is written."""

from __future__ import annotations

from collections.abc import Awaitable

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.webhooks.configurations import Configurations
from kube_twisted.admission.webhooks.validating import ValidatingDispatcher
from kube_twisted.util.deferreds import DONE

RESOURCE = "validatingwebhookconfigurations"


@implementer(IValidation)
class ValidatingAdmissionWebhook(Plugin):
    """Asks the webhooks of all ValidatingWebhookConfigurations."""

    name = "ValidatingAdmissionWebhook"
    operations = ("CREATE", "UPDATE", "DELETE", "CONNECT")
    subresources = None

    def __init__(self, configurations: Configurations, dispatcher: ValidatingDispatcher) -> None:
        self._configurations = configurations
        self._dispatcher = dispatcher

    def validate(self, attributes: Attributes) -> Awaitable[None]:
        candidates = self._configurations.candidates(attributes)
        return self._dispatcher.dispatch(attributes, candidates) if candidates else DONE
