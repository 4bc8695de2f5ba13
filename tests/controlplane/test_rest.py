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

    def test_names_of_resources(self) -> None:
        """Refusals name the resource that was asked for."""
        for path, named in (("/api/v1", "events"), ("/apis/events.k8s.io/v1", "events.events.k8s.io")):
            error = self.refused("GET", f"{path}/namespaces/default/events/e")
            self.assertEqual(error.message, f'{named} "e" not found')

    def test_tables_of_statuses(self) -> None:
        """The status of a few kinds is not made into a Table."""
        spec = {"group": "a.example.com", "version": "v1", "groupPriorityMinimum": 1, "versionPriority": 1}
        path = "/apis/apiregistration.k8s.io/v1/apiservices"
        self.ask("POST", path, {"metadata": {"name": "v1.a.example.com"}, "spec": spec})
        table = "application/json;as=Table;v=v1;g=meta.k8s.io"
        for part, code in (("", 200), ("/status", 406)):
            answer = self.send("GET", f"{path}/v1.a.example.com{part}", accept=table)
            self.assertEqual(answer.code, code)

    def test_home(self) -> None:
        """Events of either group are stored as those of the core group."""
        home = self.cluster.server.stores.home
        self.assertEqual(home(GroupResource("events.k8s.io", "events")), GroupResource("", "events"))
        self.assertEqual(home(GroupResource("apps", "deployments")), GroupResource("apps", "deployments"))
