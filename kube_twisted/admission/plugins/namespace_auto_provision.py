"""NamespaceAutoProvision: a namespace is made when something is created in it.

Source of the rule: the Kubernetes documentation, "Admission Control", NamespaceAutoProvision.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import CreateNamespace, IMutation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import NAMESPACES
from kube_twisted.api.errors import StatusError


@implementer(IMutation)
class NamespaceAutoProvision(Plugin):
    """Creates missing namespaces, except in dry runs."""

    name = "NamespaceAutoProvision"
    operations = ("CREATE",)
    subresources = None

    def __init__(self, reader: ObjectReader, create: CreateNamespace) -> None:
        self._reader = reader
        self._create = create

    async def admit(self, attributes: Attributes) -> None:
        namespace = attributes.namespace
        if not namespace or attributes.dry_run or attributes.resource.group_resource == NAMESPACES:
            return
        if self._reader.peek("", "namespaces", "", namespace) is not None:
            return
        try:
            await self._create(namespace)
        except StatusError as error:
            if error.reason != "AlreadyExists":
                raise forbidden(attributes, error.message) from error
