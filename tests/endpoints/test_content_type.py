"""Tests of reading content types."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.content_type import parse_media_type


class ParseMediaTypeTests(SynchronousTestCase):
    def test_types(self) -> None:
        """The type counts in any case, without its parameters."""
        for header in ("application/json", "APPLICATION/Json", " application/json ", "application/json;charset=x",
                       'application/json; a="b;c" ; d=e', "application/json;", "application/json; "):
            self.assertEqual(parse_media_type(header), "application/json", header)

    def test_malformed(self) -> None:
        """A parameter that is none, or is there twice, leaves no type."""
        for header in ("application/json;;", "application/json;a", "application/json;a=", "application/json;a=b;A=c",
                       'application/json;a="b', "application/json;a=b c"):
            self.assertEqual(parse_media_type(header), "", header)
