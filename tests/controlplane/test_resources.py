"""The table of all built-in resources."""

from __future__ import annotations

from pathlib import Path

import orjson
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.controlplane import resources
from kube_twisted.controlplane.resources import ResourceFacts, Resources


class TableTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.resources = Resources.load()

    def facts(self, group: str, version: str, name: str) -> ResourceFacts:
        found, = (one for one in self.resources.groups[group] if one.group_version.version == version)
        return found.resources[name]

    def test_pods(self) -> None:
        """A resource with all that discovery says about it."""
        pods = self.facts("", "v1", "pods")
        self.assertEqual((pods.kind, pods.singular, pods.namespaced, pods.short_names, pods.categories),
                         ("Pod", "pod", True, ("po",), ("all",)))
        self.assertEqual(pods.verbs, (
            "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"))

    def test_subresources(self) -> None:
        """A subresource has verbs of its own, the scope of its resource, and no short names."""
        status, scale = (self.facts("apps", "v1", f"deployments/{one}") for one in ("status", "scale"))
        self.assertEqual((status.kind, status.verbs), ("Deployment", ("get", "patch", "update")))
        self.assertTrue(status.namespaced)
        self.assertEqual((status.short_names, status.singular), ((), ""))
        self.assertEqual((scale.kind, scale.response), ("Scale", GroupVersion("autoscaling", "v1")))

    def test_preferred_first(self) -> None:
        """The preferred version of a group comes first; alpha and beta versions are off by default."""
        autoscaling = self.resources.groups["autoscaling"]
        self.assertEqual(autoscaling[0].group_version.version, "v2")
        for versions in self.resources.groups.values():
            for one in versions:
                name = one.group_version.version
                self.assertFalse(one.default and "alpha" in name, one.group_version)

    def test_versions_of_kubernetes(self) -> None:
        """What a version of Kubernetes does not have yet, or no longer, is left out; 1.9 is older than 1.10."""
        row = {"kind": "X", "singular": "x", "namespaced": True, "verbs": "few"}
        path = Path(self.mktemp())
        path.write_bytes(orjson.dumps({"verbSets": {"few": ["get"]}, "groups": {
            "g": [{"version": "v1", "default": True, "resources": {
                "old": {**row, "until": "1.9"}, "new": {**row, "since": "1.10"},
                "xs": {**row, "subresources": {"status": {"verbs": ["update"], "since": "1.11"}}}}}],
            "later": [{"version": "v1", "default": True, "since": "1.11", "resources": {"y": row}}]}}))
        self.patch(resources, "_FILE", path)
        for version, expected in (("1.9", ["old", "xs"]), ("1.10", ["new", "xs"]),
                                  ("1.11", ["new", "xs", "xs/status"])):
            table = Resources.load(version)
            self.assertEqual(sorted(table.groups["g"][0].resources), expected, version)
            self.assertEqual("later" in table.groups, version == "1.11")
