"""Plain JSON values."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.field import go_quote, go_value
from kube_twisted.api.jsonvalue import deep_copy, go_print, identity, same


class JsonValueTests(SynchronousTestCase):
    """Copying and comparing."""

    def test_copy(self) -> None:
        """A copy shares nothing that can change."""
        original = {"a": [{"b": 1}], "c": "d"}
        copied = deep_copy(original)
        copied["a"][0]["b"] = 2
        self.assertEqual(original, {"a": [{"b": 1}], "c": "d"})

    def test_same(self) -> None:
        """Equality knows types: 1, 1.0 and true differ, at any depth."""
        self.assertTrue(same({"a": [1, None]}, {"a": [1, None]}))
        for one, other in ((1, 1.0), (1, True), ([1], [1.0]), ({"a": 0}, {"a": False}), ({"a": 1}, {}),
                           ([1], [1, 2])):
            self.assertFalse(same(one, other))
            self.assertNotEqual(identity(one), identity(other))

    def test_print(self) -> None:
        """Values are printed as Go's %v."""
        self.assertEqual(go_print({"b": [1, "x y", None], "a": {"c": True}}),
                         "map[a:map[c:true] b:[1 x y <nil>]]")
        self.assertEqual([go_print(one) for one in (1.5, 1e20, 1e21, 1e-5, 3.0)],
                         ["1.5", "100000000000000000000", "1e+21", "1e-05", "3"])


class GoQuoteTests(SynchronousTestCase):
    """Quoting in field errors."""

    def test_quote(self) -> None:
        """Characters that cannot be printed are escaped as Go's %q escapes them."""
        self.assertEqual(go_quote('é "x" \\'), '"é \\"x\\" \\\\"')
        self.assertEqual(go_quote("\a\b\n\t\x00\x7f"), '"\\a\\b\\n\\t\\x00\\x7f"')
        self.assertEqual(go_quote("\u200b\U000e0001"), '"\\u200b\\U000e0001"')

    def test_value(self) -> None:
        """Objects are shown as JSON, with what HTML could misread escaped."""
        self.assertEqual(go_value({"a": ["<b>", True, None]}), '{"a":["\\u003cb\\u003e",true,null]}')
        self.assertEqual(go_value(None), "null")
