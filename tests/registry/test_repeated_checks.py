"""Which kinds check metadata a second time."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupResource
from kube_twisted.registry.repeated_checks import UPDATE, WHOLE, repeated_checks
from tests.inprocess import CONFIG_MAPS, ClusterTestCase

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"


class TableTests(SynchronousTestCase):
    def test_rows(self) -> None:
        """The usual kind checks once more what may not change; some check everything, two nothing."""
        for group, resource, expected in (
                ("apps", "deployments", (UPDATE,)), ("example.com", "widgets", (UPDATE,)),
                ("", "pods", (UPDATE, WHOLE)), ("apps", "controllerrevisions", (UPDATE, WHOLE)),
                ("batch", "jobs", (WHOLE, UPDATE)), ("policy", "poddisruptionbudgets", ()),
                ("discovery.k8s.io", "endpointslices", (WHOLE,)), ("", "persistentvolumes", (WHOLE, WHOLE)),
                ("", "events", ())):
            self.assertEqual(repeated_checks(GroupResource(group, resource)), expected, resource)

    def test_parts(self) -> None:
        """A change of the status of a core object is checked once more for what may not change."""
        self.assertEqual(repeated_checks(GroupResource("", "nodes"), part=True), (UPDATE,))


class CausesTests(ClusterTestCase):
    def test_as_often(self) -> None:
        """A bad label is told once on creation, twice on update, and once more for each check that the kind repeats."""
        self.config_map("a")
        labels = {"app": "web"}
        self.ask("POST", DEPLOYMENTS, {"metadata": {"name": "d"}, "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})
        bad = {"metadata": {"labels": {"-": "x"}}}
        for path, times in ((f"{CONFIG_MAPS}/a", 4), (f"{DEPLOYMENTS}/d", 3)):
            error = self.refused("PATCH", path, bad, "application/merge-patch+json")
            self.assertEqual([cause["field"] for cause in error.details["causes"]], ["metadata.labels"] * times, path)
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "b", "labels": {"-": "x"}}})
        self.assertEqual(len(error.details["causes"]), 1)
