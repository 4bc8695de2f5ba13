"""PersistentVolumeClaimResize: a claim grows only when it is bound and its class allows that.

Source of the rule: the Kubernetes documentation, "Persistent Volumes", expanding persistent volume claims.
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import PERSISTENT_VOLUME_CLAIMS
from kube_twisted.admission.storage_class import class_of
from kube_twisted.api.quantity import Quantity


@implementer(IValidation)
class PersistentVolumeClaimResize(Plugin):
    """Looks at the requested storage of changed claims."""

    name = "PersistentVolumeClaimResize"
    operations = ("UPDATE",)
    resources = frozenset({PERSISTENT_VOLUME_CLAIMS})

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def validate(self, attributes: Attributes) -> None:
        claim, old = attributes.obj, attributes.old
        if claim is None or old is None or _size(claim) <= _size(old):
            return
        if old.get("status", {}).get("phase") != "Bound":
            raise forbidden(attributes, "Only bound persistent volume claims can be expanded")
        if not self._may_grow(claim, old):
            raise forbidden(attributes, "only dynamically provisioned pvc can be resized and the storageclass that "
                                        "provisions the pvc must support resize")

    def _may_grow(self, claim: dict[str, Any], old: dict[str, Any]) -> bool:
        name = class_of(claim)
        if not name or name != class_of(old):
            return False
        storage_class = self._reader.peek("storage.k8s.io", "storageclasses", "", name)
        return storage_class is not None and bool(storage_class.get("allowVolumeExpansion"))


def _size(claim: dict[str, Any]) -> Quantity:
    return Quantity.parse(claim["spec"].get("resources", {}).get("requests", {}).get("storage", "0"))
