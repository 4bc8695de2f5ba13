"""DefaultStorageClass: a claim that names no class gets the default one.

Source of the rule: the Kubernetes documentation, "Storage Classes", default StorageClass.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.default_class import newest_default
from kube_twisted.admission.interfaces import IMutation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.resources import PERSISTENT_VOLUME_CLAIMS

#: How claims named their class before the field was there; an empty one counts too.
CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"
_DEFAULT = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")


@implementer(IMutation)
class DefaultStorageClass(Plugin):
    """Fills in ``spec.storageClassName`` of new claims; an empty name is a name."""

    name = "DefaultStorageClass"
    operations = ("CREATE",)
    resources = frozenset({PERSISTENT_VOLUME_CLAIMS})

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        annotations = attributes.obj["metadata"].get("annotations") or {}
        spec = attributes.obj["spec"]
        if "storageClassName" in spec or CLASS_ANNOTATION in annotations:
            return
        default = newest_default(self._reader.peek_all("storage.k8s.io", "storageclasses"), _DEFAULT)
        if default:
            spec["storageClassName"] = default
