"""Headers that every answer carries."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.request import Request, Response
from kube_twisted.server.filters.headers import answer_headers, warning_headers
from tests.endpoints.discovery.fakes import FakeTransport


class CacheControlTests(SynchronousTestCase):
    """Whether answers may be kept."""

    def setUp(self) -> None:
        self.request = Request("GET", "/", "", FakeTransport())

    def values(self, response: Response) -> list[bytes]:
        return [value for name, value in answer_headers(self.request, response) if name == b"Cache-Control"]

    def test_default(self) -> None:
        """Nobody keeps an answer that says nothing about it."""
        self.assertEqual(self.values(Response(200, b"")), [b"no-cache, private"])

    def test_own(self) -> None:
        """An answer that says it itself says it alone."""
        response = Response(200, b"", headers=[("Cache-Control", "public")])
        self.assertEqual(self.values(response), [b"public"])


class WarningTests(SynchronousTestCase):
    """Warning headers (RFC 7234)."""

    def lengths(self, *texts: str) -> list[int]:
        return [len(value) - len('299 - ""') for _, value in warning_headers(list(texts))]

    def test_quoted(self) -> None:
        """The text is a quoted string; other alphabets stay, control characters can't be sent."""
        self.assertEqual(warning_headers(['a "b" \\c', "é\u200b", "x\ny"]), [
            ("Warning", '299 - "a \\"b\\" \\\\c"'), ("Warning", '299 - "é\u200b"')])

    def test_as_long_as_may_be(self) -> None:
        """4096 characters of text are sent as they are."""
        self.assertEqual(self.lengths("x" * 4000, "y" * 96), [4000, 96])

    def test_cut(self) -> None:
        """Beyond that, each is cut to 256, also those that came before."""
        self.assertEqual(self.lengths("x" * 4000, "y" * 97, "z" * 300), [256, 97, 256])

    def test_left_out(self) -> None:
        """What comes when the cut ones have filled the space is left out."""
        self.assertEqual(self.lengths(*["x" * 300] * 40), [256] * 16)
        self.assertEqual(self.lengths(*["x" * 10] * 500), [10] * 410)
