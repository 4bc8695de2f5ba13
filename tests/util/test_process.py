"""How the interpreter is set up for a server."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.util.process import keep_bytecode, settle


class SettleTests(SynchronousTestCase):
    def test_searches_less(self) -> None:
        """What is there is left out of the search for cycles, which comes less often from then on."""
        before = gc.get_threshold()
        self.addCleanup(gc.unfreeze)
        self.addCleanup(gc.set_threshold, *before)
        settle()
        self.assertGreater(gc.get_freeze_count(), 0)
        self.assertGreater(gc.get_threshold()[0], 10_000)


class KeepBytecodeTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.patch(sys, "pycache_prefix", None)

    def test_beside_the_data(self) -> None:
        """Where Python writes no bytecode, it is kept in the given directory."""
        self.patch(sys, "dont_write_bytecode", True)
        keep_bytecode(Path("/data/bytecode"))
        self.assertEqual((sys.pycache_prefix, sys.dont_write_bytecode), ("/data/bytecode", False))

    def test_where_it_is_written_anyway(self) -> None:
        """Nothing changes where Python writes bytecode as ever."""
        self.patch(sys, "dont_write_bytecode", False)
        keep_bytecode(Path("/data/bytecode"))
        self.assertEqual((sys.pycache_prefix, sys.dont_write_bytecode), (None, False))
