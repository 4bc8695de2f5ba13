"""The memory of sets of keys."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.shapes import Keys, Shapes


class ShapesTests(SynchronousTestCase):
    """What is remembered, and for how long."""

    def setUp(self) -> None:
        self.made: list[Keys] = []

    def make(self, keys: Keys) -> int:
        self.made.append(keys)
        return len(keys)

    def test_known_keys(self) -> None:
        """The same keys are looked at once, whatever the values; another order is another shape."""
        shapes = Shapes(self.make)
        for obj in ({"a": 1, "b": 2}, {"a": 3, "b": 4}, {"b": 1, "a": 2}):
            self.assertEqual(shapes[tuple(obj)], 2)
        self.assertEqual(self.made, [("a", "b"), ("b", "a")])

    def test_long_keys(self) -> None:
        """Long keys are answered, but not remembered."""
        shapes = Shapes(self.make)
        for _ in range(2):
            self.assertEqual(shapes["x" * 3000,], 1)
        self.assertEqual(len(self.made), 2)
        self.assertEqual(len(shapes), 0)

    def test_many_keys(self) -> None:
        """However many sets of keys come, few are remembered."""
        shapes = Shapes(self.make)
        for number in range(1000):
            shapes[str(number),]
        self.assertEqual(len(self.made), 1000)
        self.assertLessEqual(len(shapes), 256)
