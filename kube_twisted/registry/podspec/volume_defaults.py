"""Defaults of the volumes in a pod spec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kube_twisted.registry.podspec.images import default_pull_policy
from kube_twisted.registry.podspec.quantities import round_up_to_milli

Obj = dict[str, Any]

#: Files are made with mode 0644 when nothing else is said.
DEFAULT_MODE = 0o644

#: Source -> values of fields that are behind pointers, or strings that may not be empty.
_PLAIN: dict[str, dict[str, Any]] = {
    "hostPath": {"type": ""},
    "secret": {"defaultMode": DEFAULT_MODE},
    "configMap": {"defaultMode": DEFAULT_MODE},
    "downwardAPI": {"defaultMode": DEFAULT_MODE},
    "projected": {"defaultMode": DEFAULT_MODE},
    "iscsi": {"iscsiInterface": "default"},
    "rbd": {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"},
    "azureDisk": {"cachingMode": "ReadWrite", "fsType": "ext4", "readOnly": False, "kind": "Shared"},
    "scaleIO": {"storageMode": "ThinProvisioned", "fsType": "xfs"},
}


def default_volume(volume: Obj) -> None:
    """Fill in one volume; without a source it is an ``emptyDir``."""
    source = next((key for key in volume if key != "name"), None)
    if source is None:
        volume["emptyDir"] = {}
        return
    for key in tuple(volume):
        for name, value in _PLAIN.get(key, {}).items():
            volume[key].setdefault(name, value)
        if key in _DEEPER:
            _DEEPER[key](volume[key])


def default_claim_spec(spec: Obj) -> None:
    """Fill in the spec of a claim, inside a claim template."""
    spec.setdefault("volumeMode", "Filesystem")
    resources = spec.get("resources") or {}
    round_up_to_milli(resources.get("limits"))
    round_up_to_milli(resources.get("requests"))


def _default_downward_items(source: Obj) -> None:
    for item in source.get("items") or ():
        if "fieldRef" in item and not item["fieldRef"].get("apiVersion"):
            item["fieldRef"]["apiVersion"] = "v1"


def _default_projected(source: Obj) -> None:
    for projection in source.get("sources") or ():
        if "downwardAPI" in projection:
            _default_downward_items(projection["downwardAPI"])
        if "serviceAccountToken" in projection:
            projection["serviceAccountToken"].setdefault("expirationSeconds", 3600)


def _default_image(source: Obj) -> None:
    if not source.get("pullPolicy"):
        source["pullPolicy"] = default_pull_policy(source.get("reference", ""))


def _default_ephemeral(source: Obj) -> None:
    if "volumeClaimTemplate" in source:
        default_claim_spec(source["volumeClaimTemplate"].setdefault("spec", {}))


_DEEPER: dict[str, Callable[[Obj], None]] = {
    "downwardAPI": _default_downward_items,
    "projected": _default_projected,
    "image": _default_image,
    "ephemeral": _default_ephemeral,
}
