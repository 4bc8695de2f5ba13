"""The volume through which containers get the token of their service account, and the cluster's CA.

Source of the layout: the Kubernetes documentation, "Configure Service Accounts for Pods", bound tokens (KEP-1205).
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.generated_names import generate_name

_NAME = "kube-api-access-"
_MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"
#: An hour and a few seconds: how the server later knows tokens that old clients may keep for longer.
_EXPIRATION_SECONDS = 3607


def mount_token(spec: dict[str, Any]) -> None:
    """Mount the token in every container that has nothing else at its place."""
    volumes = spec.get("volumes") or []
    existing = next((one["name"] for one in volumes if one.get("name", "").startswith(_NAME)), None)
    name = existing or generate_name(_NAME)
    mounted = False
    for field in ("initContainers", "containers"):
        for container in spec.get(field) or ():
            mounts = container.get("volumeMounts") or []
            if not any(one.get("mountPath") == _MOUNT_PATH for one in mounts):
                container["volumeMounts"] = [*mounts, {"name": name, "readOnly": True, "mountPath": _MOUNT_PATH}]
                mounted = True
    if mounted and existing is None:
        spec["volumes"] = [*volumes, {"name": name, "projected": _projection()}]


def _projection() -> dict[str, Any]:
    return {
        "sources": [
            {"serviceAccountToken": {"expirationSeconds": _EXPIRATION_SECONDS, "path": "token"}},
            {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
            {"downwardAPI": {"items": [
                {"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}},
        ],
        "defaultMode": 420,
    }
