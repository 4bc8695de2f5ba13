"""kr8s, a client for scripts, against a real server. What the scripts do is in ``kr8s_script``."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.sockets.support.case import ServerTestCase
from tests.sockets.support.process import ROOT, environment

_PATIENCE = 90.0


class Kr8sTests(ServerTestCase):
    def saw(self, script: str) -> Any:
        """What a script saw; a failed test when it fails or does not end."""
        ended = subprocess.run([sys.executable, "-m", "tests.sockets.kr8s_script", script, str(self.server.kubeconfig),
                                self.namespace], cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL, text=True,
                               capture_output=True, timeout=_PATIENCE)
        if ended.returncode:
            raise self.server.failure(ended.stderr)
        return json.loads(ended.stdout)

    def test_life(self) -> None:
        """An object is made, read, patched, labelled, annotated and deleted."""
        self.assertEqual(self.saw("life"), {
            "same": True, "data": {"y": "1"}, "labels": {"tier": "web"}, "annotations": {"note": "mine"},
            "there": True, "gone": True, "error": f"Object a does not exist in {self.namespace}"})

    def test_list(self) -> None:
        """Objects are chosen by labels, fields and names; kinds are found by their short names; a user knows itself."""
        seen = self.saw("listing")
        who, version = seen.pop("who"), seen.pop("version")
        self.assertEqual(seen, {
            "labels": ["a", "b"], "fields": ["b"], "names": ["a", "c"], "everywhere": ["c"],
            "kinds": [["deployment.apps/v1", "deployments", True], ["ingress.networking.k8s.io/v1", "ingresses", True],
                      ["lease.coordination.k8s.io/v1", "leases", True]]})
        self.assertTrue(who)
        self.assertEqual(version, "36")

    def test_errors(self) -> None:
        """409 and 422 arrive with their reasons."""
        self.assertEqual(self.saw("errors"), [[409, "AlreadyExists"], [422, "Invalid"], [422, "Invalid"]])

    def test_watch(self) -> None:
        """A watch begins with what is there and tells of what another thread does."""
        self.assertEqual(self.saw("watching"), [["ADDED", "a"], ["MODIFIED", "a"], ["ADDED", "b"], ["DELETED", "a"]])

    def test_wait(self) -> None:
        """Conditions, values and deletions that another brings about are waited for."""
        self.assertEqual(self.saw("waiting"), {"replicas": 3, "ready": 3, "gone": True})

    def test_owner(self) -> None:
        """Adoption writes an owner reference; microseconds are kept."""
        self.assertEqual(self.saw("owning"), {"owners": ["owner"], "time": "2026-01-02T03:04:05.000006Z"})
