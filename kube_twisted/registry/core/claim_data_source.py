"""``dataSource`` and ``dataSourceRef`` of claims: two fields that say the same (KEP-1495)."""

from __future__ import annotations

from typing import Any

_SHARED = ("apiGroup", "kind", "name")
_OLD_SOURCES = (("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot"))


def normalize_data_sources(spec: dict[str, Any], old_spec: dict[str, Any] | None) -> None:
    """Fill each field from the other; drop what the older field could never hold.

    References across namespaces need a feature that is off, and are dropped unless they were there before.
    """
    old_spec = old_spec or {}
    if spec.get("dataSourceRef", {}).get("namespace") and "dataSourceRef" not in old_spec:
        del spec["dataSourceRef"]
    in_use = "dataSource" in old_spec or "dataSourceRef" in old_spec
    if not in_use and "dataSourceRef" not in spec and "dataSource" in spec:
        source = spec["dataSource"]
        if (source.get("apiGroup") or "", source.get("kind", "")) not in _OLD_SOURCES:
            del spec["dataSource"]
    if "dataSource" in spec and "dataSourceRef" not in spec:
        spec["dataSourceRef"] = _shared(spec["dataSource"])
    elif "dataSourceRef" in spec and "dataSource" not in spec and not spec["dataSourceRef"].get("namespace"):
        spec["dataSource"] = _shared(spec["dataSourceRef"])


def _shared(source: dict[str, Any]) -> dict[str, Any]:
    return {field: source[field] for field in _SHARED if field in source}
