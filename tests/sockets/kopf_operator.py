"""A small operator for kopf: looks after ConfigMaps labelled ``operated`` and tells how Deployments are.

``python -m kopf run --standalone --namespace NAMESPACE tests/sockets/kopf_operator.py``
"""

from __future__ import annotations

from typing import Any

import kopf

OPERATED = {"operated": "yes"}


@kopf.on.startup()
def configure(settings: kopf.OperatorSettings, **_: Any) -> None:
    """Tell of what happens in Events."""
    settings.posting.enabled = True
    settings.networking.error_backoffs = [0.1, 0.5]


@kopf.on.create("configmaps", labels=OPERATED)
def created(body: kopf.Body, patch: kopf.Patch, **_: Any) -> None:
    """Write down what was there at first."""
    patch.metadata.annotations["example.com/first"] = body["data"]["text"]
    kopf.info(body, reason="Welcomed", message="Hello")


@kopf.on.update("configmaps", labels=OPERATED, field="data.text")
def changed(old: Any, new: Any, patch: kopf.Patch, **_: Any) -> None:
    """Write down what became of it."""
    patch.metadata.annotations["example.com/change"] = f"{old} -> {new}"


@kopf.on.delete("configmaps", labels=OPERATED)
def deleted(body: kopf.Body, retry: int, **_: Any) -> None:
    """Say goodbye, at the second attempt."""
    if not retry:
        raise kopf.TemporaryError("not yet", delay=0.2)
    kopf.info(body, reason="Released", message="Goodbye")


@kopf.on.create("deployments")
@kopf.on.update("deployments", field="spec.replicas")
def scaled(spec: kopf.Spec, patch: kopf.Patch, **_: Any) -> dict[str, Any]:
    """Play the controller: all replicas are ready at once."""
    count = spec["replicas"]
    patch.status.update({"replicas": count, "readyReplicas": count})
    patch.metadata.annotations["example.com/scaled"] = str(count)
    return {"scaled": count}
