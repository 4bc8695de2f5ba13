"""An operator that runs on kopf in a child process; what it does is in ``kopf_operator``."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.sockets.support.case import ServerTestCase
from tests.sockets.support.process import ROOT, environment

FINALIZER = "kopf.zalando.org/KopfFinalizerMarker"
LAST_HANDLED = "kopf.zalando.org/last-handled-configuration"
_PATIENCE = 60.0
_MERGE = {"Content-Type": "application/merge-patch+json"}


class KopfTests(ServerTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.log = Path(self.mktemp())
        with self.log.open("wb") as log:
            self.operator = subprocess.Popen(
                [sys.executable, "-m", "kopf", "run", "--standalone", f"--namespace={self.namespace}",
                 str(Path(__file__).with_name("kopf_operator.py"))],
                cwd=ROOT, env={**environment(), "KUBECONFIG": str(self.server.kubeconfig)},
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        self.addCleanup(self.end)

    def end(self) -> None:
        self.operator.kill()
        self.operator.wait()

    # -- talking to the server -----------------------------------------------------------------------------------

    def get(self, path: str) -> Any:
        """An object or a list; None for what isn't there."""
        answer = self.client.request("GET", path)
        return answer.json() if answer.status == 200 else None

    def patch(self, path: str, body: dict[str, Any]) -> None:
        self.assertEqual(self.client.request("PATCH", path, body, _MERGE).status, 200)

    def wait_for(self, condition: Callable[[], Any], what: str) -> Any:
        """Ask until the condition is true; what it was then."""
        end = time.monotonic() + _PATIENCE
        while not (found := condition()):
            if self.operator.poll() is not None or time.monotonic() > end:
                raise self.server.failure(f"it never came that {what}:\n{self.log.read_text()}")
            time.sleep(0.05)
        return found

    def annotation(self, path: str, name: str) -> Any:
        """Wait for it, and give back the object as it was then."""
        def found() -> Any:
            one = self.get(path)
            return one if one and f"example.com/{name}" in one["metadata"].get("annotations", {}) else None

        return self.wait_for(found, f"{path} has {name}")

    def config_map(self, name: str, text: str, **labels: str) -> str:
        """Make one; its path."""
        self.create(f"{self.path}/configmaps", {"metadata": {"name": name, "labels": labels}, "data": {"text": text}})
        return f"{self.path}/configmaps/{name}"

    def reasons(self) -> list[str]:
        return [one["reason"] for one in self.get(f"{self.path}/events")["items"]]

    # -- tests ---------------------------------------------------------------------------------------------------

    def test_life(self) -> None:
        """What is created, changed and deleted is handled once; the finalizer holds a deletion until then."""
        path = self.config_map("a", "one", operated="yes")
        made = self.annotation(path, "first")
        self.assertEqual(made["metadata"]["finalizers"], [FINALIZER])
        self.assertEqual(made["metadata"]["annotations"]["example.com/first"], "one")
        self.patch(path, {"data": {"text": "two"}})
        changed = self.annotation(path, "change")
        self.assertEqual(changed["metadata"]["annotations"]["example.com/change"], "one -> two")
        self.assertIn('"two"', changed["metadata"]["annotations"][LAST_HANDLED])
        answer = self.client.request("DELETE", path).json()
        self.assertIn("deletionTimestamp", answer["metadata"])
        self.wait_for(lambda: self.get(path) is None, "the object is released")
        self.wait_for(lambda: {"Welcomed", "Released"} <= set(self.reasons()), "events tell of it")
        self.assertEqual(self.reasons().count("Released"), 1)

    def test_found(self) -> None:
        """What is there already when the operator starts is handled; what has no label is left alone."""
        other = self.config_map("b", "one")
        self.annotation(self.config_map("a", "one", operated="yes"), "first")
        self.assertNotIn("finalizers", self.get(other)["metadata"])
        self.patch(other, {"metadata": {"labels": {"operated": "yes"}}})
        self.assertEqual(self.annotation(other, "first")["metadata"]["finalizers"], [FINALIZER])
        self.patch(other, {"metadata": {"labels": {"operated": None}}})
        self.wait_for(lambda: "finalizers" not in self.get(other)["metadata"], "the finalizer goes with the label")

    def test_deployment(self) -> None:
        """Status and annotations of a Deployment are patched, each through its own door."""
        path = f"/apis/apps/v1/namespaces/{self.namespace}/deployments"
        template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "a", "image": "nginx"}]}}
        self.create(path, {"metadata": {"name": "a"}, "spec": {
            "replicas": 2, "selector": {"matchLabels": {"app": "a"}}, "template": template}})
        self.annotation(f"{path}/a", "scaled")
        self.assertEqual(self.ready(f"{path}/a", 2), {"replicas": 2, "readyReplicas": 2})
        self.patch(f"{path}/a/scale", {"spec": {"replicas": 5}})
        self.assertEqual(self.ready(f"{path}/a", 5), {"replicas": 5, "readyReplicas": 5})

    def ready(self, path: str, count: int) -> Any:
        """Wait for ready replicas; the status."""
        self.wait_for(lambda: self.get(path).get("status", {}).get("readyReplicas") == count, f"{count} are ready")
        return self.get(path)["status"]

    def test_end(self) -> None:
        """It ends when told to, while its watches are open."""
        self.annotation(self.config_map("a", "one", operated="yes"), "first")
        self.operator.send_signal(signal.SIGTERM)
        self.assertEqual(self.operator.wait(_PATIENCE), 0, self.log.read_text())
        self.assertNotIn("Traceback", self.log.read_text())
