"""The controller that deletes namespaces."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.request import Request, Response
from tests.controlplane.controllers.case import MERGE, NAMESPACES, ControllerCase

SPEC = {"containers": [{"name": "c", "image": "i"}], "terminationGracePeriodSeconds": 8}
POD = {"metadata": {"name": "p"}, "spec": SPEC}


class NamespaceTests(ControllerCase):
    """The server with that controller and a namespace ``x``."""

    controllers = ("namespace", "serviceaccount")

    def setUp(self) -> None:
        super().setUp()
        self.path = self.namespace("x")
        self.cluster.run(0.1)

    def make(self, resource: str, body: dict[str, Any]) -> str:
        """Create in the namespace; gives the path of the object."""
        created = self.ask("POST", f"{self.path}/{resource}", body)
        return f"{self.path}/{resource}/{created['metadata']['name']}"

    def delete(self, seconds: float = 2.0) -> None:
        self.ask("DELETE", self.path)
        self.cluster.run(seconds)

    def conditions(self) -> dict[str, tuple[str, str, str]]:
        """Status, reason and message by type."""
        found = self.ask("GET", self.path)["status"]["conditions"]
        return {one["type"]: (one["status"], one["reason"], one["message"]) for one in found}

    def test_empty(self) -> None:
        """A namespace with nothing in it goes soon."""
        self.delete()
        self.assertIsNone(self.find(self.path))

    def test_content(self) -> None:
        """What is in it goes first: of all groups, with subresources or without."""
        paths = [
            self.make("configmaps", {"metadata": {"name": "c"}}),
            self.make("services", {"metadata": {"name": "s"}, "spec": {"ports": [{"port": 1}]}}),
            self.make("pods", POD)]
        path = "/apis/coordination.k8s.io/v1/namespaces/x/leases"
        self.ask("POST", path, {"metadata": {"name": "l"}})
        self.delete()
        self.assertEqual([self.find(one) for one in (*paths, f"{path}/l", self.path)], [None] * 5)

    def test_services(self) -> None:
        """Addresses and node ports of its Services can be had again."""
        spec = {"type": "NodePort", "clusterIP": "10.0.0.9", "ports": [{"port": 80, "nodePort": 30009}]}
        self.make("services", {"metadata": {"name": "s"}, "spec": spec})
        self.delete()
        self.assertIsNone(self.find("/apis/networking.k8s.io/v1/ipaddresses/10.0.0.9"))
        again = self.ask("POST", f"{NAMESPACES}/default/services", {"metadata": {"name": "s"}, "spec": spec})["spec"]
        self.assertEqual((again["clusterIP"], again["ports"][0]["nodePort"]), ("10.0.0.9", 30009))

    def test_not_deleted(self) -> None:
        """A namespace that is not deleted is left alone."""
        self.make("configmaps", {"metadata": {"name": "c"}})
        self.ask("PATCH", self.path, {"metadata": {"labels": {"a": "b"}}}, MERGE)
        self.cluster.run(10)
        self.assertIsNotNone(self.find(f"{self.path}/configmaps/c"))

    def test_finalizer(self) -> None:
        """An object with a finalizer holds the namespace, which tells so; it goes soon after the object."""
        path = self.make("configmaps", {"metadata": {"name": "c", "finalizers": ["example.com/hold"]}})
        self.delete()
        conditions = self.conditions()
        self.assertEqual(conditions["NamespaceContentRemaining"], (
            "True", "SomeResourcesRemain", "Some resources are remaining: configmaps. has 1 resource instances"))
        self.assertEqual(conditions["NamespaceFinalizersRemaining"], (
            "True", "SomeFinalizersRemain",
            "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances"))
        self.assertEqual(conditions["NamespaceDeletionContentFailure"], (
            "False", "ContentDeleted", "All content successfully deleted, may be waiting on finalization"))
        self.ask("PATCH", path, {"metadata": {"finalizers": None}}, MERGE)
        self.cluster.run(8)
        self.assertIsNone(self.find(self.path))

    def test_all_conditions(self) -> None:
        """All five conditions are told, in the usual order, those that are well as False."""
        self.make("configmaps", {"metadata": {"name": "c", "finalizers": ["example.com/hold"]}})
        self.delete()
        self.assertEqual([(type_, one[0]) for type_, one in self.conditions().items()], [
            ("NamespaceDeletionDiscoveryFailure", "False"), ("NamespaceDeletionGroupVersionParsingFailure", "False"),
            ("NamespaceDeletionContentFailure", "False"), ("NamespaceContentRemaining", "True"),
            ("NamespaceFinalizersRemaining", "True")])

    def test_pods_first(self) -> None:
        """While a pod is ending on its node, nothing else is removed; pods that do not end in time are a failure."""
        self.make("pods", {**POD, "spec": {**SPEC, "nodeName": "n"}})
        kept = self.make("configmaps", {"metadata": {"name": "c"}})
        self.delete()
        self.assertIsNotNone(self.find(kept))
        self.cluster.run(12)
        self.assertEqual(self.conditions()["NamespaceDeletionContentFailure"], (
            "True", "ContentDeletionFailed", "Failed to delete all resource types, 1 remaining: "
            "unexpected items still remain in namespace: x for gvr: /v1, Resource=pods"))
        self.ask("DELETE", f"{self.path}/pods/p", {"gracePeriodSeconds": 0})
        self.cluster.run(60)
        self.assertEqual((self.find(kept), self.find(self.path)), (None, None))

    def test_own_finalizers(self) -> None:
        """A finalizer of the namespace's metadata is left to its owner."""
        self.ask("PATCH", self.path, {"metadata": {"finalizers": ["example.com/mine"]}}, MERGE)
        self.delete()
        found = self.ask("GET", self.path)
        self.assertEqual(found["spec"], {})
        self.assertEqual(found["metadata"]["finalizers"], ["example.com/mine"])
        self.ask("PATCH", self.path, {"metadata": {"finalizers": None}}, MERGE)
        self.assertIsNone(self.find(self.path))

    def test_failure(self) -> None:
        """A resource that can't be emptied is told, the others are emptied, and it is tried again."""
        broken = True
        handler = self.cluster.server.handler

        async def failing(request: Request) -> Response:
            if broken and request.method == "DELETE" and request.path.endswith("/namespaces/x/secrets"):
                raise StatusError(500, "InternalError", "the disk is on fire")
            return await handler(request)

        self.patch(self.cluster.server._controllers._informers._client, "_handler", failing)
        self.make("secrets", {"metadata": {"name": "s"}})
        other = self.make("configmaps", {"metadata": {"name": "c"}})
        self.delete()
        self.assertEqual(self.conditions()["NamespaceDeletionContentFailure"], (
            "True", "ContentDeletionFailed",
            "Failed to delete all resource types, 1 remaining: the disk is on fire"))
        self.assertIsNone(self.find(other))
        broken = False
        self.cluster.run(5)
        self.assertIsNone(self.find(self.path))

    def test_settle(self) -> None:
        """For a second nothing is removed, as writes that were under way may still arrive."""
        path = self.make("configmaps", {"metadata": {"name": "c"}})
        self.delete(seconds=0.5)
        self.assertIsNotNone(self.find(path))
        self.cluster.run(1)
        self.assertIsNone(self.find(self.path))
