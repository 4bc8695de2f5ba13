"""StorageObjectInUseProtection: volumes and claims get the finalizers that keep those in use from being removed.

Source of the rule: the Kubernetes documentation, "Persistent Volumes", storage object in use protection.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.resources import (
    PERSISTENT_VOLUME_CLAIMS,
    PERSISTENT_VOLUMES,
    VOLUME_ATTRIBUTES_CLASSES,
)

_FINALIZERS = {
    PERSISTENT_VOLUMES.resource: "kubernetes.io/pv-protection",
    PERSISTENT_VOLUME_CLAIMS.resource: "kubernetes.io/pvc-protection",
    VOLUME_ATTRIBUTES_CLASSES.resource: "kubernetes.io/vac-protection",
}


@implementer(IMutation)
class StorageObjectInUseProtection(Plugin):
    """Adds the kind's finalizer to new objects; controllers take it off."""

    name = "StorageObjectInUseProtection"
    operations = ("CREATE",)
    resources = frozenset({PERSISTENT_VOLUMES, PERSISTENT_VOLUME_CLAIMS, VOLUME_ATTRIBUTES_CLASSES})

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        finalizer = _FINALIZERS[attributes.resource.resource]
        finalizers = attributes.obj["metadata"].setdefault("finalizers", [])
        if finalizer not in finalizers:
            finalizers.append(finalizer)
