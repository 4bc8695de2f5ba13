"""Old spellings in pods that the server keeps in step with the new ones, or takes away."""

from __future__ import annotations

from typing import Any

Obj = dict[str, Any]

_INIT_ANNOTATIONS = tuple(f"pod.{stage}.kubernetes.io/{name}" for stage in ("alpha", "beta")
                          for name in ("init-containers", "init-container-statuses"))


def sync_service_account(spec: Obj) -> None:
    """``serviceAccount`` is an alias of ``serviceAccountName``, which wins; both or neither are shown."""
    name = spec.get("serviceAccountName") or spec.get("serviceAccount")
    if name:
        spec["serviceAccountName"] = spec["serviceAccount"] = name
    else:
        spec.pop("serviceAccount", None)


def drop_init_annotations(metadata: Obj) -> None:
    """Remove what meant init containers before they had a field."""
    annotations = metadata.get("annotations")
    if annotations:
        for name in _INIT_ANNOTATIONS:
            annotations.pop(name, None)


def sync_pod_ips(status: Obj) -> None:
    """``podIP`` is the first of ``podIPs``; where they differ, the old field wins."""
    address, addresses = status.get("podIP"), status.get("podIPs")
    if address and (not addresses or addresses[0].get("ip") != address):
        status["podIPs"] = [{"ip": address}]
    elif addresses:
        status["podIP"] = addresses[0].get("ip", "")
