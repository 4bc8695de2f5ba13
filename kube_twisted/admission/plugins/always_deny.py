"""AlwaysDeny: for tests of what is around admission."""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden


@implementer(IMutation, IValidation)
class AlwaysDeny(Plugin):
    """Refuses every write."""

    name = "AlwaysDeny"
    operations = ("CREATE", "UPDATE", "DELETE", "CONNECT")
    subresources = None

    async def admit(self, attributes: Attributes) -> None:
        raise forbidden(attributes, "admission control is denying all modifications")

    async def validate(self, attributes: Attributes) -> None:
        raise forbidden(attributes, "admission control is denying all modifications")
