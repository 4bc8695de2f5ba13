"""controller-runtime#2184, #2359: fake clients let objects be in states of deletion that no server has."""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, NAMESPACE, ClusterTestCase


class DeletionStateTests(ClusterTestCase):
    def test_timestamp_of_a_client(self) -> None:
        """A deletionTimestamp that a client sends with a new object is dropped."""
        made = self.config_map("a", deletionTimestamp="2020-01-01T00:00:00Z", deletionGracePeriodSeconds=5,
                               finalizers=["example.com/x"])
        self.assertFalse({"deletionTimestamp", "deletionGracePeriodSeconds"} & made["metadata"].keys())

    def test_timestamp_can_not_be_changed(self) -> None:
        """Nor does an update set it, or take it off."""
        self.config_map("a", finalizers=["example.com/x"])
        path = f"{CONFIG_MAPS}/a"
        error = self.refused("PATCH", path, {"metadata": {"deletionTimestamp": "2020-01-01T00:00:00Z"}},
                             "application/merge-patch+json")
        self.assertEqual((error.code, error.details["causes"][0]["field"]), (422, "metadata.deletionTimestamp"))
        begun = self.ask("DELETE", path)["metadata"]["deletionTimestamp"]
        changed = self.merge(path, {"metadata": {"deletionTimestamp": None}, "data": {"x": "y"}})
        self.assertEqual((changed["metadata"]["deletionTimestamp"], changed["data"]), (begun, {"x": "y"}))

    def test_last_finalizer(self) -> None:
        """Taking the last finalizer off an object in deletion removes it: 200, DELETED, then 404."""
        self.config_map("a", finalizers=["example.com/x", "example.com/y"])
        path = f"{CONFIG_MAPS}/a"
        self.ask("DELETE", path)
        watching = self.watch(f"{CONFIG_MAPS}?resourceVersion={self.revision()}")
        self.merge(path, {"metadata": {"finalizers": ["example.com/y"]}})
        self.merge(path, {"metadata": {"finalizers": None}})
        self.assertEqual(watching.names(), [("MODIFIED", "a"), ("DELETED", "a")])
        self.assertEqual(self.refused("GET", path).code, 404)

    def test_no_new_finalizers(self) -> None:
        """An object in deletion gets no new finalizers."""
        self.config_map("a", finalizers=["example.com/x"])
        self.ask("DELETE", f"{CONFIG_MAPS}/a")
        error = self.refused("PATCH", f"{CONFIG_MAPS}/a", {"metadata": {"finalizers": ["example.com/z"]}},
                             "application/merge-patch+json")
        self.assertEqual((error.code, error.details["causes"][0]["field"]), (422, "metadata.finalizers"))

    def test_graceful_pod(self) -> None:
        """A Pod that is given time has a deletionTimestamp and no finalizer."""
        self.ask("POST", f"{NAMESPACE}/serviceaccounts", {"metadata": {"name": "default"}})
        pod = {"metadata": {"name": "p"}, "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]}}
        self.ask("POST", f"{NAMESPACE}/pods", pod)
        metadata = self.ask("DELETE", f"{NAMESPACE}/pods/p")["metadata"]
        self.assertEqual(metadata["deletionGracePeriodSeconds"], 30)
        self.assertIn("deletionTimestamp", metadata)
        self.assertNotIn("finalizers", metadata)
        self.assertEqual(self.ask("GET", f"{NAMESPACE}/pods/p")["metadata"]["name"], "p")
