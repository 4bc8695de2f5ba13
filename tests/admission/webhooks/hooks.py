"""Admission webhooks that are functions, in a server of this process."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import orjson
from attrs import frozen
from twisted.internet.defer import Deferred
from twisted.web.http_headers import Headers

from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.https import Answer, HTTPSError, Server
from tests.inprocess import ClusterTestCase

Obj = dict[str, Any]
GROUP = "/apis/admissionregistration.k8s.io/v1"
#: Everything that is done to ConfigMaps.
CONFIG_MAPS = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}
#: Gives the members of the response, or raises, or says everything itself.
Hook = Callable[[Obj], "Obj | Raw | Deferred[Obj]"]


@frozen
class Raw:
    """An answer that is no review."""

    body: bytes
    code: int = 200
    content_type: str = "application/json"


class Hooks:
    """Stands where the HTTPS client is.

    :ivar requests: what was asked, by webhook.
    :ivar urls: of all calls, with their timeouts.
    """

    def __init__(self) -> None:
        self.hooks: dict[str, Hook] = {}
        self.requests: list[tuple[str, Obj]] = []
        self.urls: list[tuple[str, float]] = []

    async def request(self, server: Server, method: str, url: str, headers: Obj, body: bytes = b"", *,
                      timeout: float, limit: int = 0) -> Answer:
        name = urlsplit(url).path.strip("/")
        self.urls.append((url, timeout))
        review = orjson.loads(body)
        self.requests.append((name, review["request"]))
        if name not in self.hooks:
            raise HTTPSError(method, url, "connect: connection refused")
        said: Any = self.hooks[name](review["request"])
        if isinstance(said, Deferred):
            said = await said
        if isinstance(said, Raw):
            return Answer(said.code, Headers({"Content-Type": [said.content_type]}), said.body)
        answer = {**{key: review[key] for key in ("kind", "apiVersion")},
                  "response": {"uid": review["request"]["uid"], **said}}
        return Answer(200, Headers({"Content-Type": ["application/json"]}), orjson.dumps(answer))

    @property
    def names(self) -> list[str]:
        """Who was asked, in order."""
        return [name for name, _ in self.requests]


def allow(_request: Obj) -> Obj:
    return {"allowed": True}


def deny(_request: Obj) -> Obj:
    return {"allowed": False}


def patched(*operations: Obj) -> Obj:
    """The response of a webhook that changes the object."""
    return {"allowed": True, "patchType": "JSONPatch", "patch": base64.b64encode(orjson.dumps(operations)).decode()}


def setting(path: str, value: Any) -> Hook:
    """A webhook that sets one thing."""
    return lambda _request: patched({"op": "add", "path": path, "value": value})


class HookTestCase(ClusterTestCase):
    """A server with webhooks.

    :ivar hooks: what they say and were asked.
    """

    def setUp(self) -> None:
        super().setUp()
        self.hooks = Hooks()
        self.patch(self.cluster.server.completed.https, "request", self.hooks.request)

    def webhook(self, name: str, /, **more: Any) -> Obj:
        """A webhook ``name.example.com``."""
        return {"name": f"{name}.example.com", "admissionReviewVersions": ["v1"], "sideEffects": "None",
                "clientConfig": {"url": f"https://hooks.example.com/{name}"}, "rules": [CONFIG_MAPS], **more}

    def configure(self, kind: str, *webhooks: Obj, name: str = "hooks") -> Obj:
        """Create a configuration; ``kind`` is ``Mutating`` or ``Validating``."""
        return self.ask("POST", f"{GROUP}/{kind.lower()}webhookconfigurations", {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": f"{kind}WebhookConfiguration",
            "metadata": {"name": name}, "webhooks": list(webhooks)})

    def mutating(self, name: str, hook: Hook, /, **more: Any) -> None:
        """One mutating webhook, in a configuration of its own."""
        self.hooks.hooks[name] = hook
        self.configure("Mutating", self.webhook(name, **more), name=name)

    def validating(self, name: str, hook: Hook, /, **more: Any) -> None:
        """One validating webhook, in a configuration of its own."""
        self.hooks.hooks[name] = hook
        self.configure("Validating", self.webhook(name, **more), name=name)

    def last(self, name: str) -> Obj:
        """What a webhook was asked last."""
        return [request for asked, request in self.hooks.requests if asked == name][-1]

    def begin(self, method: str, path: str, body: Any = None) -> Deferred[Any]:
        """Send a request whose answer takes time."""
        return to_deferred(self.cluster.client.call(method, path, body))
