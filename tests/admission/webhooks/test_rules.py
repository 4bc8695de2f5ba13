"""Which writes the rules of a webhook are about."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.admission.webhooks.rules import Rule
from kube_twisted.api.gvk import GroupVersionResource

PODS = GroupVersionResource("", "v1", "pods")
NODES = GroupVersionResource("", "v1", "nodes")
NAMESPACES = GroupVersionResource("", "v1", "namespaces")
DEPLOYMENTS = GroupVersionResource("apps", "v1", "deployments")


class RuleTests(SynchronousTestCase):
    def matches(self, resource: GroupVersionResource, subresource: str = "", operation: str = "CREATE", *,
                namespaced: bool = True, **rule: Any) -> bool:
        whole = {"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"], **rule}
        return Rule.of(whole).matches(operation, resource, subresource, namespaced)

    def test_names(self) -> None:
        """Groups, versions and operations are named, or are all."""
        for expected, rule in (
            (True, {}), (True, {"apiGroups": ["", "apps"]}), (False, {"apiGroups": [""]}),
            (True, {"apiVersions": ["v1beta1", "v1"]}), (False, {"apiVersions": ["v1beta1"]}),
            (True, {"operations": ["DELETE", "CREATE"]}), (False, {"operations": ["DELETE"]}),
            (False, {"operations": []}), (False, {"resources": []}),
        ):
            self.assertIs(self.matches(DEPLOYMENTS, **rule), expected, rule)

    def test_resources(self) -> None:
        """A resource does not stand for its subresources, nor they for it."""
        for resources, subresource, expected in (
            (["pods"], "", True), (["pods"], "status", False), (["pods/status"], "status", True),
            (["pods/status"], "", False), (["pods/*"], "status", True), (["pods/*"], "", True),
            (["*"], "", True), (["*"], "status", False), (["*/*"], "", True), (["*/*"], "status", True),
            (["*/scale"], "scale", True), (["*/scale"], "", False), (["nodes"], "", False),
            (["nodes", "pods/log"], "log", True),
        ):
            self.assertIs(self.matches(PODS, subresource, resources=resources), expected, (resources, subresource))

    def test_scope(self) -> None:
        """Namespaces are no namespaced resources, though they are in themselves."""
        for scope, pods, nodes, namespaces in (
            ("*", True, True, True), ("Namespaced", True, False, False), ("Cluster", False, True, True),
        ):
            found = (self.matches(PODS, scope=scope), self.matches(NODES, namespaced=False, scope=scope),
                     self.matches(NAMESPACES, scope=scope))
            self.assertEqual(found, (pods, nodes, namespaces), scope)
