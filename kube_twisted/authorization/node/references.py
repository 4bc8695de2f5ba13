"""What a pod refers to, so that the node it runs on must be able to read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

Obj = Mapping[str, Any]

_MIRROR = "kubernetes.io/config.mirror"
_CONTAINERS = ("initContainers", "containers", "ephemeralContainers")
#: Volume sources that name a secret, and where in them; those of PersistentVolumes may have its namespace beside it.
_SECRETS = (
    ("secret", ("secretName",)), ("azureFile", ("secretName",)), ("cephfs", ("secretRef", "name")),
    ("cinder", ("secretRef", "name")), ("flexVolume", ("secretRef", "name")), ("rbd", ("secretRef", "name")),
    ("scaleIO", ("secretRef", "name")), ("iscsi", ("secretRef", "name")), ("storageos", ("secretRef", "name")),
    ("csi", ("nodePublishSecretRef", "name")),
)
#: References to secrets that a PersistentVolume's CSI source may have, and kubelets need.
_CSI_SECRETS = ("nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef")


@frozen
class PodReferences:
    """Names of objects in the pod's namespace."""

    service_account: str = ""
    secrets: frozenset[str] = frozenset()
    config_maps: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()
    resource_claims: frozenset[str] = frozenset()


def pod_references(pod: Obj) -> PodReferences:
    """A mirror pod stands for one that the node has of its own accord: it gives no access to anything."""
    spec, metadata = pod.get("spec") or {}, pod["metadata"]
    if _MIRROR in (metadata.get("annotations") or {}):
        return PodReferences()
    return PodReferences(
        spec.get("serviceAccountName", ""), frozenset(filter(None, _secrets(spec))),
        frozenset(filter(None, _config_maps(spec))), frozenset(filter(None, _claims(spec, metadata["name"]))),
        frozenset(filter(None, _resource_claims(spec, pod.get("status") or {}))))


def _variables(spec: Obj, from_key: str, from_all: str) -> Iterator[str]:
    """What environment variables of containers are taken from."""
    for field in _CONTAINERS:
        for container in spec.get(field) or ():
            for variable in container.get("env") or ():
                yield ((variable.get("valueFrom") or {}).get(from_key) or {}).get("name", "")
            for source in container.get("envFrom") or ():
                yield (source.get(from_all) or {}).get("name", "")


def _projected(spec: Obj, kind: str) -> Iterator[str]:
    for volume in spec.get("volumes") or ():
        for source in (volume.get("projected") or {}).get("sources") or ():
            yield (source.get(kind) or {}).get("name", "")


def _secrets(spec: Obj) -> Iterator[str]:
    yield from (one.get("name", "") for one in spec.get("imagePullSecrets") or ())
    yield from _variables(spec, "secretKeyRef", "secretRef")
    yield from _projected(spec, "secret")
    for volume in spec.get("volumes") or ():
        for source, path in _SECRETS:
            if source in volume:
                yield _at(volume[source], path)


def _config_maps(spec: Obj) -> Iterator[str]:
    yield from _variables(spec, "configMapKeyRef", "configMapRef")
    yield from _projected(spec, "configMap")
    yield from ((volume.get("configMap") or {}).get("name", "") for volume in spec.get("volumes") or ())


def _claims(spec: Obj, pod: str) -> Iterator[str]:
    for volume in spec.get("volumes") or ():
        if "persistentVolumeClaim" in volume:
            yield volume["persistentVolumeClaim"].get("claimName", "")
        elif "ephemeral" in volume:
            yield f"{pod}-{volume.get('name', '')}"


def _resource_claims(spec: Obj, status: Obj) -> Iterator[str]:
    """Those named, those made from templates, and the one made for extended resources."""
    made = {one.get("name"): one.get("resourceClaimName", "") for one in status.get("resourceClaimStatuses") or ()}
    for claim in spec.get("resourceClaims") or ():
        yield claim.get("resourceClaimName") or made.get(claim.get("name"), "")
    yield (status.get("extendedResourceClaimStatus") or {}).get("resourceClaimName", "")


def volume_secrets(volume: Obj) -> Iterable[tuple[str, str]]:
    """Namespace and name of the secrets that a PersistentVolume names; by default its claim's namespace is meant."""
    spec = volume.get("spec") or {}
    home = (spec.get("claimRef") or {}).get("namespace", "")
    for source, path in _SECRETS[1:]:
        if source == "csi" or source not in spec:
            continue
        reference = spec[source] if len(path) == 1 else spec[source].get(path[0]) or {}
        yield reference.get("secretNamespace" if len(path) == 1 else "namespace") or home, reference.get(path[-1], "")
    for field in _CSI_SECRETS:
        reference = (spec.get("csi") or {}).get(field) or {}
        yield reference.get("namespace", ""), reference.get("name", "")


def _at(value: Any, path: tuple[str, ...]) -> str:
    for key in path:
        value = (value or {}).get(key)
    return value or ""
