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
from kube_twisted.admission.storage_class import has_class

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
        if has_class(attributes.obj):
            return
        default = newest_default(self._reader.peek_all("storage.k8s.io", "storageclasses"), _DEFAULT)
        if default:
            attributes.obj["spec"]["storageClassName"] = default
