"""Writes go to the kernel at once; what does not fit waits."""

from __future__ import annotations

import socket
from errno import EAGAIN, EPIPE
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server.transport import EagerServer


class FullSocket:
    """A socket that takes so many bytes and then no more.

    :ivar fails: raises instead.
    :ivar options: that were set.
    """

    def __init__(self, room: int) -> None:
        self.room = room
        self.taken = b""
        self.fails = False
        self.options: dict[tuple[int, int], int] = {}

    def setsockopt(self, level: int, option: int, value: int) -> None:
        self.options[level, option] = value

    def setblocking(self, _blocking: bool) -> None:
        """It never blocks."""

    def fileno(self) -> int:
        return -1

    def send(self, data: bytes) -> int:
        if self.fails:
            raise OSError(EPIPE, "gone")
        if not self.room:
            raise BlockingIOError(EAGAIN, "full")
        sent, self.room = data[:self.room], max(0, self.room - len(data))
        self.taken += sent
        return len(sent)


class Reactor:
    """Notes who wants to write."""

    def __init__(self) -> None:
        self.writers: list[Any] = []

    def addReader(self, _reader: Any) -> None:
        """Nobody reads here."""

    def addWriter(self, writer: Any) -> None:
        if writer not in self.writers:
            self.writers.append(writer)

    def removeWriter(self, writer: Any) -> None:
        if writer in self.writers:
            self.writers.remove(writer)


class Producer:
    """Notes when it is paused."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def pauseProducing(self) -> None:
        self.log.append("pause")

    def resumeProducing(self) -> None:
        self.log.append("resume")

    def stopProducing(self) -> None:
        self.log.append("stop")


class EagerServerTests(SynchronousTestCase):
    def connect(self, room: int) -> EagerServer:
        self.socket, self.reactor = FullSocket(room), Reactor()
        return EagerServer(self.socket, object(), ("192.0.2.1", 1), None, 1, self.reactor)

    def test_vanished_clients(self) -> None:
        """The system asks a silent client whether it is still there, beginning after seconds and not hours."""
        self.connect(room=100)
        self.assertEqual(self.socket.options[socket.SOL_SOCKET, socket.SO_KEEPALIVE], 1)
        self.assertEqual(self.socket.options[socket.IPPROTO_TCP, socket.TCP_KEEPIDLE], 15)

    def test_at_once(self) -> None:
        """What fits is written before the call returns, and the reactor has nothing to do."""
        server = self.connect(100)
        server.write(b"hello")
        self.assertEqual((self.socket.taken, self.reactor.writers), (b"hello", []))

    def test_the_rest_waits(self) -> None:
        """What does not fit waits for the reactor, and what is written then comes after it."""
        server = self.connect(3)
        server.write(b"hello")
        server.write(b" world")
        self.assertEqual((self.socket.taken, self.reactor.writers), (b"hel", [server]))
        self.socket.room = 100
        server.doWrite()
        self.assertEqual(self.socket.taken, b"hello world")
        server.write(b"!")
        self.assertEqual(self.socket.taken, b"hello world!")

    def test_pressure(self) -> None:
        """A producer is paused when much waits, and resumed when it is gone."""
        server, producer = self.connect(0), Producer()
        server.registerProducer(producer, True)
        server.write(b"x" * (server.bufferSize + 1))
        self.assertEqual(producer.log, ["pause"])
        self.socket.room = 10**6
        while server.doWrite() is None and self.reactor.writers:
            pass
        self.assertEqual(producer.log, ["pause", "resume"])

    def test_broken(self) -> None:
        """An error is left for the reactor to find: the write itself does not fail."""
        server = self.connect(100)
        self.socket.fails = True
        server.write(b"hello")
        self.assertEqual(self.reactor.writers, [server])

    def test_after_the_end(self) -> None:
        """What is written to a connection that is lost goes nowhere."""
        server = self.connect(100)
        server.connected = False
        server.write(b"hello")
        self.assertEqual(self.socket.taken, b"")
