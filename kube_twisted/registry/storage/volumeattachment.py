"""VolumeAttachments: the wish that a volume be attached to a node, which never changes."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required, too_long
from kube_twisted.registry import rules
from kube_twisted.registry.core.access_modes import validate_access_modes
from kube_twisted.registry.core.go_diff import go_names
from kube_twisted.registry.core.persistentvolume import default_sources
from kube_twisted.registry.core.volume_sources import csi_driver_name, validate_sources
from kube_twisted.registry.status import IsolatedStatusStrategy
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_MAX_METADATA, _MAX_MESSAGE, _MAX_INT32 = 256 * 1024, 1024, 2**31 - 1
_ONE_SOURCE = "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
_INLINE = "may not be specified in the context of inline volumes"


class VolumeAttachmentStrategy(Strategy):
    """Rules of ``volumeattachments``."""

    allow_unconditional_update = False
    returns_deleted_object = True
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        default_sources(obj.get("spec", {}).get("source", {}).get("inlineVolumeSpec", {}))

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {"attached": False}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec, status = obj.get("spec", {}), obj.get("status", {})
        source = spec.get("source", {})
        errors = csi_driver_name("spec.attacher", spec.get("attacher", ""))
        errors += _validate_source("spec.source", source)
        errors += rules.dns_subdomain("spec.nodeName", spec.get("nodeName", ""))
        errors += _validate_status(status)
        if "persistentVolumeName" in source:
            errors += rules.dns_subdomain("spec.source.persistentVolumeName", source["persistentVolumeName"])
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        new, before = (_go_spec(one.get("spec", {})) for one in (obj, old))
        return self.validate(ctx, obj) + rules.immutable("spec", new, before)


class VolumeAttachmentStatusStrategy(IsolatedStatusStrategy):
    """Rules of ``volumeattachments/status``."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.main.validate_update(ctx, obj, old)


def _go_spec(spec: Obj) -> dict[str, Any]:
    """The spec as the original's message shows it."""
    source = spec.get("source", {})
    return {"Attacher": spec.get("attacher", ""),
            "Source": {"PersistentVolumeName": source.get("persistentVolumeName"),
                       "InlineVolumeSpec": go_names(source.get("inlineVolumeSpec"))},
            "NodeName": spec.get("nodeName", "")}


def _validate_source(path: str, source: dict[str, Any]) -> list[FieldError]:
    inline, name = source.get("inlineVolumeSpec"), source.get("persistentVolumeName")
    if inline is None and name is None:
        return [required(path, _ONE_SOURCE)]
    if inline is not None and name is not None:
        return [forbidden(path, _ONE_SOURCE)]
    if inline is not None:
        return _validate_inline(f"{path}.inlineVolumeSpec", inline)
    return [] if name else [required(f"{path}.persistentVolumeName",
                                     "must specify non empty persistentVolumeName")]


def _validate_inline(path: str, spec: dict[str, Any]) -> list[FieldError]:
    """The spec of a volume that has no object of its own (CSI migration, KEP-625)."""
    errors = [forbidden(f"{path}.{name}", _INLINE) for name in ("claimRef", "capacity")
              if spec.get(name) or (name == "claimRef" and name in spec)]
    if "csi" not in spec:
        errors.append(required(f"{path}.csi", "has to be specified in the context of inline volumes"))
    if not spec.get("accessModes"):
        errors.append(required(f"{path}.accessModes"))
    errors += validate_access_modes(f"{path}.accessModes", spec.get("accessModes", []))
    if spec.get("persistentVolumeReclaimPolicy", "Retain") != "Retain":
        errors.append(forbidden(f"{path}.persistentVolumeReclaimPolicy",
                                "may only be Retain in the context of inline volumes"))
    if "nodeAffinity" in spec:
        errors.append(forbidden(f"{path}.nodeAffinity", _INLINE))
    errors += validate_sources(path, {name: one for name, one in spec.items() if name != "nodeAffinity"})
    if spec.get("storageClassName"):
        errors.append(forbidden(f"{path}.storageClassName", _INLINE))
    if spec.get("volumeMode", "Filesystem") != "Filesystem":
        errors.append(forbidden(f"{path}.volumeMode",
                                "may not specify volumeMode other than Filesystem in the "
                                "context of inline volumes"))
    return errors


def _validate_status(status: Obj) -> list[FieldError]:
    metadata = status.get("attachmentMetadata", {})
    size = sum(len(key.encode()) + len(value.encode()) for key, value in metadata.items())
    errors = [too_long("status.attachmentMetadata", _MAX_METADATA)] if size > _MAX_METADATA else []
    for field in ("attachError", "detachError"):
        problem = status.get(field, {})
        if len(problem.get("message", "").encode()) > _MAX_MESSAGE:
            errors.append(too_long(f"status.{field}.message", _MAX_METADATA))
        if problem.get("errorCode", 0) < 0:
            errors.append(invalid(f"status.{field}.errorCode", problem["errorCode"],
                                  f"must be between 0 and {_MAX_INT32}, inclusive"))
    return errors


STRATEGY = VolumeAttachmentStrategy()
STATUS = VolumeAttachmentStatusStrategy(STRATEGY)
