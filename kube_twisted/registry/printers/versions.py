"""Table columns of StorageVersions and StorageVersionMigrations."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import AGE, NAME, NAME_DOC, UNSET, at, value_at, with_more
from kube_twisted.registry.printers.column import Obj, printer, text
from kube_twisted.registry.printers.documentation import Doc

_MIGRATION_STATES = ("Running", "Succeeded", "Failed")
_STATUS = "apiserverinternal.v1alpha1.StorageVersionStatus"


def _storage_versions(obj: Obj, now: float) -> str:
    versions = value_at(obj, "status.storageVersions", [])
    shown = (f"{one.get('apiServerID', '')}={one.get('encodingVersion', '')}" for one in versions)
    return with_more(shown, 3)


def _migrated(obj: Obj, now: float) -> str:
    resource = value_at(obj, "spec.resource", {})
    return ".".join(filter(None, (resource.get("resource", ""), resource.get("group", ""))))


def _migration_state(obj: Obj, now: float) -> str:
    """The last state whose condition is True."""
    conditions = value_at(obj, "status.conditions", [])
    states = [one.get("type", "") for one in conditions if one.get("status") == "True"]
    return next((one for one in reversed(states) if one in _MIGRATION_STATES), "Unknown")


PRINTERS = {
    ("internal.apiserver.k8s.io", "storageversions"): printer(
        NAME,
        text("CommonEncodingVersion", Doc(f"{_STATUS}.commonEncodingVersion"),
             at("status.commonEncodingVersion", UNSET)),
        text("StorageVersions", Doc(f"{_STATUS}.storageVersions"), _storage_versions),
        AGE,
    ),
    ("storagemigration.k8s.io", "storageversionmigrations"): printer(
        text("Name", NAME_DOC, at("metadata.name")),
        text("Resource", "GroupResource to migrate", _migrated),
        text("Status", "Status of the migration", _migration_state),
    ),
}
