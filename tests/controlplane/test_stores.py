"""The stores of all built-in resources."""

from __future__ import annotations

from kube_twisted.api.errors import StatusError
from tests.inprocess import NAMESPACE, ClusterTestCase


class KeysTests(ClusterTestCase):
    def test_keys(self) -> None:
        """Keys are those of the original, so that its tools find their way."""
        self.config_map("a")
        self.ask("POST", f"{NAMESPACE}/services", {"metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}})
        self.ask("POST", "/api/v1/nodes", {"metadata": {"name": "n"}})
        page = self.cluster.result(self.cluster.server.backend.store.list_entries("/registry/"))
        keys = {entry.key for entry in page.entries}
        for key in ("/registry/configmaps/default/a", "/registry/services/specs/default/s", "/registry/minions/n",
                    "/registry/namespaces/default"):
            self.assertIn(key, keys)

    def test_prefixes(self) -> None:
        """No resource's keys lie below those of another, but where the original has it so."""
        prefixes = sorted(store.cache.prefix for store in self.cluster.server.stores)
        self.assertEqual(len(prefixes), len(set(prefixes)))
        nested = [(one, other) for one in prefixes for other in prefixes if one != other and other.startswith(one)]
        self.assertEqual(nested, [])


class ReaderTests(ClusterTestCase):
    """What admission and controllers read."""

    def setUp(self) -> None:
        super().setUp()
        self.stores = self.cluster.server.stores
        self.config_map("a", {"app": "web"})

    def test_get(self) -> None:
        """``get`` gives fresh data, ``peek`` shared data, both None for what isn't there."""
        for read in (self.stores.get, self.stores.peek):
            self.assertEqual(read("", "configmaps", "default", "a")["metadata"]["labels"], {"app": "web"})
            self.assertIsNone(read("", "configmaps", "default", "b"))
            self.assertIsNone(read("example.com", "widgets", "default", "a"))
        self.stores.get("", "configmaps", "default", "a")["metadata"]["labels"] = {}
        self.assertEqual(self.stores.get("", "configmaps", "default", "a")["metadata"]["labels"], {"app": "web"})
        self.assertIs(self.stores.peek("", "configmaps", "default", "a"),
                      self.stores.peek("", "configmaps", "default", "a"))

    def test_lists(self) -> None:
        """All objects, or those of one namespace; of an unknown resource there are none."""
        for read in (self.stores.list_objects, self.stores.peek_all):
            self.assertEqual([one["metadata"]["name"] for one in read("", "configmaps", "default")], ["a"])
            self.assertEqual(read("", "configmaps", "other"), [])
            self.assertEqual(read("example.com", "widgets"), [])

    def test_exists(self) -> None:
        """Whether an object is there."""
        self.assertTrue(self.stores.exists("", "configmaps", "default", "a"))
        self.assertFalse(self.stores.exists("", "configmaps", "default", "b"))

    def test_latest(self) -> None:
        """Reads that must not be stale wait for what was acknowledged."""
        found = self.cluster.result(self.stores.peek_latest("", "configmaps", "default", "a"))
        self.assertEqual(found["metadata"]["name"], "a")
        self.assertIsNone(self.cluster.result(self.stores.peek_latest("example.com", "widgets", "", "a")))

    def test_latest_of_what_is_no_name(self) -> None:
        """Nothing is looked for under a text that can't be a name."""
        for name, why in (("", "resource name may not be empty"),
                          ("a/b", "invalid resource name \"a/b\": [may not contain '/']")):
            error = self.assertRaises(StatusError, self.cluster.result,
                                      self.stores.peek_latest("", "configmaps", "default", name))
            self.assertEqual((error.code, error.reason, error.message), (500, "", why))

    def test_events_expire(self) -> None:
        """Events live for an hour, other objects for ever."""
        self.ask("POST", f"{NAMESPACE}/events", {"metadata": {"name": "e"}, "involvedObject": {"namespace": "default"}})
        self.assertTrue(self.stores.exists("", "events", "default", "e"))
        self.clock.pump([60] * 62)
        self.assertFalse(self.stores.exists("", "events", "default", "e"))
        self.assertTrue(self.stores.exists("", "configmaps", "default", "a"))
