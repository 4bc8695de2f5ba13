"""Tests for kube_twisted.controlplane.component_probes."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.error import ConnectionDone
from twisted.internet.error import ConnectionRefusedError as Refused
from twisted.internet.task import Clock as FakeReactor
from twisted.python.failure import Failure
from twisted.trial.unittest import SynchronousTestCase
from twisted.web.client import ResponseDone, ResponseNeverReceived
from twisted.web.iweb import IAgent
from zope.interface import implementer

from kube_twisted.controlplane.component_probes import TIMEOUT, component_probes
from kube_twisted.controlplane.special.component_health import Health


class Answer:
    """A response with a short body."""

    phrase = b""

    def __init__(self, code: int, body: bytes) -> None:
        self.code = code
        self._body = body

    def abortConnection(self) -> None:
        """Nobody does."""

    def deliverBody(self, protocol: Any) -> None:
        protocol.dataReceived(self._body)
        protocol.connectionLost(Failure(ResponseDone()))


@implementer(IAgent)
class Asked:
    """Gives one answer, and remembers where it was asked for it."""

    def __init__(self, answer: Deferred[Any]) -> None:
        self._answer = answer
        self.urls: list[bytes] = []

    def request(self, method: bytes, uri: bytes, headers: Any = None, bodyProducer: Any = None) -> Deferred[Any]:
        self.urls.append(uri)
        return self._answer


class ProbeTests(SynchronousTestCase):
    """What components say."""

    def setUp(self) -> None:
        self.reactor = FakeReactor()

    def probe(self, name: str, agent: Asked, problem: str | None = None) -> Deferred[Health]:
        probes = component_probes(self.reactor, lambda: problem, agent)
        return Deferred.fromCoroutine(probes[name]())  # type: ignore[arg-type]

    def health(self, name: str, answer: Deferred[Any], problem: str | None = None) -> Health:
        return self.successResultOf(self.probe(name, Asked(answer), problem))

    def test_healthy(self) -> None:
        """A 200 is health; each component has its port."""
        agent = Asked(succeed(Answer(200, b"ok")))
        self.assertEqual(self.successResultOf(self.probe("scheduler", agent)), Health(True, "ok"))
        self.assertEqual(agent.urls, [b"https://127.0.0.1:10259/healthz"])

    def test_unhealthy(self) -> None:
        """Another code is none; the message has no more of the answer than that."""
        self.assertEqual(self.health("controller-manager", succeed(Answer(500, b"no leader"))),
                         Health(False, "HTTP probe failed with statuscode: 500"))

    def test_unreachable(self) -> None:
        """A component that can't be reached is unhealthy, in the words of the original."""
        get = 'Get "https://127.0.0.1:10259/healthz": '
        for error, words in ((Refused(), "dial tcp 127.0.0.1:10259: connect: connection refused"),
                             (ResponseNeverReceived([Failure(ConnectionDone())]), "EOF"),
                             (ValueError("other"), "other")):
            self.assertEqual(self.health("scheduler", fail(error)), Health(False, get + words))

    def test_silent(self) -> None:
        """A component that does not answer in time is unhealthy."""
        asked = self.probe("scheduler", Asked(Deferred()))
        self.assertNoResult(asked)
        self.reactor.advance(TIMEOUT)
        self.assertEqual(self.successResultOf(asked), Health(False, (
            'Get "https://127.0.0.1:10259/healthz": '
            "context deadline exceeded (Client.Timeout exceeded while awaiting headers)")))

    def test_store(self) -> None:
        """The store is asked directly."""
        self.assertEqual(self.health("etcd-0", succeed(None)), Health(True, "ok"))
        self.assertEqual(self.health("etcd-0", succeed(None), "closed"), Health(False, "closed"))
