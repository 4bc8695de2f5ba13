"""Heads read in one piece mean what they mean to Twisted, which reads them line by line."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server import request_head
from kube_twisted.server.request_head import parse_head
from tests.server.http import SiteTestCase, request_bytes

_LINES = st.sampled_from((
    b"Host: h", b"host:h", b"HOST:  h \t", b"Accept: a", b"accept: b", b"X-A: 1", b"x-a:", b" folded", b"\tfolded",
    b"no colon", b": no name", b"bad name: x", b"X-Z\x00: x", b"X-N: a\x00b", b"X-C: a\rb", b"X-L: a\nb", b"X-B: \xff",
    b"Content-Length: 0", b"Content-Length: 2", b"content-length: 2", b"Content-Length: x", b"Content-Length: 2, 2",
    b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity", b"Connection: close", b"Expect: 100-continue", b""))
_FIRST = st.sampled_from((
    b"GET / HTTP/1.1", b"POST /x?a=b HTTP/1.1", b"get /\x7f\xb0 HTTP/1.1", b"GET /\xb1 HTTP/1.1", b"GET /a b HTTP/1.1",
    b"GET / HTTP/1.0", b"GET / HTTP/2", b"G(T / HTTP/1.1", b"GET  HTTP/1.1", b"GET /", b"", b"\r\nGET / HTTP/1.1"))
_REQUEST = st.builds(lambda first, lines, body: b"\r\n".join((first, *lines, b"", body)),
                     _FIRST, st.lists(_LINES, max_size=4), st.sampled_from((b"", b"ab", b"0\r\n\r\n")))


class SameAsLineByLineTests(SiteTestCase):
    """Whatever comes, it makes no difference whether it comes at once."""

    def outcome(self, pieces: list[bytes]) -> tuple[list[object], bytes, bool]:
        self.requests.clear()
        protocol, transport = self.connect()
        for piece in pieces:
            protocol.dataReceived(piece)
        asked: list[object] = [
            (one.method, one.path, one.query_text, one.transport.all_headers()) for one in self.requests]
        return asked, transport.value(), transport.disconnecting

    @settings(max_examples=400, deadline=None)
    @given(st.lists(_REQUEST, min_size=1, max_size=3))
    def test_any_bytes(self, requests: list[bytes]) -> None:
        sent = b"".join(requests)
        at_once, bit_by_bit = self.outcome([sent]), self.outcome([bytes([one]) for one in sent])
        self.assertEqual([one for one in at_once[1].split(b"\r\n") if not one.startswith(b"Audit-Id")],
                         [one for one in bit_by_bit[1].split(b"\r\n") if not one.startswith(b"Audit-Id")])
        self.assertEqual((at_once[0], at_once[2]), (bit_by_bit[0], bit_by_bit[2]))

    def test_many_at_once(self) -> None:
        """However many requests come in one piece, each is answered."""
        count = 3000
        asked, answers, _ = self.outcome([request_bytes("POST", "/x", b"ab") * 2 + request_bytes() * count])
        self.assertEqual((len(asked), answers.count(b"HTTP/1.1 200")), (count + 2, count + 2))

    def test_in_pieces(self) -> None:
        """A head that goes on in a second piece is one head."""
        sent = request_bytes("GET", "/y", X_One="1", X_Two="2")
        whole = self.outcome([sent])[0]
        for cut in range(1, len(sent)):
            self.assertEqual(self.outcome([sent[:cut], sent[cut:]])[0], whole, cut)


class ReadAtOnceTests(SynchronousTestCase):
    """Which heads are read at once."""

    def test_usual(self) -> None:
        """What clients send; names are spelled in one way, a name may have several values."""
        head = parse_head(b"PUT /a?b HTTP/1.1\r\nhost:h\r\nCONTENT-length: 12\r\nX-A: 1\r\nx-a: \t2 ")
        self.assertEqual(head, (b"PUT", b"/a?b", b"HTTP/1.1", {
            b"Host": [b"h"], b"Content-Length": [b"12"], b"X-A": [b"1", b"2"]}))

    def test_unusual(self) -> None:
        """Twisted has to look at what is wrong, and at what is rare."""
        for text in (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked", b"GET / HTTP/1.1\r\nA: b\r\n c",
                     b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1", b"GET / HTTP/3",
                     b"GET / HTTP/1.1" + b"\r\nA: b" * 101):
            self.assertIsNone(parse_head(text), text)

    def test_made_up_names(self) -> None:
        """Clients can't fill the memory with names."""
        for number in range(2000):
            parse_head(b"GET / HTTP/1.1\r\nX-%d: x" % number)
        self.assertLessEqual(len(request_head._names), 1000)
