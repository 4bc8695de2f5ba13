"""Leases and those who would hold them."""

from __future__ import annotations

from kube_twisted.registry.coordination import lease
from tests.registry.resources import StrategyTestCase


class LeaseTests(StrategyTestCase):
    api = "coordination.k8s.io/v1/Lease"
    strategy = lease.STRATEGY

    def test_numbers(self) -> None:
        """A lease lasts; its changes of holder are counted from zero."""
        self.assertEqual(self.errors(spec={"leaseDurationSeconds": 0, "leaseTransitions": -1}), [
            "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
            "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0"])

    def test_coordination_is_off(self) -> None:
        """What only coordinated leader election reads is dropped."""
        made = self.created(spec={"holderIdentity": "a", "strategy": "OldestEmulationVersion",
                                  "preferredHolder": "b"})
        self.assertEqual(made["spec"], {"holderIdentity": "a"})

    def test_puts(self) -> None:
        """A PUT creates a lease, and has to say which version it changes."""
        self.assertTrue(self.strategy.allow_create_on_update)
        self.assertFalse(self.strategy.allow_unconditional_update)
