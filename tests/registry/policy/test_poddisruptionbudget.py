"""Disruption budgets."""

from __future__ import annotations

from kube_twisted.registry.policy import poddisruptionbudget
from tests.registry.resources import StrategyTestCase


class PodDisruptionBudgetTests(StrategyTestCase):
    api = "policy/v1/PodDisruptionBudget"
    strategy = poddisruptionbudget.STRATEGY

    def test_names(self) -> None:
        """Any name will do that can stand in a path."""
        self.assertEqual([self.name_errors(name, spec={}) for name in ("Any_Name", "a/b", ".")],
                         [[], ["may not contain '/'"], ["may not be '.'"]])

    def test_either(self) -> None:
        """Either so many stay or so many go, as a count or a part of a hundred."""
        self.assertEqual(self.errors(spec={"minAvailable": "50%"}), [])
        self.assertEqual(self.errors(spec={"minAvailable": 1, "maxUnavailable": 1}), [
            "spec: Invalid value: {\"MinAvailable\":1,\"Selector\":null,\"MaxUnavailable\":1,"
            "\"UnhealthyPodEvictionPolicy\":null}: minAvailable and maxUnavailable cannot be both set"])
        self.assertEqual(self.errors(spec={"minAvailable": -1}),
                         ["spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"])

    def test_unhealthy_pods(self) -> None:
        """What becomes of unhealthy pods is an enumeration."""
        self.assertEqual(self.errors(spec={"unhealthyPodEvictionPolicy": "Odd"}), [
            'spec.unhealthyPodEvictionPolicy: Unsupported value: "Odd": supported values: "AlwaysAllow", '
            '"IfHealthyBudget"'])

    def test_status(self) -> None:
        """Counts are not negative; generations only rise with the spec."""
        old = self.created(spec={"minAvailable": 1})
        errors = self.update_errors(old, poddisruptionbudget.STATUS, spec={"minAvailable": 1},
                                    status={"disruptionsAllowed": -1})
        self.assertEqual(errors, ["status.disruptionsAllowed: Invalid value: -1: must be greater than or equal "
                                  "to 0"])
        self.assertTrue(self.strategy.has_generation)
        self.assertFalse(self.strategy.allow_unconditional_update)
