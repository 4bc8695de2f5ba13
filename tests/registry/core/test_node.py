"""Nodes and component statuses."""

from __future__ import annotations

from kube_twisted.registry.core import node
from tests.registry.resources import CONTEXT, StrategyTestCase


class NodeTests(StrategyTestCase):
    api = "v1/Node"
    strategy = node.STRATEGY

    def test_allocatable(self) -> None:
        """All of the capacity can be used when nothing else is said."""
        self.assertEqual(self.defaulted(status={"capacity": {"cpu": "2"}})["status"]["allocatable"], {"cpu": "2"})

    def test_pod_cidrs(self) -> None:
        """Ranges are CIDRs, at most one of each family."""
        self.assertEqual(self.errors(spec={"podCIDRs": ["10.0.0.0/24", "fd00::/64"], "podCIDR": "10.0.0.0/24"}), [])
        self.assertEqual(self.errors(spec={"podCIDRs": ["10.0.0.0/24", "10.0.1.0/24"]}),
                         ['spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than '
                          "one CIDR for each IP family"])

    def test_taints(self) -> None:
        """A taint has a known effect, and stands once."""
        taint = {"key": "a", "effect": "NoSchedule"}
        self.assertEqual(self.errors(spec={"taints": [taint, taint]}),
                         ['metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule",'
                          '"TimeAdded":null}: taints must be unique by key and effect pair'])
        self.assertEqual(self.errors(spec={"taints": [{"key": "a", "effect": "Never"}]}),
                         ['metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", '
                          '"PreferNoSchedule", "NoExecute"'])

    def test_identity_is_fixed(self) -> None:
        """The provider's ID is set once; other parts of the spec but taints and schedulability stay."""
        old = self.created(spec={"providerID": "a://1"})
        self.assertEqual(self.update_errors(old, spec={"providerID": "a://1", "unschedulable": True}), [])
        self.assertEqual(self.update_errors(old, spec={"providerID": "a://2"}),
                         ["spec.providerID: Forbidden: node updates may not change providerID except from \"\" to "
                          "valid"])

    def test_selection(self) -> None:
        """Nodes are selected by being cordoned off."""
        self.assertEqual(self.strategy.selectable_fields(self.created()), {"spec.unschedulable": "false"})

    def test_status(self) -> None:
        """The status endpoint leaves the spec alone."""
        old = self.created(spec={"providerID": "a://1"})
        changed = self.updated(old, node.STATUS, spec={}, status={"nodeInfo": {"osImage": "o"}})
        self.assertEqual(changed["spec"], {"providerID": "a://1"})
        self.assertEqual(changed["status"]["nodeInfo"]["osImage"], "o")
        self.assertEqual([str(one) for one in node.STATUS.validate_update(CONTEXT, changed, old)], [])
