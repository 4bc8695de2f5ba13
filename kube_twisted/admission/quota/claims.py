"""What PersistentVolumeClaims use: their number and storage, in all and by storage class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.quota.evaluator import Evaluator, Obj, selects
from kube_twisted.admission.resource_lists import ONE, ResourceList
from kube_twisted.admission.resources import PERSISTENT_VOLUME_CLAIMS
from kube_twisted.admission.storage_class import class_of
from kube_twisted.api.quantity import Quantity

_NUMBER, _STORAGE = "persistentvolumeclaims", "requests.storage"
_OF_CLASS = ".storageclass.storage.k8s.io/"


class PersistentVolumeClaimEvaluator(Evaluator):
    """Measures claims, also when they grow."""

    def __init__(self) -> None:
        super().__init__(PERSISTENT_VOLUME_CLAIMS)
        self.names |= {_NUMBER, _STORAGE}

    def handles(self, attributes: Attributes) -> bool:
        return attributes.operation in ("CREATE", "UPDATE") and attributes.subresource in ("", "status")

    def matching(self, names: Iterable[str]) -> list[str]:
        return [name for name in names
                if name in self.names or name.endswith((_OF_CLASS + _NUMBER, _OF_CLASS + _STORAGE))]

    def in_scope(self, scope: Mapping[str, Any], obj: Obj) -> bool:
        return bool(scope["scopeName"] == "VolumeAttributesClass") and selects(scope, _attributes_classes(obj))

    def usage(self, obj: Obj) -> ResourceList:
        usage = dict.fromkeys((_NUMBER, "count/persistentvolumeclaims"), ONE)
        storage_class = class_of(obj)
        if storage_class:
            usage[storage_class + _OF_CLASS + _NUMBER] = ONE
        size = _size(obj)
        if size is not None:
            usage[_STORAGE] = size
            if storage_class:
                usage[storage_class + _OF_CLASS + _STORAGE] = size
        return usage


def _size(claim: Obj) -> Quantity | None:
    """Whole bytes: what is asked for, or what is allocated when that is more."""
    text = claim["spec"].get("resources", {}).get("requests", {}).get("storage")
    if text is None:
        return None
    size = Quantity.parse(text)
    allocated = claim.get("status", {}).get("allocatedResources", {}).get("storage")
    if allocated is not None:
        size = max(size, Quantity.parse(allocated))
    return size if size.is_whole() else Quantity.of(size.value(), size.notation)


def _attributes_classes(claim: Obj) -> list[str]:
    """The VolumeAttributesClasses that a claim has, had, or is on its way to."""
    status = claim.get("status") or {}
    names = (claim["spec"].get("volumeAttributesClassName"), status.get("currentVolumeAttributesClassName"),
             status.get("modifyVolumeStatus", {}).get("targetVolumeAttributesClassName"))
    return [name for name in names if name]
