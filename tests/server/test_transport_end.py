"""The end of a TLS connection, when the client never says that it has ended at its side as well."""

from __future__ import annotations

from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from tests.server.memory_tls import TLSPair


class EndTests(SynchronousTestCase):
    """The client's side is pumped only when a test says so; until then it is silent."""

    def setUp(self) -> None:
        self.time = FakeTime()
        pair = TLSPair.connected(self.time)
        self.server, self.client, self.pump = pair.server, pair.client, pair.pump
        self.served, self.asking = self.server.wrappedProtocol, self.client.wrappedProtocol
        self.asking.transport.write(b"hello")
        self.time.advance(0)
        self.pump.flush()
        self.assertEqual(self.served.data, b"hello")

    def test_silent_client(self) -> None:
        """The connection is closed a second later, and the client can read the whole answer before and after."""
        self.server.write(b"x" * 100_000)
        self.server.loseConnection()
        self.time.advance(0.9)
        self.assertFalse(self.server.transport.disconnecting)
        self.time.advance(0.2)
        self.assertTrue(self.server.transport.disconnecting)
        self.pump.flush()
        self.assertEqual((self.asking.data, self.served.ended), (b"x" * 100_000, True))

    def test_client_closes(self) -> None:
        """With a client that closes its side the connection ends at once, and no timer is left."""
        self.server.write(b"bye")
        self.server.loseConnection()
        self.pump.flush()
        self.assertEqual((self.asking.data, self.served.ended), (b"bye", True))
        self.assertEqual(self.time.getDelayedCalls(), [])

    def test_aborted(self) -> None:
        """Nothing is waited for when a connection is given up."""
        self.server.abortConnection()
        self.assertEqual(self.time.getDelayedCalls(), [])

    def test_producer(self) -> None:
        """The second begins when the last producer is done."""
        self.server.registerProducer(FakeProducer(), True)
        self.server.loseConnection()
        self.time.advance(5)
        self.server.write(b"more")
        self.server.unregisterProducer()
        self.time.advance(0.9)
        self.assertFalse(self.server.transport.disconnecting)
        self.time.advance(0.2)
        self.assertTrue(self.server.transport.disconnecting)
        self.pump.flush()
        self.assertEqual(self.asking.data, b"more")


class FakeProducer:
    """Has nothing to say."""

    def pauseProducing(self) -> None:
        """It is not producing."""

    def resumeProducing(self) -> None:
        """It has nothing to produce."""

    def stopProducing(self) -> None:
        """It has stopped."""
