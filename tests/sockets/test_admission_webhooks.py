"""Admission webhooks behind a URL and behind a Service, over real connections."""

from __future__ import annotations

import base64
import json
import tempfile
import threading
from pathlib import Path
from typing import Any

from tests.sockets.support.case import ServerTestCase
from tests.sockets.support.threaded_webhook import ThreadedWebhook, authority

_GROUP = "/apis/admissionregistration.k8s.io/v1"
_RULE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["configmaps"]}


class AdmissionWebhookTests(ServerTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.asked: list[str] = []
        self.ended = threading.Event()
        self.hook = ThreadedWebhook(Path(tempfile.mkdtemp(dir=".")), self.respond)
        self.addCleanup(self.hook.stop)
        self.addCleanup(self.ended.set)
        self.maps = f"{self.path}/configmaps"

    def respond(self, path: str, request: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(path)
        if path.startswith("/slow"):
            self.ended.wait()
        if path.startswith("/no"):
            return {"allowed": False, "status": {"code": 403, "message": "not here"}}
        if path.startswith("/set"):
            patch = [{"op": "add", "path": "/data", "value": {"by": request["userInfo"]["username"]}}]
            return {"allowed": True, "patchType": "JSONPatch", "warnings": ["set"],
                    "patch": base64.b64encode(json.dumps(patch).encode()).decode()}
        return {"allowed": True}

    def configure(self, kind: str, client: dict[str, Any], **more: Any) -> None:
        webhook = {"name": "hook.example.com", "admissionReviewVersions": ["v1"], "sideEffects": "None",
                   "clientConfig": client, "rules": [_RULE],
                   "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": self.namespace}}, **more}
        path = f"{_GROUP}/{kind.lower()}webhookconfigurations"
        self.create(path, {"metadata": {"name": self.namespace}, "webhooks": [webhook]})
        self.addCleanup(self.client.request, "DELETE", f"{path}/{self.namespace}")

    def test_url(self) -> None:
        """A webhook changes what is written, and warns."""
        self.configure("Mutating", self.hook.client_config("/set"))
        answer = self.client.request("POST", self.maps, {"metadata": {"name": "a"}})
        self.assertEqual((answer.status, answer.json()["data"]), (201, {"by": "admin"}))
        self.assertEqual(answer.headers["warning"], '299 - "set"')
        self.assertEqual(self.asked, ["/set?timeout=10s"])

    def test_service(self) -> None:
        """A webhook behind a Service is called there, and must have its name in its certificate."""
        for namespace, expected in (("ns", 403), (self.namespace, 500)):
            if namespace == "ns":
                self.create("/api/v1/namespaces", {"metadata": {"name": "ns"}})
                self.addCleanup(self.client.request, "DELETE", "/api/v1/namespaces/ns")
            self.create(f"/api/v1/namespaces/{namespace}/services", {
                "metadata": {"name": "hook"}, "spec": {"type": "ExternalName", "externalName": "127.0.0.1"}})
            service = {"namespace": namespace, "name": "hook", "path": "/no", "port": self.hook.port}
            self.configure("Validating", {"service": service, "caBundle": authority()})
            answer = self.client.request("POST", self.maps, {"metadata": {"name": "a"}})
            self.assertEqual(answer.status, expected, answer.body)
            self.client.request("DELETE", f"{_GROUP}/validatingwebhookconfigurations/{self.namespace}")
        self.assertIn("x509: certificate is valid for hook.ns.svc, not hook.test-service.svc", answer.json()["message"])

    def test_slow(self) -> None:
        """Who does not answer in time is no obstacle, if it need not answer."""
        self.configure("Validating", self.hook.client_config("/slow"), timeoutSeconds=1, failurePolicy="Ignore")
        self.create(self.maps, {"metadata": {"name": "a"}})
        self.assertEqual(self.asked, ["/slow?timeout=1s"])

    def test_slow_and_needed(self) -> None:
        """Who must answer and does not is named in the refusal."""
        self.configure("Validating", self.hook.client_config("/slow"), timeoutSeconds=1)
        answer = self.client.request("POST", self.maps, {"metadata": {"name": "a"}})
        self.assertEqual(answer.status, 500)
        self.assertEqual(answer.json()["message"], (
            'Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: '
            f'Post "https://127.0.0.1:{self.hook.port}/slow?timeout=1s": context deadline exceeded'))

    def test_untrusted(self) -> None:
        """A webhook that nobody vouches for is not asked anything."""
        self.configure("Validating", {"url": f"https://127.0.0.1:{self.hook.port}/no"})
        answer = self.client.request("POST", self.maps, {"metadata": {"name": "a"}})
        self.assertEqual(answer.status, 500)
        self.assertIn("x509: certificate signed by unknown authority", answer.json()["message"])
        self.assertEqual(self.asked, [])

    def test_metrics(self) -> None:
        """Calls are counted."""
        self.configure("Validating", self.hook.client_config("/no"))
        self.client.request("POST", self.maps, {"metadata": {"name": "a"}})
        metrics = self.client.request("GET", "/metrics").body.decode()
        labels = 'name="hook.example.com",operation="CREATE"'
        for line in (
            f'apiserver_admission_webhook_request_total{{code="403",{labels},rejected="true",type="validating"}} 1.0',
            f'apiserver_admission_webhook_rejection_count{{error_type="no_error",{labels},rejection_code="403",'
            'type="validating"} 1.0',
            f'apiserver_admission_webhook_admission_duration_seconds_count{{{labels},rejected="true",'
            'type="validating"} 1.0',
        ):
            self.assertIn(line, metrics)
