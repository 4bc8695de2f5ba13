"""The words for requests that came to nothing."""

from __future__ import annotations

from OpenSSL import SSL
from twisted.internet.defer import CancelledError
from twisted.internet.error import ConnectionDone, ConnectionLost
from twisted.python.failure import Failure
from twisted.trial.unittest import SynchronousTestCase
from twisted.web._newclient import ParseError
from twisted.web.client import RequestTransmissionFailed, ResponseNeverReceived

from kube_twisted.util.dial import DialError
from kube_twisted.util.http_words import is_cancelled, words
from kube_twisted.util.tls import CertificateRefused


def never(*errors: Exception) -> ResponseNeverReceived:
    return ResponseNeverReceived([Failure(one) for one in errors])


class WordsTests(SynchronousTestCase):
    def test_words(self) -> None:
        """What Twisted and OpenSSL report is said as Go says it."""
        for error, said in (
            (DialError("dial tcp 192.0.2.1:443: i/o timeout"), "dial tcp 192.0.2.1:443: i/o timeout"),
            (never(ConnectionDone()), "EOF"),
            (never(ConnectionLost("over")), "EOF"),
            (never(ConnectionLost("[Errno 104] Connection reset by peer")), "read: connection reset by peer"),
            (RequestTransmissionFailed([Failure(CertificateRefused("no good"))]), "no good"),
            (never(ConnectionDone(), ParseError("wrong number of parts", b'gar"bage')),
             'net/http: HTTP/1.x transport connection broken: malformed HTTP response "gar\\"bage"'),
            (never(SSL.Error([("SSL routines", "", "wrong version number")])),
             "http: server gave HTTP response to HTTPS client"),
            (never(SSL.Error([("SSL routines", "", "tlsv1 alert unknown ca")])),
             "remote error: tls: unknown certificate authority"),
            (never(SSL.Error([("SSL routines", "", "ssl/tls alert handshake failure")])),
             "remote error: tls: handshake failure"),
            (never(SSL.Error([("SSL routines", "", "unsupported protocol")])), "tls: unsupported protocol"),
            (never(SSL.Error([])), "EOF"),
            (ValueError("other"), "other"),
            (KeyError(), "KeyError"),
        ):
            self.assertEqual(words(error), said)

    def test_cancelled(self) -> None:
        """A cancelled request is known behind what its end caused."""
        self.assertTrue(is_cancelled(CancelledError()))
        self.assertTrue(is_cancelled(never(ConnectionLost(), CancelledError())))
        self.assertFalse(is_cancelled(never(ConnectionLost())))
