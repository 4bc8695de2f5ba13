"""The messages of field errors."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.field import too_long, too_many


class LimitTests(SynchronousTestCase):
    """What is too long or too many."""

    def test_length(self) -> None:
        """One byte is one; a limit below zero is not told."""
        self.assertEqual([str(too_long("a", limit)) for limit in (-1, 1, 2)], [
            "a: Too long: value is too long", "a: Too long: may not be more than 1 byte",
            "a: Too long: may not be more than 2 bytes"])

    def test_number(self) -> None:
        """One item is one; a limit below zero is not told."""
        self.assertEqual([str(too_many("a", 3, limit)) for limit in (-1, 1, 2)], [
            "a: Too many: 3: has too many items", "a: Too many: 3: must have at most 1 item",
            "a: Too many: 3: must have at most 2 items"])
