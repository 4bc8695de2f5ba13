"""What a server does not need it does not load at its start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from twisted.trial.unittest import SynchronousTestCase

from tests.inprocess import keys_directory

ROOT = Path(__file__).parents[2]
_SCRIPT = """
import sys
from pathlib import Path
from kube_twisted.testing.cluster import InProcessCluster
cluster = InProcessCluster({}, Path(sys.argv[1]))
cluster.start()
cluster.run(0.1)
cluster.ask("POST", "/api/v1/namespaces/default/configmaps", {"metadata": {"name": "x"}})
print(*(name for name in sys.modules if name.startswith("kube_twisted.cel.")))
"""


class LoadingTests(SynchronousTestCase):
    def test_expressions(self) -> None:
        """Without policies, definitions, match conditions and device selectors there is no expression language."""
        done = subprocess.run([sys.executable, "-c", _SCRIPT, str(keys_directory())], text=True, capture_output=True,
                              cwd=ROOT, timeout=60, check=True)
        self.assertEqual(done.stdout.split(), [])
