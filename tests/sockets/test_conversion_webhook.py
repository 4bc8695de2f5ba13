"""Custom resources whose versions a webhook converts, over real connections."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from tests.sockets.support.case import ServerTestCase
from tests.sockets.support.converting import GROUP, ConvertingWebhook

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_APPLY = {"Content-Type": "application/apply-patch+yaml"}
_WAIT = 10.0


class ConversionWebhookTests(ServerTestCase):
    def setUp(self) -> None:
        super().setUp()
        folder = Path(tempfile.mkdtemp(dir="."))
        self.hook: ConvertingWebhook | None = ConvertingWebhook(folder)
        self.addCleanup(self.stop_hook)
        self.create(_DEFINITIONS, self.hook.definition())
        self.addCleanup(self.client.request, "DELETE", f"{_DEFINITIONS}/peers.{GROUP}")
        deadline = time.monotonic() + _WAIT
        while self.client.request("GET", self.peers("v1")).status != 200:
            self.assertLess(time.monotonic(), deadline)

    def stop_hook(self) -> None:
        hook, self.hook = self.hook, None
        if hook is not None:
            hook.stop()

    def peers(self, version: str, name: str = "") -> str:
        path = f"/apis/{GROUP}/{version}/namespaces/{self.namespace}/peers"
        return f"{path}/{name}" if name else path

    def peer(self, version: str, name: str, **spec: Any) -> dict[str, Any]:
        return {"apiVersion": f"{GROUP}/{version}", "kind": "Peer", "metadata": {"name": name}, "spec": spec}

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        answer = self.client.request(method, path, body, headers or None)
        self.assertIn(answer.status, (200, 201), answer.body)
        return answer.json()

    def test_versions(self) -> None:
        """What is written in one version is read in the other, alone, in lists and after an update."""
        self.create(self.peers("v1"), self.peer("v1", "a", host="h", port=1))
        created = self.create(self.peers("v2"), self.peer("v2", "b", address="i:2"))
        self.assertEqual(created["spec"], {"address": "i:2"})
        listed = self.ask("GET", self.peers("v2"))
        self.assertEqual([one["spec"] for one in listed["items"]], [{"address": "h:1"}, {"address": "i:2"}])
        self.assertEqual({one["apiVersion"] for one in listed["items"]}, {f"{GROUP}/v2"})
        changed = self.ask("GET", self.peers("v2", "a"))
        changed["spec"]["address"] = "h:9"
        self.assertEqual(self.ask("PUT", self.peers("v2", "a"), changed)["spec"], {"address": "h:9"})
        self.assertEqual(self.ask("GET", self.peers("v1", "a"))["spec"], {"host": "h", "port": 9})

    def test_no_change(self) -> None:
        """Writing back what was read in the other version changes nothing, not even the resourceVersion."""
        self.create(self.peers("v1"), self.peer("v1", "a", host="h", port=1))
        read = self.ask("GET", self.peers("v2", "a"))
        self.assertEqual(self.ask("PUT", self.peers("v2", "a"), read)["metadata"], read["metadata"])

    def test_watch(self) -> None:
        """A watch in the other version shows what is there, then what happens, in order."""
        self.create(self.peers("v1"), self.peer("v1", "a", host="h", port=1))
        watching = self.server.client()
        self.addCleanup(watching.close)
        events = watching.watch(self.peers("v2") + "?watch=1&timeoutSeconds=20")
        self.assertEqual(next(events)["object"]["spec"], {"address": "h:1"})
        for port in range(2, 8):
            self.create(self.peers("v1"), self.peer("v1", f"p{port}", host="h", port=port))
        self.assertEqual([next(events)["object"]["spec"]["address"] for _ in range(2, 8)],
                         [f"h:{port}" for port in range(2, 8)])
        self.ask("DELETE", self.peers("v1", "p2"))
        gone = next(events)
        self.assertEqual((gone["type"], gone["object"]["spec"]), ("DELETED", {"address": "h:2"}))

    def test_owners_in_two_versions(self) -> None:
        """Managers that apply in different versions are seen in that of the request."""
        self.create(self.peers("v1"), self.peer("v1", "a", host="h", port=1))
        conflict = self.client.request("PATCH", self.peers("v2", "a") + "?fieldManager=other",
                                       self.peer("v2", "a", address="h:5"), _APPLY)
        self.assertEqual(conflict.status, 409, conflict.body)
        applied = self.ask("PATCH", self.peers("v2", "a") + "?fieldManager=other&force=true",
                           self.peer("v2", "a", address="h:5"), **_APPLY)
        self.assertEqual(applied["spec"], {"address": "h:5"})
        owners = {one["manager"]: one for one in applied["metadata"]["managedFields"]}
        self.assertEqual(owners["other"]["fieldsV1"], {"f:spec": {"f:address": {}}})
        self.assertEqual(owners["other"]["apiVersion"], f"{GROUP}/v2")
        again = self.client.request("PATCH", self.peers("v1", "a") + "?fieldManager=third",
                                    self.peer("v1", "a", host="h", port=6), _APPLY)
        self.assertEqual(again.status, 409, again.body)
        self.assertIn('conflict with "other"', again.json()["message"])

    def test_webhook_down(self) -> None:
        """Without the webhook the stored version works on; the other is a 500 that names it, and ends watches."""
        self.create(self.peers("v1"), self.peer("v1", "a", host="h", port=1))
        self.stop_hook()
        self.assertEqual(self.ask("GET", self.peers("v1", "a"))["spec"], {"host": "h", "port": 1})
        for path in (self.peers("v2", "a"), self.peers("v2")):
            answer = self.client.request("GET", path)
            self.assertEqual(answer.status, 500)
            self.assertIn(f"conversion webhook for {GROUP}/v1, Kind=Peer failed: Post", answer.json()["message"])
        events = list(self.client.watch(self.peers("v2") + "?watch=1&timeoutSeconds=5"))
        self.assertEqual([one["type"] for one in events], ["ERROR"])
        self.assertIn("conversion webhook", events[0]["object"]["message"])
