"""Table columns of the storage.k8s.io group; CSIStorageCapacities have the default ones."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import (
    AGE,
    NAME,
    NONE,
    UNSET,
    at,
    count,
    joined,
    name_or_default,
    named,
    value_at,
)
from kube_twisted.registry.printers.column import Obj, Printed, boolean, integer, printer, text
from kube_twisted.registry.printers.documentation import Doc

_GROUP = "storage.k8s.io"
_DEFAULT_CLASS = (
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
)


def _token_requests(obj: Obj, now: float) -> str:
    requests = value_at(obj, "spec.tokenRequests")
    return UNSET if requests is None else ",".join(one.get("audience", "") for one in requests)


def _class_field(name: str, field: str, default: object) -> Printed:
    return text(name, Doc(f"storage.v1.StorageClass.{field}"), at(field, default))


def _driver_flag(name: str, field: str, default: bool = False) -> Printed:
    return boolean(name, Doc(f"storage.v1.CSIDriverSpec.{field}"), at(f"spec.{field}", default))


PRINTERS = {
    (_GROUP, "storageclasses"): printer(
        named(name_or_default(*_DEFAULT_CLASS)),
        _class_field("Provisioner", "provisioner", ""),
        _class_field("ReclaimPolicy", "reclaimPolicy", "Delete"),
        _class_field("VolumeBindingMode", "volumeBindingMode", "Immediate"),
        _class_field("AllowVolumeExpansion", "allowVolumeExpansion", False),
        AGE,
    ),
    (_GROUP, "volumeattributesclasses"): printer(
        NAME,
        text("DriverName", Doc("storage.v1.VolumeAttributesClass.driverName"), at("driverName")),
        AGE,
    ),
    (_GROUP, "volumeattachments"): printer(
        NAME,
        text("Attacher", Doc("storage.v1.VolumeAttachmentSpec.attacher"), at("spec.attacher"),
             format_="name"),
        text("PV", Doc("storage.v1.VolumeAttachmentSource.persistentVolumeName"),
             at("spec.source.persistentVolumeName")),
        text("Node", Doc("storage.v1.VolumeAttachmentSpec.nodeName"), at("spec.nodeName")),
        boolean("Attached", Doc("storage.v1.VolumeAttachmentStatus.attached"),
                at("status.attached", False)),
        AGE,
    ),
    (_GROUP, "csinodes"): printer(
        NAME,
        integer("Drivers", "Drivers indicates the number of CSI drivers registered on the node",
                count("spec.drivers")),
        AGE,
    ),
    (_GROUP, "csidrivers"): printer(
        NAME,
        _driver_flag("AttachRequired", "attachRequired", True),
        _driver_flag("PodInfoOnMount", "podInfoOnMount"),
        _driver_flag("StorageCapacity", "storageCapacity"),
        text("TokenRequests", Doc("storage.v1.CSIDriverSpec.tokenRequests"), _token_requests),
        _driver_flag("RequiresRepublish", "requiresRepublish"),
        text("Modes", Doc("storage.v1.CSIDriverSpec.volumeLifecycleModes"),
             joined("spec.volumeLifecycleModes", empty=NONE)),
        AGE,
    ),
}
