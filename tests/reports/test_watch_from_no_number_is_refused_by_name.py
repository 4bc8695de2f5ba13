"""python-client#2223, python-base#199: a client resumed with the version ``None``."""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, ClusterTestCase


class NoNumberTests(ClusterTestCase):
    def test_message(self) -> None:
        """No stream begins; the Status names the parameter and its value, as the original's does."""
        for verb in ("watch=1&", ""):
            error = self.refused("GET", f"{CONFIG_MAPS}?{verb}resourceVersion=None")
            self.assertIn('resourceVersion: Invalid value: "None"', error.message)
        self.assertEqual(error.code, 400)

    def test_no_panic(self) -> None:
        """It is not taken for a failure of the server: nothing is logged."""
        self.refused("GET", f"{CONFIG_MAPS}?watch=1&resourceVersion=None")
        self.assertEqual(self.flushLoggedErrors(), [])

    def test_bookmarks_keep_the_version_fresh(self) -> None:
        """A client that takes bookmarks holds a version from which it can resume, however quiet its resource."""
        watching = self.watch(f"{CONFIG_MAPS}?allowWatchBookmarks=true&resourceVersion={self.revision()}")
        for number in range(3):
            self.ask("POST", "/api/v1/namespaces/default/secrets", {"metadata": {"name": f"s{number}"}})
        self.clock.advance(60)
        bookmark, = watching.take()
        version = bookmark["object"]["metadata"]["resourceVersion"]
        self.assertEqual((bookmark["type"], version), ("BOOKMARK", str(self.revision())))
        self.compact()
        resumed = self.watch(f"{CONFIG_MAPS}?resourceVersion={version}")
        self.config_map("a")
        self.assertEqual(resumed.names(), [("ADDED", "a")])
