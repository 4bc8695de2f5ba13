"""python-client#1523, kubernetes#69970: DELETE answers sometimes an object and sometimes a Status."""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, NAMESPACE, ClusterTestCase


class DeleteAnswerTests(ClusterTestCase):
    def test_gone(self) -> None:
        """An object that is gone at once: a Status with name, resource and uid."""
        uid = self.config_map("a")["metadata"]["uid"]
        self.assertEqual(self.ask("DELETE", f"{CONFIG_MAPS}/a"), {
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
            "details": {"name": "a", "kind": "configmaps", "uid": uid}})

    def test_group(self) -> None:
        """The details name the group of a resource that has one."""
        path = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
        self.ask("POST", path, {"metadata": {"name": "l"}})
        self.assertEqual(self.ask("DELETE", f"{path}/l")["details"]["group"], "coordination.k8s.io")

    def test_finalizer(self) -> None:
        """An object that waits for a finalizer: the object."""
        self.config_map("a", finalizers=["example.com/x"])
        answer = self.ask("DELETE", f"{CONFIG_MAPS}/a")
        self.assertEqual((answer["kind"], answer["metadata"]["deletionGracePeriodSeconds"]), ("ConfigMap", 0))

    def test_grace(self) -> None:
        """A Pod that is given time: the Pod."""
        self.ask("POST", f"{NAMESPACE}/serviceaccounts", {"metadata": {"name": "default"}})
        pod = {"metadata": {"name": "p"}, "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]}}
        self.ask("POST", f"{NAMESPACE}/pods", pod)
        self.assertEqual(self.ask("DELETE", f"{NAMESPACE}/pods/p")["kind"], "Pod")

    def test_namespace(self) -> None:
        """A namespace, which lasts until it is empty: the namespace, Terminating."""
        self.ask("POST", "/api/v1/namespaces", {"metadata": {"name": "x"}})
        answer = self.ask("DELETE", "/api/v1/namespaces/x")
        self.assertEqual((answer["kind"], answer["status"]["phase"]), ("Namespace", "Terminating"))
