"""Reading a body up to a limit."""

from __future__ import annotations

from typing import Any

from twisted.internet.error import ConnectionDone
from twisted.python.failure import Failure
from twisted.trial.unittest import SynchronousTestCase
from twisted.web.client import ResponseDone
from twisted.web.http import PotentialDataLoss
from twisted.web.iweb import UNKNOWN_LENGTH

from kube_twisted.util.http_body import BodyTooLarge, read_body


class Response:
    """A response whose body comes when the test says so."""

    def __init__(self, length: Any = UNKNOWN_LENGTH) -> None:
        self.length = length
        self.stopped = False

    def deliverBody(self, protocol: Any) -> None:
        self.protocol = protocol
        protocol.makeConnection(self)

    def stopProducing(self) -> None:
        self.stopped = True

    def end(self, why: Exception) -> None:
        self.protocol.connectionLost(Failure(why))


class ReadBodyTests(SynchronousTestCase):
    def test_whole(self) -> None:
        """A body has ended when its length is reached, or, without one, the connection ends."""
        for end in (ResponseDone(), PotentialDataLoss()):
            response: Any = Response()
            body = read_body(response, 4)
            response.protocol.dataReceived(b"ab")
            response.protocol.dataReceived(b"cd")
            self.assertNoResult(body)
            response.end(end)
            self.assertEqual(self.successResultOf(body), b"abcd")

    def test_cut(self) -> None:
        """A body that ends too early is an error."""
        response: Any = Response(10)
        body = read_body(response, 10)
        response.protocol.dataReceived(b"ab")
        response.end(ConnectionDone())
        self.failureResultOf(body, ConnectionDone)

    def test_too_large(self) -> None:
        """A body above the limit is not waited for."""
        response: Any = Response()
        body = read_body(response, 3)
        response.protocol.dataReceived(b"abcd")
        self.failureResultOf(body, BodyTooLarge)
        self.assertTrue(response.stopped)
        response.protocol.dataReceived(b"e")
        response.end(ConnectionDone())

    def test_too_large_by_its_length(self) -> None:
        """A body that is said to be above the limit is not even begun."""
        response: Any = Response(4)
        self.failureResultOf(read_body(response, 3), BodyTooLarge)
        self.assertTrue(response.stopped)

    def test_cancelled(self) -> None:
        """Who does not want the body any more ends the connection."""
        response: Any = Response()
        body = read_body(response, 3)
        body.cancel()
        self.assertTrue(response.stopped)
        self.failureResultOf(body)
