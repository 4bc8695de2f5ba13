"""PersistentVolumes: one source that never changes; the time of the last phase change is kept (KEP-3762)."""

from __future__ import annotations

import posixpath
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.core.access_modes import RECLAIM_POLICIES, VOLUME_MODES, validate_access_modes
from kube_twisted.registry.core.internal_types import VOLUME_TYPES
from kube_twisted.registry.core.resource_names import existing_amount, positive_quantity
from kube_twisted.registry.core.volume_sources import validate_sources
from kube_twisted.registry.node_labels import expression_warnings
from kube_twisted.registry.podspec import quantities
from kube_twisted.registry.podspec.internal import difference, shown
from kube_twisted.registry.podspec.scheduling import validate_node_selector
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

#: source -> its defaults
_SOURCE_DEFAULTS: dict[str, dict[str, Any]] = {
    "hostPath": {"type": ""},
    "rbd": {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"},
    "iscsi": {"iscsiInterface": "default"},
    "scaleIO": {"storageMode": "ThinProvisioned", "fsType": "xfs"},
    "azureDisk": {"cachingMode": "ReadWrite", "fsType": "ext4", "readOnly": False, "kind": "Shared"},
}
_WITH_MOUNT_OPTIONS = ("gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "nfs", "rbd", "quobyte",
                       "iscsi",
                       "cinder", "cephfs", "azureFile", "vsphereVolume", "azureDisk", "photonPersistentDisk")
_MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options"
_DEPRECATED_ANNOTATIONS = {
    "volume.beta.kubernetes.io/storage-class":
        'deprecated since v1.8; use "storageClassName" attribute instead',
    _MOUNT_OPTIONS: 'deprecated since v1.31; use "mountOptions" attribute instead',
}
_GO_ORDER = ("gcePersistentDisk", "awsElasticBlockStore", "hostPath", "glusterfs", "nfs", "rbd", "quobyte",
             "iscsi",
             "flexVolume", "cinder", "cephfs", "fc", "flocker", "azureFile", "vsphereVolume", "azureDisk",
             "photonPersistentDisk", "portworxVolume", "scaleIO", "local", "storageos", "csi")
_DEPRECATED_SOURCES = (
    ("cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"),
)


_LATER_LABELS = {
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "beta.kubernetes.io/os": "kubernetes.io/os",
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
}


class PersistentVolumeStrategy(Strategy):
    """Rules of ``persistentvolumes``."""

    returns_deleted_object = True
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        obj.setdefault("status", {}).setdefault("phase", "Pending")
        spec.setdefault("persistentVolumeReclaimPolicy", "Retain")
        spec.setdefault("volumeMode", "Filesystem")
        default_sources(spec)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {"phase": "Pending", "lastPhaseTransitionTime": ctx.now}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_spec("spec", obj.get("spec", {})) + _validate_mount_options(obj)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        """The original looks at all of the spec twice."""
        spec = obj.get("spec", {})
        return self.validate(ctx, obj) + validate_spec("spec", spec) + _validate_change(spec, old.get("spec", {}))

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return _warnings(obj)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return _warnings(obj)


def default_sources(spec: Obj) -> None:
    """Defaults of a volume's source, wherever the spec of the volume is; capacities are whole thousandths."""
    quantities.round_up_to_milli(spec.get("capacity"))
    for name, defaults in _SOURCE_DEFAULTS.items():
        if name in spec:
            spec[name].update({key: value for key, value in defaults.items() if key not in spec[name]})


class PersistentVolumeStatusStrategy(StatusStrategy):
    """Rules of ``persistentvolumes/status``: a changed phase gets a new time unless the client gives one."""

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        status, before = obj.setdefault("status", {}), old.get("status", {})
        time, old_time = status.get("lastPhaseTransitionTime"), before.get("lastPhaseTransitionTime")
        if status.get("phase") == before.get("phase"):
            if time is None and old_time is not None:
                status["lastPhaseTransitionTime"] = old_time
        elif time is None or time == old_time:
            status["lastPhaseTransitionTime"] = ctx.now


def validate_spec(path: str, spec: Obj) -> list[FieldError]:
    """The spec of a volume object (not one that is written into a VolumeAttachment)."""
    errors = [] if spec.get("accessModes") else [required(f"{path}.accessModes")]
    errors += validate_access_modes(f"{path}.accessModes", spec.get("accessModes", []))
    errors += _validate_capacity(f"{path}.capacity", spec.get("capacity", {}))
    policy = spec.get("persistentVolumeReclaimPolicy", "")
    if policy:
        errors += rules.one_of(f"{path}.persistentVolumeReclaimPolicy", policy, RECLAIM_POLICIES)
    if "nodeAffinity" in spec:
        errors += _validate_affinity(f"{path}.nodeAffinity", spec["nodeAffinity"])
    errors += validate_sources(path, spec)
    host_path = spec.get("hostPath", {}).get("path")
    if host_path and posixpath.normpath(host_path) == "/" and policy == "Recycle":
        errors.append(forbidden(f"{path}.persistentVolumeReclaimPolicy",
                                "may not be 'recycle' for a hostPath mount of '/'"))
    if spec.get("storageClassName"):
        errors += rules.dns_subdomain(f"{path}.storageClassName", spec["storageClassName"])
    if "volumeMode" in spec:
        errors += rules.one_of(f"{path}.volumeMode", spec["volumeMode"], VOLUME_MODES)
    return errors + _validate_attributes_class(path, spec)


def _validate_capacity(path: str, capacity: dict[str, str]) -> list[FieldError]:
    errors = [] if capacity else [required(path)]
    if list(capacity) != ["storage"]:
        errors.append(not_supported(path, dict(sorted(capacity.items())) or None, ("storage",)))
    for name, amount in sorted(capacity.items()):
        errors += existing_amount(f"{path}[{name}]", amount)
        errors += positive_quantity(f"{path}[{name}]", amount)
    return errors


def _validate_affinity(path: str, affinity: dict[str, Any]) -> list[FieldError]:
    if "required" not in affinity:
        return [required(f"{path}.required", "must specify required node constraints")]
    return validate_node_selector(f"{path}.required", affinity["required"])


def _validate_attributes_class(path: str, spec: Obj) -> list[FieldError]:
    name = spec.get("volumeAttributesClassName")
    if name is None:
        return []
    at = f"{path}.volumeAttributesClassName"
    errors = rules.dns_subdomain(at, name) if name else [required(at, "an empty string is disallowed")]
    if "csi" not in spec:
        errors.append(required(f"{path}.csi", "has to be specified when using volumeAttributesClassName"))
    return errors


def _validate_mount_options(obj: Obj) -> list[FieldError]:
    given = _MOUNT_OPTIONS in obj.get("metadata", {}).get("annotations", {})
    if not given or any(name in obj.get("spec", {}) for name in _WITH_MOUNT_OPTIONS):
        return []
    return [forbidden(f"metadata.annotations.{_MOUNT_OPTIONS}",
                      "may not specify mount options for this volume type")]


def _source(spec: Obj) -> dict[str, Any]:
    return {name: spec[name] for name in _GO_ORDER if name in spec}


def _validate_change(spec: Obj, old_spec: Obj) -> list[FieldError]:
    new, old = _source(spec), _source(old_spec)
    if "csi" in new and "csi" in old and "controllerExpandSecretRef" not in old["csi"]:
        new["csi"] = {key: value for key, value in new["csi"].items() if key != "controllerExpandSecretRef"}
    errors = []
    if new != old:
        errors.append(forbidden("spec.persistentvolumesource",
                                "spec.persistentvolumesource is immutable after "
                                f"creation\n{difference('PersistentVolumeSource', old, new, VOLUME_TYPES)}"))
    errors += rules.immutable("volumeMode", spec.get("volumeMode"), old_spec.get("volumeMode"))
    if "nodeAffinity" in old_spec and not _same_affinity(spec.get("nodeAffinity"), old_spec["nodeAffinity"]):
        errors.append(invalid("nodeAffinity", shown("VolumeNodeAffinity", spec.get("nodeAffinity"), VOLUME_TYPES),
                              "field is immutable, except for updating from beta label to GA"))
    if "volumeAttributesClassName" in old_spec and "volumeAttributesClassName" not in spec:
        errors.append(forbidden("spec.volumeAttributesClassName",
                                "update from non-nil value to nil is forbidden"))
    return errors


def _same_affinity(new: Any, old: Any) -> bool:
    """Whether nothing changed but keys of nodes' labels: those of a beta to their later names, any other to none."""
    if isinstance(new, dict) and isinstance(old, dict):
        if "key" in new and new["key"] == _LATER_LABELS.get(old.get("key", ""), ""):
            new = {**new, "key": old.get("key")}
        return new.keys() == old.keys() and all(_same_affinity(new[name], old[name]) for name in new)
    if isinstance(new, list) and isinstance(old, list):
        return len(new) == len(old) and all(map(_same_affinity, new, old))
    return bool(new == old)


def _warnings(obj: Obj) -> list[str]:
    annotations, spec = obj.get("metadata", {}).get("annotations", {}), obj.get("spec", {})
    warnings = [f"metadata.annotations[{key}]: {text}" for key, text in _DEPRECATED_ANNOTATIONS.items()
                if key in annotations]
    if spec.get("persistentVolumeReclaimPolicy") == "Recycle":
        warnings.append("spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. "
                        "Instead, the recommended approach is to use dynamic provisioning.")
    terms = spec.get("nodeAffinity", {}).get("required", {}).get("nodeSelectorTerms") or []
    for index, term in enumerate(terms):
        warnings += expression_warnings(f"spec.nodeAffinity.required.nodeSelectorTerms[{index}].matchExpressions",
                                        term.get("matchExpressions", []))
    return warnings + [f"spec.{shown}: {text}" for name, shown, text in _DEPRECATED_SOURCES if name in spec]


STRATEGY = PersistentVolumeStrategy()
STATUS = PersistentVolumeStatusStrategy(STRATEGY)
