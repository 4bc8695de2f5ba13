"""Admission of custom resources: the chain of all resources, but nothing new while the definition is deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.api import errors

_TERMINATING = "create not allowed while custom resource definition is terminating"


@frozen
class CustomResourceAdmission:
    """An admission chain.

    :ivar terminating: whether the definition is being deleted.
    """

    chain: AdmissionChain
    terminating: Callable[[], bool]

    def admit(self, attributes: Attributes) -> Awaitable[None]:
        """:raises StatusError: 403 for a creation while the definition is deleted; what the plugins say."""
        self._refuse_late(attributes)
        return self.chain.admit(attributes)

    def validate(self, attributes: Attributes) -> Awaitable[None]:
        """:raises StatusError: what the plugins say."""
        return self.chain.validate(attributes)

    def _refuse_late(self, attributes: Attributes) -> None:
        if attributes.operation == "CREATE" and self.terminating():
            raise errors.forbidden(attributes.resource.group_resource, attributes.name, _TERMINATING)
