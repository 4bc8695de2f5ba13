"""An operator for kopf that admits ConfigMaps labelled ``admitted``: those without text get one, bad words are refused.

``python -m kopf run --standalone --namespace NAMESPACE tests/sockets/kopf_admission.py``
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import kopf

from kube_twisted.server import certificates

ADMITTED = {"admitted": "yes"}


@kopf.on.startup()
def configure(settings: kopf.OperatorSettings, **_: Any) -> None:
    """Listen behind a certificate of an own authority, and keep the configurations up to date."""
    now, folder = datetime.now(UTC), Path(tempfile.mkdtemp())
    authority = certificates.new_authority("kopf", now)
    serving = certificates.new_serving(authority, ("127.0.0.1",), now)
    (folder / "ca.pem").write_bytes(authority.certificate_pem())
    (folder / "cert.pem").write_bytes(serving.certificate_pem())
    (folder / "key.pem").write_bytes(serving.key_pem())
    settings.admission.server = kopf.WebhookServer(
        addr="127.0.0.1", host="127.0.0.1", cafile=folder / "ca.pem", certfile=folder / "cert.pem",
        pkeyfile=folder / "key.pem")
    settings.admission.managed = "admission.example.com"


@kopf.on.mutate("configmaps", labels=ADMITTED)
def add_text(body: kopf.Body, patch: kopf.Patch, warnings: list[str], operation: str, **_: Any) -> None:
    """Nothing stays without text."""
    if "text" not in body.get("data", {}):
        patch["data"] = {"text": f"added on {operation}"}
        warnings.append("text was added")


@kopf.on.validate("configmaps", labels=ADMITTED, operations=["CREATE", "UPDATE"])
def check_text(body: kopf.Body, old: Any, userinfo: Any, **_: Any) -> None:
    """Bad words are refused, to everybody."""
    if "bad" in body["data"]["text"]:
        raise kopf.AdmissionError(f"{userinfo['username']} may not say that", code=451)


@kopf.on.validate("configmaps", labels=ADMITTED, operation="DELETE", id="keep")
def keep(dryrun: bool, **_: Any) -> None:
    """Nothing goes."""
    raise kopf.AdmissionError(f"it stays ({dryrun=})")
