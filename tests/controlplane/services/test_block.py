"""Numbers in rotation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.services.block import Block


class BlockTests(SynchronousTestCase):
    def test_all_in_turn(self) -> None:
        """Each number has its turn before one comes again, whether it is taken or not."""
        block = Block(10, 14)
        turns = [block.pick() for _ in range(5)]
        self.assertEqual(sorted(turns), [10, 11, 12, 13, 14])
        self.assertEqual(block.pick(), turns[0])

    @given(st.sets(st.integers(0, 30)), st.sets(st.integers(0, 40)))
    def test_picks_what_is_free(self, taken: set[int], besides: set[int]) -> None:
        """A number that is neither taken nor ruled out, as long as there is one."""
        block = Block(0, 30)
        block.taken |= taken
        left = set(range(31)) - taken - besides
        picked = block.pick(besides)
        if left:
            self.assertIn(picked, left)
        else:
            self.assertIsNone(picked)

    def test_full(self) -> None:
        """Nothing is picked from a full block; a released number is."""
        block = Block(1, 3)
        block.taken |= {1, 2, 3}
        self.assertIsNone(block.pick())
        block.taken.remove(2)
        self.assertEqual(block.pick(), 2)

    def test_empty(self) -> None:
        """A block without numbers has none to give."""
        self.assertIsNone(Block(5, 4).pick())
        self.assertNotIn(5, Block(5, 4))
