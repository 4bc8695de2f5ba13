"""Volume sources of which mostly some fields are required: a table, and the few further checks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kube_twisted.api.field import FieldError, invalid, not_supported, required
from kube_twisted.api.names import range_error
from kube_twisted.registry.podspec.paths import descending
from kube_twisted.registry.rules import dns_label

Obj = dict[str, Any]
Errors = list[FieldError]

#: Source -> required fields, in the order of their errors.
REQUIRED: dict[str, tuple[str, ...]] = {
    "gcePersistentDisk": ("pdName",),
    "awsElasticBlockStore": ("volumeID",),
    "nfs": ("server", "path"),
    "iscsi": ("targetPortal",),
    "glusterfs": ("endpoints", "path"),
    "persistentVolumeClaim": ("claimName",),
    "rbd": ("monitors", "image"),
    "cinder": ("volumeID",),
    "cephfs": ("monitors",),
    "flexVolume": ("driver",),
    "azureFile": ("secretName", "shareName"),
    "vsphereVolume": ("volumePath",),
    "photonPersistentDisk": ("pdID",),
    "portworxVolume": ("volumeID",),
    "azureDisk": ("diskName", "diskURI"),
    "scaleIO": ("gateway", "system", "volumeName"),
    "gitRepo": ("repository",),
}
_QUALIFIED_NAMES = {
    "iqn": re.compile(r"iqn\.\d{4}-\d{2}\.[a-zA-Z0-9.-]+:[^,;*&$|\s]+\Z", re.ASCII),
    "eui": re.compile(r"\Aeui.[a-zA-Z0-9]{16}\Z"),
    "naa": re.compile(r"\Anaa.[a-zA-Z0-9]{32}\Z"),
}
_HOST_PORTS = "must be a host:port pair or multiple pairs separated by commas"
_PARTITION = range_error(1, 255)
_LUN = range_error(0, 255)


def validate_plain(path: str, kind: str, source: Obj) -> Errors:
    """A source of a kind in :data:`REQUIRED` or of one with a further check here."""
    errors = [required(f"{path}.{name}") for name in REQUIRED.get(kind, ()) if not source.get(name)]
    return errors + _FURTHER[kind](path, source) if kind in _FURTHER else errors


def _partition(path: str, source: Obj) -> Errors:
    partition = source.get("partition", 0)
    return [] if 0 <= partition <= 255 else [invalid(f"{path}.partition", partition, _PARTITION)]


def _nfs(path: str, source: Obj) -> Errors:
    target = source.get("path", "")
    return [] if target.startswith("/") else [invalid(f"{path}.path", target, "must be an absolute path")]


def _iscsi(path: str, source: Obj) -> Errors:
    name, lun = source.get("iqn", ""), source.get("lun", 0)
    errors = iscsi_name(f"{path}.iqn", name) if name else [required(f"{path}.iqn")]
    if not 0 <= lun <= 255:
        errors.append(invalid(f"{path}.lun", lun, _LUN))
    if (source.get("chapAuthDiscovery") or source.get("chapAuthSession")) and "secretRef" not in source:
        errors.append(required(f"{path}.secretRef"))
    if "initiatorName" in source:
        errors += iscsi_name(f"{path}.initiatorname", source["initiatorName"])
    return errors


def iscsi_name(path: str, name: str, unknown: str = "must be valid format starting with iqn, eui, or naa") -> Errors:
    """A name of an iSCSI target or initiator.

    :param unknown: what is said of a name of no known kind.
    """
    pattern = _QUALIFIED_NAMES.get(name[:3])
    if pattern is None:
        return [invalid(path, name, unknown)]
    return [] if pattern.search(name) else [invalid(path, name, "must be valid format")]


def flocker(path: str, source: Obj) -> Errors:
    """A data set by its name or by its UUID."""
    name, uuid = source.get("datasetName", ""), source.get("datasetUUID", "")
    errors: Errors = []
    if not name and not uuid:
        errors.append(required(path, "one of datasetName and datasetUUID is required"))
    if name and uuid:
        errors.append(invalid(path, "resource",
                              "datasetName and datasetUUID can not be specified simultaneously"))
    if "/" in name:
        errors.append(invalid(f"{path}.datasetName", name, "must not contain '/'"))
    return errors


def _secret_name(path: str, source: Obj) -> Errors:
    missing = "secretRef" in source and not source["secretRef"].get("name")
    return [required(f"{path}.secretRef.name")] if missing else []


def quobyte(path: str, source: Obj) -> Errors:
    """Registries as host:port pairs, a tenant and a volume."""
    registry = source.get("registry", "")
    errors: Errors = []
    if not registry:
        errors.append(required(f"{path}.registry", _HOST_PORTS))
    elif len(source.get("tenant", "")) >= 65:
        errors.append(required(f"{path}.tenant",
                               "must be a UUID and may not exceed a length of 64 characters"))
    else:
        errors += [invalid(f"{path}.registry", registry, _HOST_PORTS) for pair in registry.split(",")
                   if not re.fullmatch(r"([^:\[\]]*|\[[^\[\]]*\]):[^:\[\]]*", pair)]
    return errors if source.get("volume") else [*errors, required(f"{path}.volume")]


def fc(path: str, source: Obj) -> Errors:
    """Targets with a LUN, or world wide identifiers."""
    names, identifiers, lun = source.get("targetWWNs"), source.get("wwids"), source.get("lun")
    errors: Errors = []
    if not names and not identifiers:
        errors.append(required(f"{path}.targetWWNs", "must specify either targetWWNs or wwids, but not both"))
    if names and identifiers:
        errors.append(invalid(f"{path}.targetWWNs", names,
                              "targetWWNs and wwids can not be specified simultaneously"))
    if names and lun is None:
        errors.append(required(f"{path}.lun", "lun is required if targetWWNs is specified"))
    elif names and lun is not None and not 0 <= lun <= 255:
        errors.append(invalid(f"{path}.lun", lun, _LUN))
    return errors


def flex(path: str, source: Obj) -> Errors:
    """Options outside the namespaces of Kubernetes; in order, where the original has none."""
    return [invalid(f"{path}.options[{key}]", key, "kubernetes.io and k8s.io namespaces are reserved")
            for key in sorted(source.get("options") or {})
            if f".{key.partition('/')[0].lower()}".endswith((".kubernetes.io", ".k8s.io"))]


def azure_disk(path: str, source: Obj) -> Errors:
    """A disk's address fits its kind."""
    caching, kind, uri = source.get("cachingMode"), source.get("kind"), source.get("diskURI", "")
    errors: Errors = []
    if caching not in (None, "None", "ReadOnly", "ReadWrite"):
        errors.append(not_supported(f"{path}.cachingMode", caching, ("None", "ReadOnly", "ReadWrite")))
    if kind not in (None, "Dedicated", "Managed", "Shared"):
        errors.append(not_supported(f"{path}.kind", kind, ("Dedicated", "Managed", "Shared")))
    if kind == "Managed" and not uri.startswith("/subscriptions/"):
        errors.append(not_supported(f"{path}.diskURI", uri, (
            "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",)))
    if kind not in (None, "Managed") and not uri.startswith("https://"):
        errors.append(not_supported(f"{path}.diskURI", uri, (
            "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",)))
    return errors


def _storage_os(path: str, source: Obj) -> Errors:
    name, namespace = source.get("volumeName", ""), source.get("volumeNamespace", "")
    errors = dns_label(f"{path}.volumeName", name) if name else [required(f"{path}.volumeName")]
    if namespace:
        errors += dns_label(f"{path}.volumeNamespace", namespace)
    return errors + _secret_name(path, source)


def _git_repo(path: str, source: Obj) -> Errors:
    return descending(f"{path}.directory", source.get("directory", ""))


_FURTHER: dict[str, Callable[[str, Obj], Errors]] = {
    "gcePersistentDisk": _partition,
    "awsElasticBlockStore": _partition,
    "nfs": _nfs,
    "iscsi": _iscsi,
    "flocker": flocker,
    "cinder": _secret_name,
    "quobyte": quobyte,
    "fc": fc,
    "flexVolume": flex,
    "azureDisk": azure_disk,
    "storageos": _storage_os,
    "gitRepo": _git_repo,
}
