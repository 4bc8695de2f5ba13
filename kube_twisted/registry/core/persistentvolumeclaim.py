"""PersistentVolumeClaims: what is asked of storage, and the little of it that may change."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError
from kube_twisted.registry.core.claim_data_source import normalize_data_sources
from kube_twisted.registry.core.claim_update import validate_claim_change, validate_claim_status
from kube_twisted.registry.core.claim_validation import validate_claim_spec
from kube_twisted.registry.podspec import quantities
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

STORAGE_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


class PersistentVolumeClaimStrategy(Strategy):
    """Rules of ``persistentvolumeclaims``."""

    returns_deleted_object = True
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        obj.setdefault("status", {}).setdefault("phase", "Pending")
        default_claim_spec(obj.setdefault("spec", {}))
        for field in ("capacity", "allocatedResources"):
            quantities.round_up_to_milli(obj["status"].get(field))

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}
        normalize_data_sources(obj["spec"], None)

    def default_as_read(self, obj: Obj) -> None:
        obj["status"].setdefault("phase", "Pending")

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})
        normalize_data_sources(obj["spec"], old.get("spec", {}))

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_claim_spec("spec", obj.get("spec", {}))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = validate_claim_spec("spec", obj.get("spec", {}), old.get("spec", {}))
        return errors + validate_claim_change(obj, old)

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        warnings = []
        if STORAGE_CLASS_ANNOTATION in obj.get("metadata", {}).get("annotations", {}):
            warnings.append(f"metadata.annotations[{STORAGE_CLASS_ANNOTATION}]: deprecated since v1.8; use "
                            '"storageClassName" attribute instead')
        return warnings + claim_spec_warnings("spec", obj.get("spec", {}))

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)


class PersistentVolumeClaimStatusStrategy(StatusStrategy):
    """Rules of ``persistentvolumeclaims/status``."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_claim_status(obj)


def default_claim_spec(spec: dict[str, Any]) -> None:
    """Defaults of a claim's spec, also of those in templates."""
    spec.setdefault("volumeMode", "Filesystem")
    for field in ("requests", "limits"):
        quantities.round_up_to_milli(spec.get("resources", {}).get(field))


def claim_spec_warnings(path: str, spec: dict[str, Any]) -> list[str]:
    """Warn about sizes that are no whole number of bytes."""
    resources = spec.get("resources", {})
    return [f"{path}.resources.{field}[storage]: "
            f'fractional byte value "{amount}" is invalid, must be an integer'
            for field in ("requests", "limits")
            for amount in (resources.get(field, {}).get("storage"),)
            if amount is not None and quantities.has_fraction(amount)]


STRATEGY = PersistentVolumeClaimStrategy()
STATUS = PersistentVolumeClaimStatusStrategy(STRATEGY)
