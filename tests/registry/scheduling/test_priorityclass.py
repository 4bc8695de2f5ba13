"""Priority classes."""

from __future__ import annotations

from kube_twisted.registry.scheduling import priorityclass
from tests.registry.resources import StrategyTestCase


class PriorityClassTests(StrategyTestCase):
    api = "scheduling.k8s.io/v1/PriorityClass"
    strategy = priorityclass.STRATEGY

    def test_preemption(self) -> None:
        """Pods of a class take the place of others when nothing else is said."""
        self.assertEqual(self.defaulted(value=1)["preemptionPolicy"], "PreemptLowerPriority")

        self.assertEqual(self.errors(value=1, preemptionPolicy="Odd"), [
            'preemptionPolicy: Unsupported value: "Odd": supported values: "PreemptLowerPriority", "Never"'])

    def test_system_classes(self) -> None:
        """Values above a billion and names with the prefix are the system's."""
        self.assertEqual(self.errors(value=1_000_000_001), [
            "value: Forbidden: maximum allowed value of a user defined priority is 1000000000"])
        self.assertTrue(self.errors(metadata={"name": "system-x"}, value=1)[0].startswith(
            "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved"))

    def test_value_is_fixed(self) -> None:
        """The value does not change."""
        self.assertEqual(self.update_errors(self.created(value=1), value=2),
                         ["value: Forbidden: may not be changed in an update."])
