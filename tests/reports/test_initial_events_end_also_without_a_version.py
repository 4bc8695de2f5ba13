"""kubernetes#122805: the bookmark that ends the initial events was missing when no version was asked for."""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, ClusterTestCase

STREAMING_LIST = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"


class UnsetVersionTests(ClusterTestCase):
    def test_empty_collection(self) -> None:
        """An empty collection is one bookmark."""
        event, = self.watch(f"{CONFIG_MAPS}?{STREAMING_LIST}").take()
        self.assertEqual((event["type"], event["object"]["metadata"]["annotations"]),
                         ("BOOKMARK", {"k8s.io/initial-events-end": "true"}))

    def test_empty_selection(self) -> None:
        """So is one in which the selector finds nothing."""
        self.config_map("a")
        event, = self.watch(f"{CONFIG_MAPS}?{STREAMING_LIST}&labelSelector=x").take()
        self.assertEqual(event["object"]["metadata"]["resourceVersion"], str(self.revision()))
