"""NamespaceExists: nothing is written in a namespace that is not there.

Source of the rule: the Kubernetes documentation, "Admission Control", NamespaceExists.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.resources import NAMESPACES
from kube_twisted.api.errors import not_found


@implementer(IValidation)
class NamespaceExists(Plugin):
    """Looks at all writes but those of namespaces."""

    name = "NamespaceExists"
    operations = ("CREATE", "UPDATE", "DELETE")
    subresources = None

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def validate(self, attributes: Attributes) -> None:
        namespace = attributes.namespace
        if not namespace or attributes.resource.group_resource == NAMESPACES:
            return
        found = (self._reader.peek("", "namespaces", "", namespace)
                 or await self._reader.peek_latest("", "namespaces", "", namespace))
        if found is None:
            raise not_found(NAMESPACES, namespace)
