"""Definitions and custom objects outlive their server: it is killed, and started again on the same file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from twisted.trial.unittest import SynchronousTestCase

from tests.sockets.support.process import ServerProcess

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
PATH = f"{DEFINITIONS}/widgets.example.com"
WIDGETS = "/apis/example.com/v1/namespaces/default/widgets"
_MERGE = {"Content-Type": "application/merge-patch+json"}


class RestartTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.server = ServerProcess(Path(self.mktemp()))
        self.addCleanup(self.server.discard)
        self.server.start()
        self.client = self.server.client()

    def restart(self) -> None:
        self.client.close()
        self.server.kill()
        self.server.start()
        self.client = self.server.client()
        self.addCleanup(self.client.close)

    def get(self, path: str) -> Any:
        """What is there; None for nothing."""
        answer = self.client.request("GET", path)
        return answer.json() if answer.status == 200 else None

    def test_restart(self) -> None:
        """All is served as before, at once; a changed schema is in force; a deletion that was begun is finished."""
        definition = yaml.safe_load((Path(__file__).with_name("manifests") / "custom" / "widgets.yaml").read_text())
        self.client.request("POST", DEFINITIONS, definition)
        self.server.wait_for(lambda: self.get(WIDGETS) is not None, "widgets are served")
        body = {"apiVersion": "example.com/v1", "kind": "Widget", "spec": {"color": "red"},
                "metadata": {"name": "a", "finalizers": ["example.com/hold"]}}
        made = self.client.request("POST", WIDGETS, body).json()
        self.restart()
        self.assertEqual(self.get(f"{WIDGETS}/a"), made)
        self.assertIn("example.com", [one["name"] for one in self.get("/apis")["groups"]])
        schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {
            "color": {"type": "string"}, "shape": {"type": "string", "default": "round"}}}}}
        version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
        self.client.request("PATCH", PATH, {"spec": {"versions": [version]}}, _MERGE)
        self.restart()
        self.assertEqual(self.get(f"{WIDGETS}/a")["spec"], {"color": "red", "shape": "round"})
        self.client.request("DELETE", PATH)
        self.server.wait_for(lambda: "deletionTimestamp" in self.get(f"{WIDGETS}/a")["metadata"], "the object goes")
        self.restart()
        self.assertEqual(self.client.request("POST", WIDGETS, {**body, "metadata": {"name": "b"}}).status, 403)
        self.client.request("PATCH", f"{WIDGETS}/a", {"metadata": {"finalizers": None}}, _MERGE)
        self.server.wait_for(lambda: self.get(PATH) is None, "the definition is gone")
        self.assertIsNone(self.get(WIDGETS))
        self.assertNotIn("Traceback", self.server.output())
