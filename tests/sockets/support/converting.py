"""A conversion webhook in a thread: one version of its kind has ``spec.host`` and ``spec.port``, another
``spec.address``.
"""

from __future__ import annotations

import base64
import json
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from kube_twisted.server import certificates
from tests.sockets.support.webhook import AUTHORITY, NOW

GROUP = "net.example.com"
_SERVING = certificates.new_serving(AUTHORITY, ("127.0.0.1",), NOW)


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


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a ConversionReview."""
        review = json.loads(self.rfile.read(int(self.headers["content-length"])))
        request = review["request"]
        self.server.converted += len(request["objects"])  # type: ignore[attr-defined]
        response = {"uid": request["uid"], "result": {"status": "Success"},
                    "convertedObjects": [convert(one, request["desiredAPIVersion"]) for one in request["objects"]]}
        body = json.dumps({**{key: review[key] for key in ("kind", "apiVersion")}, "response": response}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


class ConvertingWebhook:
    """Listens until it is stopped.

    :ivar url: where it is called.
    """

    def __init__(self, folder: Path) -> None:
        chain, key = folder / "hook.crt", folder / "hook.key"
        chain.write_bytes(_SERVING.certificate_pem())
        key.write_bytes(_SERVING.key_pem())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain, key)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.converted = 0  # type: ignore[attr-defined]
        self._server.daemon_threads = True
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self._server.server_address[1]}/convert"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def converted(self) -> int:
        """How many objects it has converted."""
        count: int = self._server.converted  # type: ignore[attr-defined]
        return count

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def definition(self) -> dict[str, Any]:
        """A CustomResourceDefinition that asks this webhook: v1 is stored."""
        def version(name: str, stored: bool, **properties: str) -> dict[str, Any]:
            spec = {"type": "object", "properties": {one: {"type": type_} for one, type_ in properties.items()}}
            schema = {"type": "object", "properties": {"spec": spec}}
            return {"name": name, "served": True, "storage": stored, "schema": {"openAPIV3Schema": schema}}

        client = {"url": self.url, "caBundle": base64.b64encode(AUTHORITY.certificate_pem()).decode()}
        return {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"peers.{GROUP}"},
            "spec": {
                "group": GROUP, "scope": "Namespaced", "names": {"plural": "peers", "kind": "Peer"},
                "versions": [version("v1", True, host="string", port="integer"),
                             version("v2", False, address="string")],
                "conversion": {"strategy": "Webhook", "webhook": {
                    "conversionReviewVersions": ["v1"], "clientConfig": client}}}}
