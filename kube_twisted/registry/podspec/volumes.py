"""The volumes of a pod spec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kube_twisted.api.field import (
    FieldError,
    duplicate,
    forbidden,
    go_quote,
    invalid,
    not_supported,
    required,
    too_long,
)
from kube_twisted.api.names import dns_label as label_messages
from kube_twisted.api.names import dns_subdomain
from kube_twisted.registry.podspec.claims import validate_claim_template
from kube_twisted.registry.podspec.options import Options
from kube_twisted.registry.podspec.paths import no_backsteps
from kube_twisted.registry.podspec.plain_volumes import validate_plain
from kube_twisted.registry.podspec.projected_volumes import (
    validate_downward,
    validate_files,
    validate_projected,
)
from kube_twisted.registry.podspec.quantities import parsed
from kube_twisted.registry.rules import messages, required_one_of

Obj = dict[str, Any]
Errors = list[FieldError]

#: The order in which sources are looked at; the second one found is one too many.
_ORDER = ("emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret", "nfs",
          "iscsi", "glusterfs", "flocker", "persistentVolumeClaim", "rbd", "cinder", "cephfs", "quobyte",
          "downwardAPI", "fc", "flexVolume", "configMap", "azureFile", "vsphereVolume",
          "photonPersistentDisk", "portworxVolume", "azureDisk", "storageos", "projected", "scaleIO", "csi",
          "ephemeral", "image")
#: Sources that errors spell differently: as a second source, and inside.
_SECOND = {"cephfs": "cephFS", "downwardAPI": "downwarAPI"}
_INSIDE = {"gcePersistentDisk": "persistentDisk"}
_HOST_PATH_TYPES = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate",
                    "Socket")
PULL_POLICIES = ("Always", "IfNotPresent", "Never")
_INITIATOR_TOO_LONG = ("Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
                       "iscsi.initiatorName is specified.")


def validate_volumes(path: str, volumes: list[Obj], pod_name: str,
                     options: Options) -> tuple[dict[str, Obj], Errors]:
    """The valid volumes by name, and what is wrong with the others.

    :param pod_name: the pod's name, from which names of claims are made; empty in a template.
    """
    errors: Errors = []
    valid: dict[str, Obj] = {}
    created = {f"{pod_name}-{one.get('name', '')}" for one in volumes if "ephemeral" in one and pod_name}
    for index, volume in enumerate(volumes):
        here, name = f"{path}[{index}]", volume.get("name", "")
        found = _source(here, volume, name, pod_name, options)
        if not name:
            found.append(required(f"{here}.name"))
        elif bad := label_messages(name):
            found += messages(f"{here}.name", name, bad)
        if name in valid:
            found.append(duplicate(f"{here}.name", name))
        if found:
            errors += found
        else:
            valid[name] = volume
        if created and (claim := volume.get("persistentVolumeClaim", {}).get("claimName", "")) in created:
            errors.append(invalid(f"{here}.persistentVolumeClaim.claimName", claim,
                                  "must not reference a PVC that gets created for an ephemeral volume"))
    return valid, errors


def _source(path: str, volume: Obj, name: str, pod_name: str, options: Options) -> Errors:
    kinds = [kind for kind in volume if kind != "name"]
    if len(kinds) != 1:
        kinds = [kind for kind in _ORDER if kind in volume]
    if not kinds:
        return [required(path, "must specify a volume type")]
    first = kinds[0]
    errors = _checked(path, first, volume[first], options)
    errors += _with_name(path, first, volume, name, pod_name)
    for kind in kinds[1:]:
        errors.append(forbidden(f"{path}.{_SECOND.get(kind, kind)}",
                                "may not specify more than 1 volume type"))
    return errors


def _checked(path: str, kind: str, source: Obj, options: Options) -> Errors:
    inside = f"{path}.{_INSIDE.get(kind, kind)}"
    if kind == "projected":
        return validate_projected(inside, source, options.any_token_path)
    if kind == "image" and options.is_pod and not source.get("reference"):
        return [required(f"{inside}.reference"), *_image(inside, source)]
    if kind in _CHECKS:
        return _CHECKS[kind](inside, source)
    return validate_plain(inside, kind, source)


def _with_name(path: str, kind: str, volume: Obj, name: str, pod_name: str) -> Errors:
    if kind == "iscsi" and "initiatorName" in volume[kind]:
        portal = volume[kind].get("targetPortal", "")
        return [invalid(f"{path}.name", name, _INITIATOR_TOO_LONG)] if len(f"{name}:{portal}") > 64 else []
    if kind == "ephemeral" and pod_name and name:
        claim = f"{pod_name}-{name}"
        return [invalid(f"{path}.name", name, f"PVC name {go_quote(claim)}: {message}")
                for message in dns_subdomain(claim)]
    return []


def _empty_dir(path: str, source: Obj) -> Errors:
    negative = "sizeLimit" in source and parsed(source["sizeLimit"]).sign < 0
    if not negative:
        return []
    return [forbidden(f"{path}.sizeLimit", "SizeLimit field must be a valid resource quantity")]


def _host_path(path: str, source: Obj) -> Errors:
    target, kind = source.get("path", ""), source.get("type", "")
    if not target:
        return [required(f"{path}.path")]
    errors = no_backsteps(f"{path}.path", target)
    if kind not in _HOST_PATH_TYPES:
        errors.append(not_supported(f"{path}.type", kind, _HOST_PATH_TYPES))
    return errors


def _csi(path: str, source: Obj) -> Errors:
    errors = csi_driver_name(f"{path}.driver", source.get("driver", ""))
    if "nodePublishSecretRef" in source:
        name = source["nodePublishSecretRef"].get("name", "")
        errors += (messages(f"{path}.name", name, dns_subdomain(name)) if name
                   else [required(f"{path}.nodePublishSecretRef.name")])
    return errors


def csi_driver_name(path: str, name: str) -> Errors:
    """The name of a CSI driver: a subdomain of up to 63 characters, in any case."""
    if not name:
        return [required(path)]
    errors = [too_long(path, 63)] if len(name) > 63 else []
    return errors + messages(path, name, dns_subdomain(name.lower()))


def _ephemeral(path: str, source: Obj) -> Errors:
    if "volumeClaimTemplate" not in source:
        return [required(f"{path}.volumeClaimTemplate")]
    return validate_claim_template(f"{path}.volumeClaimTemplate", source["volumeClaimTemplate"])


def _image(path: str, source: Obj) -> Errors:
    return required_one_of(f"{path}.pullPolicy", source.get("pullPolicy", ""), PULL_POLICIES)


def _secret(path: str, source: Obj) -> Errors:
    return validate_files(path, source, "secretName")


def _config_map(path: str, source: Obj) -> Errors:
    return validate_files(path, source, "name")


_CHECKS: dict[str, Callable[[str, Obj], Errors]] = {
    "emptyDir": _empty_dir,
    "hostPath": _host_path,
    "secret": _secret,
    "configMap": _config_map,
    "downwardAPI": validate_downward,
    "csi": _csi,
    "ephemeral": _ephemeral,
    "image": _image,
}
