"""teleport#64188, antrea#8123: without the bookmark that ends the initial events, informers never sync."""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, ClusterTestCase

STREAMING_LIST = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"


class InitialEventsTests(ClusterTestCase):
    def test_one_bookmark(self) -> None:
        """After the last ADDED exactly one bookmark, with the annotation and the version of the list."""
        for name in "abc":
            self.config_map(name)
        version = self.ask("GET", CONFIG_MAPS)["metadata"]["resourceVersion"]
        for more in ("", "&resourceVersion=0", f"&resourceVersion={version}"):
            events = self.watch(f"{CONFIG_MAPS}?{STREAMING_LIST}{more}").take()
            self.assertEqual([event["type"] for event in events], ["ADDED", "ADDED", "ADDED", "BOOKMARK"], more)
            metadata = events[-1]["object"]["metadata"]
            self.assertEqual(metadata["annotations"], {"k8s.io/initial-events-end": "true"})
            self.assertEqual(metadata["resourceVersion"], version)

    def test_later_bookmarks(self) -> None:
        """Bookmarks that come later do not have the annotation."""
        watching = self.watch(f"{CONFIG_MAPS}?{STREAMING_LIST}")
        watching.take()
        self.clock.advance(60)
        bookmark, = watching.take()
        self.assertNotIn("annotations", bookmark["object"]["metadata"])
