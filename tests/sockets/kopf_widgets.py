"""A small operator for kopf that looks after widgets: a custom kind with a status.

``python -m kopf run --standalone --namespace NAMESPACE tests/sockets/kopf_widgets.py``
"""

from __future__ import annotations

from typing import Any

import kopf


@kopf.on.startup()
def configure(settings: kopf.OperatorSettings, **_: Any) -> None:
    """Keep the progress in annotations: the status has a schema."""
    settings.persistence.progress_storage = kopf.AnnotationsProgressStorage()
    settings.networking.error_backoffs = [0.1, 0.5]


@kopf.on.create("example.com", "v1", "widgets")
@kopf.on.update("example.com", "v1", "widgets", field="spec")
def painted(spec: kopf.Spec, patch: kopf.Patch, retry: int, **_: Any) -> None:
    """Paint it, at the second attempt."""
    if not retry:
        raise kopf.TemporaryError("not yet", delay=0.2)
    patch.status["phase"] = f"painted {spec['color']}"
    patch.status["conditions"] = [{"type": "Ready", "status": "True"}]


@kopf.timer("example.com", "v1", "widgets", interval=0.3)
def grow(status: kopf.Status, patch: kopf.Patch, **_: Any) -> None:
    """Count up to three."""
    ready = status.get("ready", 0)
    if ready < 3:
        patch.status["ready"] = ready + 1


@kopf.on.event("example.com", "v1", "widgets")
def seen(event: Any, body: kopf.Body, patch: kopf.Patch, **_: Any) -> None:
    """Write down which generation was seen last."""
    if event["type"] != "DELETED" and body.status.get("seen") != str(body.metadata["generation"]):
        patch.status["seen"] = str(body.metadata["generation"])


@kopf.on.delete("example.com", "v1", "widgets")
def deleted(retry: int, **_: Any) -> None:
    """Say goodbye, at the second attempt."""
    if not retry:
        raise kopf.TemporaryError("not yet", delay=0.2)
