"""A small aggregated API server on this machine: it serves ``flunders`` and remembers what it was asked.

It is reached as the Service ``backend`` of a namespace, of type ExternalName: the name is ``localhost``.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from cryptography.x509 import load_der_x509_certificate
from OpenSSL import SSL
from twisted.protocols.tls import TLSMemoryBIOFactory
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET, Request, Site

from kube_twisted.server import certificates
from kube_twisted.server.tls import ServerTLS, peer_certificates

NOW = datetime.now(UTC)
AUTHORITY = certificates.new_authority("backends", NOW)
GROUP = "wardle.example.com"
VERSION = f"{GROUP}/v1alpha1"
ROOT = f"/apis/{VERSION}"
NAME = f"v1alpha1.{GROUP}"
#: Gives the body, or ``NOT_DONE_YET``.
Handler = Callable[[Request], bytes | int]

_RESOURCE = {"name": "flunders", "singularName": "flunder", "namespaced": True, "kind": "Flunder",
             "verbs": ["create", "delete", "get", "list", "watch"], "shortNames": ["fl"]}
_DISCOVERED = {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": [
    {"metadata": {"name": GROUP}, "versions": [{"version": "v1alpha1", "freshness": "Current", "resources": [
        {"resource": "flunders", "responseKind": {"group": GROUP, "version": "v1alpha1", "kind": "Flunder"},
         "scope": "Namespaced", "singularResource": "flunder", "shortNames": ["fl"],
         "verbs": _RESOURCE["verbs"]}]}]}]}
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
ETAG = '"one"'
_PATH = f"{ROOT}/namespaces/{{namespace}}/flunders"
SWAGGER = {"swagger": "2.0", "info": {"title": "wardle", "version": "1"}, "definitions": {
    "com.example.wardle.Flunder": {"type": "object", "description": "A flunder."},
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {"type": "object", "description": "Another one."},
}, "paths": {
    _PATH: {"get": {"operationId": "listFlunder", "parameters": [], "responses": {"200": {
        "description": "OK", "schema": {"$ref": "#/definitions/com.example.wardle.Flunder"}}}}},
    "/version/": {"get": {"operationId": "version", "responses": {"200": {"description": "OK"}}}},
}}


def flunder(name: str) -> dict[str, Any]:
    return {"apiVersion": VERSION, "kind": "Flunder", "metadata": {
        "name": name, "namespace": "default", "uid": name, "resourceVersion": "7",
        "creationTimestamp": "2026-01-01T00:00:00Z"}}


class Backend:
    """Listens until it is stopped.

    :param name: of its Service and namespace, as its certificate has it.
    :ivar port: on 127.0.0.1.
    :ivar requests: method, path with query, and headers of what it was asked.
    :ivar bodies: of the same requests.
    :ivar shown: the common names of the client certificates that it was shown.
    :ivar answers: handlers by path, to be changed by tests.
    """

    def __init__(self, reactor: Any, name: str = "backend.default.svc", port: int = 0) -> None:
        self.requests: list[tuple[str, str, dict[str, list[str]]]] = []
        self.bodies: list[bytes] = []
        self.shown: set[str] = set()
        self.watching: list[Request] = []
        self.left: list[Request] = []
        self.connections: set[Any] = set()
        self.answers: dict[str, Handler] = {
            "/apis": self._apis, ROOT: _json({"kind": "APIResourceList", "groupVersion": VERSION,
                                              "resources": [_RESOURCE]}),
            f"{ROOT}/namespaces/default/flunders": self._flunders,
            "/openapi/v3": _json({"paths": {f"apis/{VERSION}": {
                "serverRelativeURL": f"/openapi/v3/apis/{VERSION}?hash=ABC"}, "version": {
                "serverRelativeURL": "/openapi/v3/version?hash=DEF"}}}),
            f"/openapi/v3/apis/{VERSION}": _json({"openapi": "3.0.0", "info": {"title": "wardle", "version": "1"}}),
            "/openapi/v2": _json(SWAGGER),
        }
        serving = certificates.new_serving(AUTHORITY, (name,), NOW)
        tls = ServerTLS(serving.certificate_pem(), serving.key_pem(), protocols=(b"http/1.1",))
        site = Site(_Routed(self), reactor=reactor)
        self._listening = reactor.listenTCP(port, TLSMemoryBIOFactory(tls, False, site, reactor),
                                            interface="127.0.0.1")
        self.port: int = self._listening.getHost().port

    def stop(self) -> Any:
        return self._listening.stopListening()

    def drop(self) -> None:
        """Break all connections off."""
        for one in self.connections:
            one.abortConnection()
        self.connections.clear()

    def asked(self, path: str) -> list[dict[str, list[str]]]:
        """The headers of requests for a path."""
        return [headers for _, asked, headers in self.requests if asked.partition("?")[0] == path]

    def _apis(self, request: Request) -> bytes:
        if AGGREGATED not in (request.getHeader("accept") or ""):
            return _json({"kind": "APIGroupList", "groups": []})(request)
        request.setHeader("etag", ETAG)
        if request.getHeader("if-none-match") == ETAG:
            request.setResponseCode(304)
            return b""
        request.setHeader("content-type", AGGREGATED)
        return json.dumps(_DISCOVERED).encode()

    def _flunders(self, request: Request) -> bytes | int:
        if request.method == b"POST":
            request.setResponseCode(201)
            return _json(json.loads(request.content.read()))(request)
        if b"watch" not in request.args:
            return _json({"apiVersion": VERSION, "kind": "FlunderList", "metadata": {"resourceVersion": "7"},
                          "items": [flunder("one")]})(request)
        request.setHeader("content-type", "application/json")
        request.write(b"")
        self.watching.append(request)
        request.notifyFinish().addErrback(lambda _: self.left.append(request))
        return NOT_DONE_YET

    def send(self, name: str) -> None:
        """An event to all who watch."""
        for request in self.watching:
            request.write(json.dumps({"type": "ADDED", "object": flunder(name)}).encode() + b"\n")


class _Routed(Resource):
    isLeaf = True

    def __init__(self, backend: Backend) -> None:
        super().__init__()
        self._backend = backend

    def render(self, request: Request) -> bytes | int:
        backend, path = self._backend, request.uri.decode()
        backend.requests.append((request.method.decode(), path, {
            name.decode().lower(): [one.decode() for one in values]
            for name, values in request.requestHeaders.getAllRawHeaders()}))
        backend.bodies.append(request.content.read())
        request.content.seek(0)
        backend.shown |= _names(request.channel.transport)
        backend.connections.add(request.channel.transport)
        handler = backend.answers.get(path.partition("?")[0])
        if handler is None:
            request.setResponseCode(404)
            return b"not here"
        return handler(request)


def _names(transport: Any) -> set[str]:
    handle = transport.getHandle()
    assert isinstance(handle, SSL.Connection)
    return {load_der_x509_certificate(one).subject.rfc4514_string() for one in peer_certificates(handle)}


def _json(value: Any) -> Handler:
    def handler(request: Request) -> bytes:
        request.setHeader("content-type", "application/json")
        return json.dumps(value).encode()

    return handler


def service(port: int) -> dict[str, Any]:
    """The Service by which a server at a port of this machine is found."""
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "backend"},
            "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]}}


def api_service(port: int, authority_pem: bytes | None = None, **spec: Any) -> dict[str, Any]:
    """The APIService that says what it serves.

    :param authority_pem: of another process's server.
    """
    authority = base64.b64encode(authority_pem or AUTHORITY.certificate_pem()).decode()
    return {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": NAME}, "spec": {
        "group": GROUP, "version": "v1alpha1", "groupPriorityMinimum": 2000, "versionPriority": 10,
        "caBundle": authority, "service": {"namespace": "default", "name": "backend", "port": port}, **spec}}
