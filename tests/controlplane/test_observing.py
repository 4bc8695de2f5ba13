"""What /metrics shows of the control plane."""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, NAMESPACE, ClusterTestCase


class MetricsTests(ClusterTestCase):
    def value(self, name: str, *labels: str) -> float:
        """The sum of all values with these labels."""
        lines = self.send("GET", "/metrics", accept="*/*").body.decode().splitlines()
        found = [float(line.rpartition(" ")[2]) for line in lines
                 if line.startswith(name + "{") and all(one in line for one in labels)]
        return sum(found)

    def test_objects(self) -> None:
        """How many there are of each resource."""
        labels = 'group=""', 'resource="configmaps"'
        before = self.value("apiserver_resource_objects", *labels)
        self.assertEqual(self.value("apiserver_storage_objects", 'resource="configmaps"'), before)
        self.config_map("a")
        self.assertEqual(self.value("apiserver_resource_objects", *labels), before + 1)

    def test_watches(self) -> None:
        """How many are open, and what they were told."""
        labels = ('resource="configmaps"',)
        watching = self.watch(CONFIG_MAPS)
        self.config_map("a")
        watching.take()
        self.assertEqual(self.value("apiserver_longrunning_requests", *labels, 'scope="namespace"', 'verb="WATCH"'), 1)
        self.assertGreaterEqual(self.value("apiserver_watch_events_total", *labels), 1)
        watching.leave()
        self.assertEqual(self.value("apiserver_longrunning_requests", *labels), 0)

    def test_store(self) -> None:
        """How often the store was asked to do what."""
        before = self.value("etcd_request_duration_seconds_count")
        self.config_map("a")
        self.assertGreater(self.value("etcd_request_duration_seconds_count"), before)

    def test_admission(self) -> None:
        """How long each plugin and each step took, writes that were rejected apart."""
        plugin, step = (f"apiserver_admission_{one}_admission_duration_seconds_count" for one in (
            "controller", "step"))
        labels = 'type="admit"', 'operation="CREATE"'
        name = 'name="NamespaceLifecycle"'
        before = [self.value(one, *labels, 'rejected="false"') for one in (plugin, step)]
        self.config_map("a")
        after = [self.value(one, *labels, 'rejected="false"') for one in (plugin, step)]
        self.assertTrue(after[0] > before[0] and after[1] == before[1] + 1, (before, after))
        self.assertEqual(self.value(plugin, *labels, name, 'rejected="true"'), 0)
        self.refused("POST", f"{NAMESPACE.replace('default', 'gone')}/configmaps", {
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}})
        self.assertEqual(self.value(plugin, *labels, name, 'rejected="true"'), 1)
        self.assertEqual(self.value(step, *labels, 'rejected="true"'), 1)
