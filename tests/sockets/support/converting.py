"""A conversion webhook in a thread: one version of its kind has ``spec.host`` and ``spec.port``, another
``spec.address``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.sockets.support.threaded_webhook import ThreadedWebhook

GROUP = "net.example.com"


def convert(obj: dict[str, Any], api_version: str) -> dict[str, Any]:
    """An object in the other version."""
    spec = dict(obj.get("spec", {}))
    if api_version.endswith("/v2"):
        host, port = spec.pop("host", ""), spec.pop("port", 0)
        spec["address"] = f"{host}:{port}"
    else:
        host, _, port = spec.pop("address", ":0").partition(":")
        spec |= {"host": host, "port": int(port)}
    return {**obj, "apiVersion": api_version, "spec": spec}


class ConvertingWebhook(ThreadedWebhook):
    """Listens until it is stopped.

    :ivar converted: how many objects it has converted.
    """

    def __init__(self, folder: Path) -> None:
        self.converted = 0
        super().__init__(folder, self._respond)

    def _respond(self, _path: str, request: dict[str, Any]) -> dict[str, Any]:
        self.converted += len(request["objects"])
        return {"result": {"status": "Success"},
                "convertedObjects": [convert(one, request["desiredAPIVersion"]) for one in request["objects"]]}

    def definition(self) -> dict[str, Any]:
        """A CustomResourceDefinition that asks this webhook: v1 is stored."""
        def version(name: str, stored: bool, **properties: str) -> dict[str, Any]:
            spec = {"type": "object", "properties": {one: {"type": type_} for one, type_ in properties.items()}}
            schema = {"type": "object", "properties": {"spec": spec}}
            return {"name": name, "served": True, "storage": stored, "schema": {"openAPIV3Schema": schema}}

        return {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"peers.{GROUP}"},
            "spec": {
                "group": GROUP, "scope": "Namespaced", "names": {"plural": "peers", "kind": "Peer"},
                "versions": [version("v1", True, host="string", port="integer"),
                             version("v2", False, address="string")],
                "conversion": {"strategy": "Webhook", "webhook": {
                    "conversionReviewVersions": ["v1"], "clientConfig": self.client_config("/convert")}}}}
