"""kwok#925: a fake kubelet that deletes with grace 0 must not lose finalizers."""

from __future__ import annotations

from tests.inprocess import NAMESPACE, ClusterTestCase


class NoGraceTests(ClusterTestCase):
    def test_finalizers_stay(self) -> None:
        """With finalizers left the Pod stays, and watchers see MODIFIED; it goes with the last finalizer."""
        self.ask("POST", f"{NAMESPACE}/serviceaccounts", {"metadata": {"name": "default"}})
        pods = f"{NAMESPACE}/pods"
        self.ask("POST", pods, {"metadata": {"name": "p", "finalizers": ["example.com/x"]}, "spec": {
            "nodeName": "n", "containers": [{"name": "c", "image": "i"}]}})
        self.ask("DELETE", f"{pods}/p")
        watching = self.watch(f"{pods}?resourceVersion={self.revision()}")
        answer = self.ask("DELETE", f"{pods}/p", {"gracePeriodSeconds": 0})
        self.assertEqual((answer["kind"], answer["metadata"]["finalizers"]), ("Pod", ["example.com/x"]))
        self.assertEqual(answer["metadata"]["deletionGracePeriodSeconds"], 0)
        self.assertEqual(watching.names(), [("MODIFIED", "p")])
        self.merge(f"{pods}/p", {"metadata": {"finalizers": None}})
        self.assertEqual(watching.names(), [("DELETED", "p")])
