"""The audit log of a server that kubectl works with, and a webhook that is sent the events."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import yaml
from twisted.trial.unittest import SynchronousTestCase

from tests.sockets.support.kubectl import KubectlTestCase
from tests.sockets.support.process import PATIENCE, ROOT, ServerProcess
from tests.sockets.support.threaded_webhook import ThreadedWebhook, authority

_POLICY = str(ROOT / "examples" / "audit-policy.yaml")
_MANIFEST = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": {"a": "b"}}


class AuditLogTests(KubectlTestCase):
    settings = {"audit": {"policyFile": _POLICY, "log": {"path": "audit.log"}}}

    def events(self, **wanted: Any) -> list[dict[str, Any]]:
        """Those about the test's namespace whose fields are so."""
        events = map(json.loads, (self.server.folder / "audit.log").read_text().splitlines())
        return [event for event in events if event.get("objectRef", {}).get("namespace") == self.namespace
                and all(event.get(key) == value for key, value in wanted.items())]

    def test_changes(self) -> None:
        """What kubectl applies and deletes is in the log as soon as kubectl knows that it is done."""
        self.kubectl("apply", "--filename=-", stdin=_MANIFEST)
        [created] = self.events(verb="create", stage="ResponseComplete", level="RequestResponse",
                                requestURI=f"{self.path}/configmaps?fieldManager=kubectl-client-side-apply&"
                                           "fieldValidation=Strict")
        self.assertEqual((created["objectRef"]["name"], created["user"]["username"]), ("web", "kubernetes-admin"))
        self.assertTrue(created["userAgent"].startswith("kubectl/"), created["userAgent"])
        self.assertEqual(created["requestObject"]["data"], {"a": "b"})
        self.assertNotIn("managedFields", created["responseObject"]["metadata"])
        self.kubectl("delete", "configmap", "web")
        [deleted] = self.events(verb="delete")
        self.assertEqual(deleted["responseStatus"]["status"], "Success")
        self.assertEqual(deleted["requestObject"]["kind"], "DeleteOptions")

    def test_reading(self) -> None:
        """What kubectl reads is not in the log, but that it did."""
        self.kubectl("create", "secret", "generic", "s", "--from-literal=password=hidden")
        self.kubectl("get", "secrets")
        self.assertEqual([event["level"] for event in self.events(verb="list")], ["Metadata"])
        self.assertNotIn("hidden", (self.server.folder / "audit.log").read_text())

    def test_impersonation(self) -> None:
        """Who acts as somebody else is in the log, and what was refused."""
        self.error("get", "configmaps", "--as=ann", "--as-group=devs")
        [event] = self.events(verb="list")
        self.assertEqual((event["user"]["username"], event["impersonatedUser"]),
                         ("kubernetes-admin", {"username": "ann", "groups": ["devs", "system:authenticated"]}))
        self.assertEqual((event["responseStatus"]["code"], event["annotations"]["authorization.k8s.io/decision"]),
                         (403, "forbid"))


class _Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Take a list of events."""
        sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.respond(self.headers["authorization"], sent)  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


class AuditWebhookTests(SynchronousTestCase):
    def test_events_are_sent(self) -> None:
        """A webhook that a kubeconfig names gets the events, the last ones when the server ends."""
        folder = Path(tempfile.mkdtemp(dir="."))
        lists: list[tuple[str, dict[str, Any]]] = []

        def note(header: str, sent: dict[str, Any]) -> dict[str, Any]:
            lists.append((header, sent))
            return {}

        hook = ThreadedWebhook(folder, note, _Receiver)
        self.addCleanup(hook.stop)
        kubeconfig = folder.absolute() / "hook.yaml"
        kubeconfig.write_text(yaml.safe_dump({
            "clusters": [{"name": "audit", "cluster": {"server": f"https://127.0.0.1:{hook.port}/events",
                                                       "certificate-authority-data": authority()}}],
            "users": [{"name": "server", "user": {"token": "secret"}}]}))
        server = ServerProcess(folder / "server", {"audit": {"policyFile": _POLICY, "webhook": {
            "kubeconfig": str(kubeconfig), "batchWait": "100ms"}}})
        server.start()
        self.addCleanup(server.discard)
        client = server.client()
        self.addCleanup(client.close)
        client.request("POST", "/api/v1/namespaces", {"metadata": {"name": "first"}})
        self._wait(lambda: "first" in json.dumps(lists))
        client.request("POST", "/api/v1/namespaces", {"metadata": {"name": "last"}})
        self.assertEqual(server.terminate(), 0)
        self.assertIn("last", json.dumps(lists))
        self.assertEqual({(header, sent["kind"]) for header, sent in lists}, {("Bearer secret", "EventList")})

    def _wait(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
