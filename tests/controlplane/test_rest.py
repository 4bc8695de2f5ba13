"""From a row of the table to an installed resource."""

from __future__ import annotations

from kube_twisted.api.gvk import GroupResource
from tests.inprocess import ClusterTestCase


class InstalledTests(ClusterTestCase):
    def test_all_rows(self) -> None:
        """Every resource of the versions that are on by default is installed, with a handler for each verb."""
        installed = {str(version.group_version): version for group in self.cluster.server.front.all_groups()
                     for version in group.versions}
        for versions in self.cluster.server.completed.resources.groups.values():
            for facts in versions:
                if not facts.default:
                    self.assertNotIn(str(facts.group_version), installed)
                    continue
                resources = installed[str(facts.group_version)].resources
                self.assertEqual(facts.resources.keys() - resources.keys(), set(), facts.group_version)
                for name, resource in resources.items():
                    if "connect" not in resource.handlers:
                        self.assertEqual(set(resource.verbs) - set(resource.handlers), set(), name)

    def test_versions_share_a_store(self) -> None:
        """The versions of a resource, and the two groups of events, are views of the same objects."""
        stores = self.cluster.server.stores
        self.assertIs(stores.store("", "events"), stores.store("events.k8s.io", "events"))
        event = {"metadata": {"name": "e", "namespace": "default"}, "regarding": {"namespace": "default"},
                 "reportingController": "example.com/c", "reportingInstance": "i", "action": "a", "reason": "r",
                 "eventTime": "2026-01-01T00:00:00.000000Z", "type": "Normal"}
        self.ask("POST", "/apis/events.k8s.io/v1/namespaces/default/events", event)
        core = self.ask("GET", "/api/v1/namespaces/default/events/e")
        self.assertEqual((core["involvedObject"], core["reportingComponent"]),
                         ({"namespace": "default"}, "example.com/c"))

    def test_home(self) -> None:
        """Events of either group are stored as those of the core group."""
        home = self.cluster.server.stores.home
        self.assertEqual(home(GroupResource("events.k8s.io", "events")), GroupResource("", "events"))
        self.assertEqual(home(GroupResource("apps", "deployments")), GroupResource("apps", "deployments"))
