"""Resources that show the same objects."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.controlplane.equivalents import EquivalentResources
from kube_twisted.controlplane.resources import Resources
from kube_twisted.controlplane.runtime_config import APIResourceConfig

V1 = GroupVersionResource("autoscaling", "v1", "horizontalpodautoscalers")
V2 = GroupVersionResource("autoscaling", "v2", "horizontalpodautoscalers")
CORE = GroupVersionResource("", "v1", "events")
EVENTS = GroupVersionResource("events.k8s.io", "v1", "events")


class EquivalentTests(SynchronousTestCase):
    def equivalents(self, **switches: bool) -> EquivalentResources:
        return EquivalentResources(Resources.load(), APIResourceConfig(
            {name.replace("__", "/"): value for name, value in switches.items()}))

    def test_versions(self) -> None:
        """The other versions of a resource, with their kinds, also of subresources."""
        found = self.equivalents()
        kind = GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler")
        self.assertEqual(found(V1, ""), [(V2, kind)])
        self.assertEqual(found(V1, "status"), [(V2, kind)])
        self.assertEqual(found(V1, "scale"), [])

    def test_groups(self) -> None:
        """Events are the same in both of their groups."""
        found = self.equivalents()
        self.assertEqual([one for one, _ in found(CORE, "")], [EVENTS])
        self.assertEqual([one for one, _ in found(EVENTS, "")], [CORE])

    def test_alone(self) -> None:
        """Most resources have one version, and strangers have none."""
        found = self.equivalents()
        self.assertEqual(found(GroupVersionResource("", "v1", "pods"), ""), [])
        self.assertEqual(found(GroupVersionResource("example.com", "v1", "pods"), ""), [])

    def test_switched_off(self) -> None:
        """What is not served is nobody's equivalent."""
        self.assertEqual(self.equivalents(autoscaling__v2=False)(V1, ""), [])
