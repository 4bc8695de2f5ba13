"""Runtime classes."""

from __future__ import annotations

from kube_twisted.registry.node import runtimeclass
from tests.registry.resources import StrategyTestCase


class RuntimeClassTests(StrategyTestCase):
    api = "node.k8s.io/v1/RuntimeClass"
    strategy = runtimeclass.STRATEGY

    def test_handler(self) -> None:
        """The handler is a DNS label, and stays."""
        self.assertEqual(self.errors(handler="runc"), [])
        self.assertEqual(len(self.errors(handler="a.b")), 1)
        self.assertEqual(self.update_errors(self.created(handler="runc"), handler="other"),
                         ['handler: Invalid value: "other": field is immutable'])

    def test_tolerations(self) -> None:
        """A toleration stands once."""
        scheduling = {"tolerations": [{"key": "a", "operator": "Exists"}] * 2}
        self.assertEqual(len(self.errors(handler="runc", scheduling=scheduling)), 1)

    def test_overhead(self) -> None:
        """What pods need besides is kept to the billionth."""
        overhead = {"podFixed": {"cpu": "1.0000000000001"}}
        fixed = self.defaulted(handler="runc", overhead=overhead)["overhead"]["podFixed"]
        self.assertEqual(fixed["cpu"], "1000000001n")
