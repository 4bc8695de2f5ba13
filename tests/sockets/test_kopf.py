"""Operators that run on kopf in a child process; what they do is in ``kopf_operator`` and ``kopf_widgets``."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import yaml

from tests.sockets.support.case import ServerTestCase
from tests.sockets.support.process import ROOT, environment

FINALIZER = "kopf.zalando.org/KopfFinalizerMarker"
LAST_HANDLED = "kopf.zalando.org/last-handled-configuration"
WIDGETS = Path(__file__).with_name("manifests") / "custom" / "widgets.yaml"
_PATIENCE = 60.0
_MERGE = {"Content-Type": "application/merge-patch+json"}


class OperatorCase(ServerTestCase):
    """An operator runs.

    :cvar operator_file: its handlers.
    """

    operator_file: ClassVar[str]

    def setUp(self) -> None:
        super().setUp()
        self.prepare()
        self.log = Path(self.mktemp())
        with self.log.open("wb") as log:
            self.operator = subprocess.Popen(
                [sys.executable, "-m", "kopf", "run", "--standalone", f"--namespace={self.namespace}",
                 str(Path(__file__).with_name(self.operator_file))],
                cwd=ROOT, env={**environment(), "KUBECONFIG": str(self.server.kubeconfig)},
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        self.addCleanup(self.end)

    def prepare(self) -> None:
        """What must be there before the operator starts."""

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


class KopfTests(OperatorCase):
    operator_file = "kopf_operator.py"

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


class WidgetTests(OperatorCase):
    """A custom kind with a status endpoint."""

    operator_file = "kopf_widgets.py"

    def prepare(self) -> None:
        definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        if self.get(f"{definitions}/widgets.example.com") is None:
            self.create(definitions, yaml.safe_load(WIDGETS.read_text()))
        self.widgets = f"/apis/example.com/v1/namespaces/{self.namespace}/widgets"
        self.server.wait_for(lambda: self.get(self.widgets) is not None, "widgets are served")

    def widget(self, name: str, color: str) -> str:
        """Make one; its path."""
        self.create(self.widgets, {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": name},
                                   "spec": {"color": color}})
        return f"{self.widgets}/{name}"

    def status(self, path: str, **wanted: Any) -> Any:
        """Wait until the status has what is wanted; the object as it was then."""
        def found() -> Any:
            one = self.get(path)
            return one if wanted.items() <= one.get("status", {}).items() else None

        return self.wait_for(found, f"{path} has {wanted}")

    def test_life(self) -> None:
        """Handlers and timers write the status, retries are kept in annotations, the finalizer holds a deletion."""
        path = self.widget("a", "red")
        made = self.status(path, phase="painted red", ready=3, seen="1")
        self.assertEqual((made["metadata"]["finalizers"], made["metadata"]["generation"]), ([FINALIZER], 1))
        self.assertEqual(made["status"]["conditions"], [{"type": "Ready", "status": "True"}])
        self.patch(path, {"spec": {"color": "blue"}})
        self.assertEqual(self.status(path, phase="painted blue", seen="2")["metadata"]["generation"], 2)
        self.assertIn("deletionTimestamp", self.client.request("DELETE", path).json()["metadata"])
        self.wait_for(lambda: self.get(path) is None, "the object is released")

    def test_definition_changes(self) -> None:
        """The operator survives a change of the definition, which ends its watches."""
        self.status(self.widget("a", "red"), phase="painted red")
        schema = f"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/{self.namespace}"
        answer = self.client.request(
            "PATCH", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com",
            [{"op": "add", "path": schema, "value": {"type": "string"}}],
            {"Content-Type": "application/json-patch+json"})
        self.assertEqual(answer.status, 200)
        self.status(self.widget("b", "green"), phase="painted green")
        self.assertNotIn("Traceback", self.log.read_text())
