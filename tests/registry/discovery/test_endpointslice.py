"""Endpoint slices."""

from __future__ import annotations

from kube_twisted.registry.discovery import endpointslice
from tests.registry.resources import StrategyTestCase


class EndpointSliceTests(StrategyTestCase):
    api = "discovery.k8s.io/v1/EndpointSlice"
    strategy = endpointslice.STRATEGY

    def test_defaults(self) -> None:
        """Ports are TCP and without a name."""
        made = self.defaulted(addressType="IPv4", endpoints=[], ports=[{"port": 80}])
        self.assertEqual(made["ports"], [{"name": "", "protocol": "TCP", "port": 80}])

    def test_addresses(self) -> None:
        """Addresses are of the slice's type."""
        self.assertEqual(self.errors(addressType="IPv4", endpoints=[{"addresses": ["1.2.3.4"]}]), [])
        self.assertEqual(self.errors(addressType="IPv4", endpoints=[{"addresses": ["fd00::1"]}]),
                         ['endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address'])
        self.assertEqual(self.errors(addressType="IPv4", endpoints=[{"addresses": []}]),
                         ["endpoints[0].addresses: Required value: must contain at least 1 address"])

    def test_type_is_fixed(self) -> None:
        """The type of address does not change."""
        old = self.created(addressType="IPv4", endpoints=[])
        self.assertEqual(self.update_errors(old, addressType="IPv6", endpoints=[]),
                         ['addressType: Invalid value: "IPv6": field is immutable'])

    def test_generation(self) -> None:
        """The generation follows the content, there being no spec, and the labels."""
        old = self.created(addressType="IPv4", endpoints=[])
        labelled = self.created(addressType="IPv4", endpoints=[], metadata={"name": "x", "labels": {"a": "b"}})
        self.assertFalse(self.strategy.generation_changed(old, old))
        self.assertTrue(self.strategy.generation_changed(labelled, old))

    def test_old_topology(self) -> None:
        """Topology of the old form is not kept, but to send it is a change."""
        endpoint = {"addresses": ["1.2.3.4"]}
        old = self.created(addressType="IPv4", endpoints=[endpoint])
        sent = self.updated(old, addressType="IPv4", endpoints=[{**endpoint, "deprecatedTopology": {"a": "b"}}])
        self.assertTrue(self.strategy.generation_changed(sent, old))
        self.strategy.canonicalize(sent)
        self.assertEqual(sent["endpoints"], old["endpoints"])
