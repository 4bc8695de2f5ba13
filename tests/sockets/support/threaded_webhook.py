"""A webhook in a thread, behind TLS: a function from reviews to responses."""

from __future__ import annotations

import base64
import json
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from kube_twisted.server import certificates
from tests.sockets.support.webhook import AUTHORITY, NAMES, NOW

_SERVING = certificates.new_serving(AUTHORITY, NAMES, NOW)
#: Gives the response to a request that came to a path; it is sent with the request's uid.
Respond = Callable[[str, dict[str, Any]], dict[str, Any]]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a review."""
        review = json.loads(self.rfile.read(int(self.headers["content-length"])))
        request = review["request"]
        response = {"uid": request["uid"], **self.server.respond(self.path, request)}  # type: ignore[attr-defined]
        body = json.dumps({**{key: review[key] for key in ("kind", "apiVersion")}, "response": response}).encode()
        with suppress(OSError):  # whoever asked may have gone
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


class ThreadedWebhook:
    """Listens until it is stopped.

    :param handler: what answers, where the requests are no reviews.
    :ivar port: on 127.0.0.1.
    """

    def __init__(self, folder: Path, respond: Respond,
                 handler: type[BaseHTTPRequestHandler] = _Handler) -> None:
        chain, key = folder / "hook.crt", folder / "hook.key"
        chain.write_bytes(_SERVING.certificate_pem())
        key.write_bytes(_SERVING.key_pem())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain, key)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.respond = respond  # type: ignore[attr-defined]
        self._server.daemon_threads = True
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def stop(self) -> None:
        """End; the port is free then."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def client_config(self, path: str) -> dict[str, Any]:
        """How it is called."""
        return {"url": f"https://127.0.0.1:{self.port}{path}", "caBundle": authority()}


def authority() -> str:
    """Whom to trust, as a ``caBundle``."""
    return base64.b64encode(AUTHORITY.certificate_pem()).decode()
