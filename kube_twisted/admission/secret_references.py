"""Which secrets a pod refers to, and which of those its service account does not list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Obj = dict[str, Any]

#: Volume sources with a reference to a secret: the source, and where in it the name is.
_VOLUME_SECRETS = (
    ("secret", ("secretName",)), ("azureFile", ("secretName",)), ("cephfs", ("secretRef", "name")),
    ("cinder", ("secretRef", "name")), ("flexVolume", ("secretRef", "name")), ("rbd", ("secretRef", "name")),
    ("scaleIO", ("secretRef", "name")), ("iscsi", ("secretRef", "name")), ("storageos", ("secretRef", "name")),
    ("csi", ("nodePublishSecretRef", "name")),
)
_CONTAINERS = (("initContainers", "init container"), ("containers", "container"))
_ALL_CONTAINERS = ("initContainers", "containers", "ephemeralContainers")


def refers_to_secrets(spec: Obj) -> bool:
    """Whether anything in the pod names a secret."""
    if spec.get("imagePullSecrets"):
        return True
    for field in _ALL_CONTAINERS:
        if any(True for container in spec.get(field) or () for _ in _container_secrets(container)):
            return True
    return any(_volume_has_secret(volume) for volume in spec.get("volumes") or ())


def _volume_has_secret(volume: Obj) -> bool:
    for source, path in _VOLUME_SECRETS:
        value: Any = volume.get(source)
        for key in path:
            value = value.get(key) if value else None
        if value is not None:
            return True
    return any("secret" in one for one in volume.get("projected", {}).get("sources") or ())


def has_token_projection(spec: Obj) -> bool:
    """Whether a volume projects a service account token."""
    return any("serviceAccountToken" in source for volume in spec.get("volumes") or ()
               for source in volume.get("projected", {}).get("sources") or ())


def _container_secrets(container: Obj) -> Iterator[tuple[str, str]]:
    """Where a container names secrets, in words, and their names."""
    for variable in container.get("env") or ():
        reference = variable.get("valueFrom", {}).get("secretKeyRef")
        if reference is not None:
            yield f"envVar {variable.get('name', '')}", reference.get("name", "")
    for source in container.get("envFrom") or ():
        if "secretRef" in source:
            yield "envFrom", source["secretRef"].get("name", "")


def unlisted_secret(spec: Obj, account: Obj) -> str:
    """What is wrong when the pod uses a secret that the account does not list; empty when nothing is."""
    listed = {one.get("name", "") for one in account.get("secrets") or ()}
    who = account["metadata"]["name"]
    for volume in spec.get("volumes") or ():
        secret = volume.get("secret", {}).get("secretName", "") if "secret" in volume else None
        if secret is not None and secret not in listed:
            return (f'volume with secret.secretName="{secret}" is not allowed because service account {who} does not '
                    "reference that secret")
    for field, what in _CONTAINERS:
        problem = _unlisted_in_containers(spec.get(field) or [], what, listed, who)
        if problem:
            return problem
    pulled = {one.get("name", "") for one in account.get("imagePullSecrets") or ()}
    for index, one in enumerate(spec.get("imagePullSecrets") or ()):
        if one.get("name", "") not in pulled:
            return (f'imagePullSecrets[{index}].name="{one.get("name", "")}" is not allowed because service account '
                    f"{who} does not reference that imagePullSecret")
    return ""


def unlisted_ephemeral_secret(spec: Obj, account: Obj) -> str:
    """Like :func:`unlisted_secret`, of the ephemeral containers alone."""
    listed = {one.get("name", "") for one in account.get("secrets") or ()}
    return _unlisted_in_containers(spec.get("ephemeralContainers") or [], "ephemeral container", listed,
                                   account["metadata"]["name"])


def _unlisted_in_containers(containers: list[Obj], what: str, listed: set[str], who: str) -> str:
    for container in containers:
        for where, secret in _container_secrets(container):
            if secret not in listed:
                return (f'{what} {container.get("name", "")} with {where} referencing secret.secretName="{secret}" is '
                        f"not allowed because service account {who} does not reference that secret")
    return ""
