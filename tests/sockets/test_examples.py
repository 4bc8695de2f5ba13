"""The examples do what they say."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.sockets.support.kubectl import KubectlTestCase, Watched
from tests.sockets.support.process import ROOT

EXAMPLES = ROOT / "examples"


class ExampleTests(KubectlTestCase):
    def test_deployment_and_watch(self) -> None:
        """The script tells of the Deployment of the manifest, and of its scaling."""
        script = Watched(subprocess.Popen(
            [sys.executable, str(EXAMPLES / "watch_deployments.py")], text=True, stdout=subprocess.PIPE,
            env={**os.environ, "KUBECONFIG": str(self.server.kubeconfig)}))
        self.addCleanup(script.end)
        self.assertEqual(self.kubectl("apply", "-f", str(EXAMPLES / "deployment.yaml")).splitlines(),
                         ["deployment.apps/hello created", "service/hello created"])
        self.assertEqual(script.next(), f"ADDED {self.namespace}/hello: 3 wanted")
        self.kubectl("scale", "deployment", "hello", "--replicas=5")
        self.assertEqual(script.next(), f"MODIFIED {self.namespace}/hello: 5 wanted")
