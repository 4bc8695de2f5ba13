"""The day from which on the use of tokens out of Secrets is tracked."""

from __future__ import annotations

from kube_twisted.controlplane.bootstrap.legacy_tokens import INTERVAL, NAME
from tests.inprocess import ClusterTestCase

_PATH = f"/api/v1/namespaces/kube-system/configmaps/{NAME}"


class LegacyTokenTrackingTests(ClusterTestCase):
    def since(self) -> str:
        return str(self.ask("GET", _PATH)["data"]["since"])

    def later(self, days: float = 0) -> None:
        self.clock.advance(days * 24 * 3600 + INTERVAL)
        self.cluster.run(0.1)

    def test_day(self) -> None:
        """It is the day of the first start, and stays."""
        self.assertEqual(self.since(), "2026-01-01")
        self.later(days=2)
        self.assertEqual(self.since(), "2026-01-01")

    def test_deleted(self) -> None:
        """When it is deleted, tracking begins anew."""
        self.ask("DELETE", _PATH)
        self.later(days=2)
        self.assertEqual(self.since(), "2026-01-03")

    def test_no_day(self) -> None:
        """What is no day is replaced, other data is left."""
        for wrong in ("yesterday", "20260101", ""):
            self.merge(_PATH, {"data": {"since": wrong, "more": "x"}})
            self.later()
            self.assertEqual(self.ask("GET", _PATH)["data"], {"since": "2026-01-01", "more": "x"})
