"""Sources of PersistentVolumes: what each needs."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required, too_long
from kube_twisted.registry import rules
from kube_twisted.registry.podspec.plain_volumes import azure_disk, fc, flex, flocker, iscsi_name, quobyte

Source = dict[str, Any]

_HOST_PATH_TYPES = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate",
                    "Socket")
_NO_NAME = "must be valid format"
_ONE_TO_255 = "must be between 1 and 255, inclusive"
_ZERO_TO_255 = "must be between 0 and 255, inclusive"


def _require(path: str, source: Source, *fields: str) -> list[FieldError]:
    return [required(f"{path}.{field}") for field in fields if not source.get(field)]


def _no_backsteps(path: str, value: str) -> list[FieldError]:
    return [invalid(path, value, "must not contain '..'")] if ".." in value.split("/") else []


def _secret_ref(path: str, source: Source, *fields: str) -> list[FieldError]:
    return _require(f"{path}.secretRef", source["secretRef"], *fields) if "secretRef" in source else []


def _host_path(path: str, source: Source) -> list[FieldError]:
    if not source.get("path"):
        return [required(f"{path}.path")]
    errors = _no_backsteps(f"{path}.path", source["path"])
    return errors + rules.one_of(f"{path}.type", source.get("type", ""), _HOST_PATH_TYPES)


def _disk(path: str, source: Source, name: str) -> list[FieldError]:
    errors = _require(path, source, name)
    if not 0 <= source.get("partition", 0) <= 255:
        errors.append(invalid(f"{path}.partition", source["partition"], _ONE_TO_255))
    return errors


def _gce(path: str, source: Source) -> list[FieldError]:
    return _disk(path.replace("gcePersistentDisk", "persistentDisk"), source, "pdName")


def _aws(path: str, source: Source) -> list[FieldError]:
    return _disk(path, source, "volumeID")


def _glusterfs(path: str, source: Source) -> list[FieldError]:
    errors = _require(path, source, "endpoints", "path")
    namespace = source.get("endpointsNamespace")
    if namespace == "":
        errors.append(invalid(f"{path}.endpointsNamespace", "",
                              "if the endpointnamespace is set, it must be a valid namespace name"))
    elif namespace is not None:
        errors += rules.dns_label(f"{path}.endpointsNamespace", namespace)
    return errors


def _nfs(path: str, source: Source) -> list[FieldError]:
    errors = _require(path, source, "server", "path")
    if not posixpath.isabs(source.get("path", "")):
        errors.append(invalid(f"{path}.path", source.get("path", ""), "must be an absolute path"))
    return errors


def _rbd(path: str, source: Source) -> list[FieldError]:
    return _require(path, source, "monitors", "image")


def _cephfs(path: str, source: Source) -> list[FieldError]:
    return _require(path, source, "monitors")


def _iscsi(path: str, source: Source) -> list[FieldError]:
    errors = _require(path, source, "targetPortal", "iqn")
    if source.get("iqn"):
        errors += iscsi_name(f"{path}.iqn", source["iqn"], _NO_NAME)
    if not 0 <= source.get("lun", 0) <= 255:
        errors.append(invalid(f"{path}.lun", source["lun"], _ZERO_TO_255))
    if (source.get("chapAuthDiscovery") or source.get("chapAuthSession")) and "secretRef" not in source:
        errors.append(required(f"{path}.secretRef"))
    errors += _secret_ref(path, source, "name")
    if "initiatorName" in source:
        errors += iscsi_name(f"{path}.initiatorname", source["initiatorName"], _NO_NAME)
    return errors


def _cinder(path: str, source: Source) -> list[FieldError]:
    return _require(path, source, "volumeID") + _secret_ref(path, source, "name", "namespace")


def _flex(path: str, source: Source) -> list[FieldError]:
    return _require(path, source, "driver") + flex(path, source)


def _azure_file(path: str, source: Source) -> list[FieldError]:
    errors = _require(path, source, "secretName", "shareName")
    return errors + ([required(f"{path}.secretNamespace")] if source.get("secretNamespace") == "" else [])


def _azure_disk(path: str, source: Source) -> list[FieldError]:
    return _require(path, source, "diskName", "diskURI") + azure_disk(path, source)


def _vsphere(path: str, source: Source) -> list[FieldError]:
    return _require(path, source, "volumePath")


def _photon(path: str, source: Source) -> list[FieldError]:
    return _require(path, source, "pdID")


def _portworx(path: str, source: Source) -> list[FieldError]:
    return _require(path, source, "volumeID")


def _scale_io(path: str, source: Source) -> list[FieldError]:
    return _require(path, source, "gateway", "system", "volumeName")


def _local(path: str, source: Source) -> list[FieldError]:
    errors = _require(path, source, "path")
    return errors or _no_backsteps(f"{path}.path", source["path"])


def _storage_os(path: str, source: Source) -> list[FieldError]:
    errors = _require(path, source, "volumeName")
    for field in ("volumeName", "volumeNamespace"):
        if source.get(field):
            errors += rules.dns_label(f"{path}.{field}", source[field])
    return errors + _secret_ref(path, source, "name", "namespace")


def csi_driver_name(path: str, name: str) -> list[FieldError]:
    """A DNS subdomain of up to 63 characters, in any case."""
    if not name:
        return [required(path)]
    errors = [too_long(path, 63)] if len(name) > 63 else []
    return errors + [invalid(path, name, error.detail) for error in rules.dns_subdomain(path, name.lower())]


def _csi(path: str, source: Source) -> list[FieldError]:
    errors = csi_driver_name(f"{path}.driver", source.get("driver", ""))
    errors += _require(path, source, "volumeHandle")
    for field in ("controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef",
                  "nodeExpandSecretRef"):
        if field in source:
            name, namespace = (source[field].get(part, "") for part in ("name", "namespace"))
            at = f"{path}.{field}"
            errors += rules.dns_subdomain(f"{at}.name", name) if name else [required(f"{at}.name")]
            errors += rules.dns_label(f"{at}.namespace",
                                      namespace) if namespace else [required(f"{at}.namespace")]
    return errors


#: The sources in the order in which they are looked at; of several, the first counts.
SOURCES: dict[str, Callable[[str, Source], list[FieldError]]] = {
    "hostPath": _host_path, "gcePersistentDisk": _gce, "awsElasticBlockStore": _aws, "glusterfs": _glusterfs,
    "flocker": flocker, "nfs": _nfs, "rbd": _rbd, "quobyte": quobyte, "cephfs": _cephfs, "iscsi": _iscsi,
    "cinder": _cinder, "fc": fc, "flexVolume": _flex, "azureFile": _azure_file, "vsphereVolume": _vsphere,
    "photonPersistentDisk": _photon, "portworxVolume": _portworx, "azureDisk": _azure_disk,
    "scaleIO": _scale_io,
    "local": _local, "storageos": _storage_os, "csi": _csi,
}


def validate_sources(path: str, spec: Source) -> list[FieldError]:
    """Exactly one source, and what is wrong with it."""
    errors: list[FieldError] = []
    found = [name for name in SOURCES if name in spec]
    for index, name in enumerate(found):
        if index and name != "flexVolume":
            errors.append(forbidden(f"{path}.{'cephFS' if name == 'cephfs' else name}",
                                    "may not specify more than 1 volume type"))
            continue
        errors += SOURCES[name](f"{path}.{name}", spec[name])
        if name == "local" and "nodeAffinity" not in spec:
            errors.append(required(f"{path}.nodeAffinity", "Local volume requires node affinity"))
    return errors if found else [required(path, "must specify a volume type")]
