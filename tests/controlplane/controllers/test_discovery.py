"""What controllers learn about the server's resources."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.controllers.discovery import Discovered, discover
from kube_twisted.util.deferreds import to_deferred
from tests.controlplane.controllers.case import ControllerCase


def entry(name: str, kind: str, scope: str = "Namespaced", verbs: str = "delete list") -> dict[str, Any]:
    return {"resource": name, "responseKind": {"kind": kind}, "scope": scope, "verbs": verbs.split()}


class FakeClient:
    """A server with one resource in each API, and a broken group-version."""

    async def call(self, _method: str, path: str, accept: str) -> dict[str, Any]:
        if path == "/api":
            return {"items": [{"metadata": {}, "versions": [
                {"version": "v1", "resources": [entry("nodes", "Node", "Cluster")]}]}]}
        return {"items": [
            {"metadata": {"name": "example.com"}, "versions": [
                {"version": "v2", "resources": [entry("things", "Thing")]},
                {"version": "v1", "resources": [entry("things", "Thing"), entry("others", "Other", verbs="list")]}]},
            {"metadata": {"name": "broken"}, "versions": [{"version": "v1", "freshness": "Stale"}]}]}


class DiscoverTests(SynchronousTestCase):
    """A fake server is asked."""

    def found(self) -> Discovered:
        found = self.successResultOf(to_deferred(discover(FakeClient())))  # type: ignore[arg-type]
        assert isinstance(found, Discovered)
        return found

    def test_preferred(self) -> None:
        """Each resource comes once, in the first version that has it, if it has the verbs."""
        self.assertEqual([str(one) for one in self.found().preferred("delete")], [
            "/v1, Resource=nodes", "example.com/v2, Resource=things"])
        self.assertEqual([one.name for one in self.found().preferred()], ["nodes", "things", "others"])

    def test_paths(self) -> None:
        """Collections are found in the cluster and in namespaces."""
        kinds = self.found().by_kind()
        self.assertEqual(kinds["v1", "Node"].collection("ns"), "/api/v1/nodes")
        self.assertEqual(kinds["example.com/v1", "Thing"].collection("ns"), "/apis/example.com/v1/namespaces/ns/things")
        self.assertEqual(kinds["example.com/v1", "Thing"].path, "/apis/example.com/v1/things")

    def test_failures(self) -> None:
        """Group-versions whose resources are not known are named."""
        self.assertEqual(self.found().failure(), (
            "unable to retrieve the complete list of server APIs: "
            "broken/v1: stale GroupVersion discovery: broken/v1"))
        self.assertEqual(Discovered((), {}).failure(), "")


class RealDiscoveryTests(ControllerCase):
    """The own server is asked."""

    def test_own(self) -> None:
        """It tells its kinds, of the core and of other groups, in their preferred versions."""
        found = self.cluster.result(discover(self.cluster.client))
        kinds = found.by_kind()
        self.assertTrue(kinds["apps/v1", "Deployment"].preferred)
        self.assertFalse(kinds["autoscaling/v1", "HorizontalPodAutoscaler"].preferred)
        self.assertTrue(kinds["v1", "Pod"].namespaced)
        self.assertEqual(found.failures, {})
