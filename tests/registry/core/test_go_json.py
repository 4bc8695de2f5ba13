"""Why a text is no JSON object."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.core.go_json import go_json_error


class ErrorTests(SynchronousTestCase):
    """The words of Go's decoder."""

    def test_objects(self) -> None:
        """An object will do, and so will null."""
        for content in (b"{}", b'{"a": [1, "b"]}', b"null"):
            self.assertEqual(go_json_error(content), "")

    def test_other_values(self) -> None:
        """What else it is, is named."""
        for content, kind in ((b"[]", "array"), (b"5", "number"), (b"true", "bool"), (b'"a"', "string")):
            self.assertEqual(go_json_error(content), f"json: cannot unmarshal {kind} into Go value of type "
                                                     "map[string]interface {}")

    def test_bad_bytes(self) -> None:
        """The first byte that can't be there is shown as the character of its number."""
        for content, shown in ((b"\xfd", "\u00fd"), (b"\x81", "\\u0081"), (b"\x01", "\\x01"), (b"'", "\\'")):
            self.assertEqual(go_json_error(content), f"invalid character '{shown}' looking for beginning of value")
        self.assertEqual(go_json_error(b'"'), "unexpected end of JSON input")
