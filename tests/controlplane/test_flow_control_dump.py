"""/debug/api_priority_and_fairness: what waits, and where."""

from __future__ import annotations

from twisted.internet.defer import Deferred

from kube_twisted.controlplane.flow_control_dump import aligned
from tests.inprocess import CONFIG_MAPS, ClusterTestCase

PREFIX = "/debug/api_priority_and_fairness/dump_"


class DumpTests(ClusterTestCase):
    def _rows(self, name: str) -> list[list[str]]:
        text = self.send("GET", PREFIX + name).body.decode()
        return [[cell.strip() for cell in line.split(",")] for line in text.splitlines()]

    def setUp(self) -> None:
        super().setUp()
        flow = self.send("GET", CONFIG_MAPS, impersonate_user="ann").request.flow
        assert flow is not None
        self.level = flow.level
        self.level.in_use = int(self.level.limit)
        self.addCleanup(setattr, self.level, "in_use", 0)
        waiting = Deferred.fromCoroutine(self.level.wait(2, flow.counts, flow.digest, flow.name, 15))
        waiting.addErrback(lambda _: None)
        self.addCleanup(waiting.cancel)

    def test_levels(self) -> None:
        """A row for each level, with what it has done and what it has to do."""
        rows = self._rows("priority_levels")
        self.assertEqual(rows[0][:5], ["PriorityLevelName", "ActiveQueues", "IsIdle", "IsQuiescing", "WaitingRequests"])
        self.assertEqual([row for row in rows if row[0] == "global-default"],
                         [["global-default", "1", "false", "false", "1", "0", "1", "0", "0", "0"]])

    def test_queues(self) -> None:
        """A row for each queue."""
        rows = [row for row in self._rows("queues") if row[0] == "global-default"]
        self.assertEqual(len(rows), 128)
        self.assertEqual([row[6] for row in rows if row[2] == "1"], ["2"])

    def test_requests(self) -> None:
        """A row for each request that waits; with its details for who asks for them."""
        rows = self._rows("requests")
        self.assertEqual([rows[1][column] for column in (0, 1, 3, 4, 6)],
                         ["global-default", "global-default", "0", "ann", "2"])
        detailed = self._rows("requests?includeRequestDetails=1")
        self.assertEqual((detailed[0][10:12], detailed[1][10:12]), (["UserName", "Verb"], ["ann", "list"]))

    def test_aligned(self) -> None:
        """Columns are as wide as their widest cell, and eight characters at least."""
        self.assertEqual(aligned([("a", "b", "c"), ("long name", "d", "e")]),
                         "a,         b,      c\nlong name, d,      e\n")
