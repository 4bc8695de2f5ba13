"""The object of all node ports, in bytes."""

from __future__ import annotations

import orjson
from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.services.node_port_range import NodePortRange

RANGE = NodePortRange(30000, 32767)


class NodePortRangeTests(SynchronousTestCase):
    @given(st.sets(st.integers(30000, 32767)))
    def test_round_trip(self, ports: set[int]) -> None:
        """What is written is read back."""
        bits = sum(RANGE.bit(port) for port in ports)
        self.assertEqual(set(RANGE.ports(RANGE.decode(RANGE.encode(bits)))), ports)

    def test_layout(self) -> None:
        """As the original lays it out: the first port is the lowest bit of a big-endian number."""
        self.assertEqual(orjson.loads(RANGE.encode(RANGE.bit(30000) | RANGE.bit(30009))), {
            "kind": "RangeAllocation", "apiVersion": "v1", "metadata": {}, "range": "30000-32767", "data": "AgE="})

    def test_bad(self) -> None:
        """Anything else is refused, another range as well."""
        other = NodePortRange(30000, 30010).encode(1)
        beyond = RANGE.encode(1 << 3000)
        for value in (b"", b"x", b"[]", b"{}", b'{"range":"30000-32767","data":"!"}', other, beyond):
            self.assertRaises(ValueError, RANGE.decode, value)
