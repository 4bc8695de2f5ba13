"""Table columns of PersistentVolumes and PersistentVolumeClaims."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import AGE, NAME, UNSET, at, is_deleting, value_at
from kube_twisted.registry.printers.column import Cell, Obj, printer, text
from kube_twisted.registry.printers.documentation import Doc

#: Short names of access modes, in the order they are listed in.
_ACCESS_MODES = {
    "ReadWriteOnce": "RWO",
    "ReadOnlyMany": "ROX",
    "ReadWriteMany": "RWX",
    "ReadWriteOncePod": "RWOP",
}
_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


def _access_modes(path: str) -> Cell:
    def cell(obj: Obj, now: float) -> str:
        modes = value_at(obj, path, [])
        return ",".join(short for mode, short in _ACCESS_MODES.items() if mode in modes)

    return cell


def _phase(obj: Obj, now: float) -> str:
    return "Terminating" if is_deleting(obj) else value_at(obj, "status.phase", "")


def _storage_class(obj: Obj, now: float) -> str:
    """The class of a volume or claim; the annotation that came before the field still wins over it."""
    annotations = value_at(obj, "metadata.annotations", {})
    return str(annotations.get(_CLASS_ANNOTATION, value_at(obj, "spec.storageClassName", "")))


def _claim(obj: Obj, now: float) -> str:
    claim = value_at(obj, "spec.claimRef")
    return "" if claim is None else f"{claim.get('namespace', '')}/{claim.get('name', '')}"


def _if_bound(cell: Cell) -> Cell:
    """A cell that is empty until the claim names a volume."""
    return lambda obj, now: cell(obj, now) if value_at(obj, "spec.volumeName") else ""


_ATTRIBUTES_CLASS = at("spec.volumeAttributesClassName", UNSET)
_VOLUME_MODE = at("spec.volumeMode", UNSET)
_PV_SPEC, _PV_STATUS = "core.v1.PersistentVolumeSpec", "core.v1.PersistentVolumeStatus"
_PVC_SPEC, _PVC_STATUS = "core.v1.PersistentVolumeClaimSpec", "core.v1.PersistentVolumeClaimStatus"

PRINTERS = {
    ("", "persistentvolumes"): printer(
        NAME,
        text("Capacity", Doc(f"{_PV_SPEC}.capacity"), at("spec.capacity.storage", "0")),
        text("Access Modes", Doc(f"{_PV_SPEC}.accessModes"), _access_modes("spec.accessModes")),
        text("Reclaim Policy", Doc(f"{_PV_SPEC}.persistentVolumeReclaimPolicy"),
             at("spec.persistentVolumeReclaimPolicy")),
        text("Status", Doc(f"{_PV_STATUS}.phase"), _phase),
        text("Claim", Doc(f"{_PV_SPEC}.claimRef"), _claim),
        text("StorageClass", "StorageClass of the pv", _storage_class),
        text("VolumeAttributesClass", "VolumeAttributesClass of the pv", _ATTRIBUTES_CLASS),
        text("Reason", Doc(f"{_PV_STATUS}.reason"), at("status.reason")),
        AGE,
        text("VolumeMode", Doc(f"{_PV_SPEC}.volumeMode"), _VOLUME_MODE, wide=True),
    ),
    ("", "persistentvolumeclaims"): printer(
        NAME,
        text("Status", Doc(f"{_PVC_STATUS}.phase"), _phase),
        text("Volume", Doc(f"{_PVC_SPEC}.volumeName"), at("spec.volumeName")),
        text("Capacity", Doc(f"{_PVC_STATUS}.capacity"), _if_bound(at("status.capacity.storage", "0"))),
        text("Access Modes", Doc(f"{_PVC_STATUS}.accessModes"),
             _if_bound(_access_modes("status.accessModes"))),
        text("StorageClass", "StorageClass of the pvc", _storage_class),
        text("VolumeAttributesClass", "VolumeAttributesClass of the pvc", _ATTRIBUTES_CLASS),
        AGE,
        text("VolumeMode", Doc(f"{_PVC_SPEC}.volumeMode"), _VOLUME_MODE, wide=True),
    ),
}
