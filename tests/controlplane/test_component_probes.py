"""Tests for kube_twisted.controlplane.component_probes."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase
from twisted.web.http_headers import Headers

from kube_twisted.controlplane.component_probes import TIMEOUT, component_probes
from kube_twisted.controlplane.special.component_health import Health
from kube_twisted.util.https import DEADLINE, Answer, BodyError, HTTPSError, Server

_URL = "https://127.0.0.1:10259/healthz"


class Asked:
    """A client that gives one answer, and remembers what it was asked."""

    def __init__(self, answer: Answer | Exception) -> None:
        self._answer = answer
        self.asked: list[tuple[Server, str, str, float]] = []

    async def request(self, server: Server, method: str, url: str, _headers: Any, *, timeout: float) -> Answer:
        self.asked.append((server, method, url, timeout))
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def answer(code: int, body: bytes) -> Answer:
    return Answer(code, Headers(), body)


class ProbeTests(SynchronousTestCase):
    """What components say."""

    def health(self, name: str, asked: Asked, problem: str | None = None) -> Health:
        probes = component_probes(asked, lambda: problem)  # type: ignore[arg-type]
        return self.successResultOf(Deferred.fromCoroutine(probes[name]()))  # type: ignore[arg-type]

    def test_healthy(self) -> None:
        """A 200 is health; each component has its port, and its certificate is not looked at."""
        asked = Asked(answer(200, b"ok"))
        self.assertEqual(self.health("scheduler", asked), Health(True, "ok"))
        self.assertEqual(asked.asked, [(Server("127.0.0.1", 10259, verified=False), "GET", _URL, TIMEOUT)])

    def test_unhealthy(self) -> None:
        """Another code is none; the message has no more of the answer than that."""
        self.assertEqual(self.health("controller-manager", Asked(answer(500, b"no leader"))),
                         Health(False, "HTTP probe failed with statuscode: 500"))

    def test_unreachable(self) -> None:
        """A component that can't be reached is unhealthy, in the words of the original."""
        refused = "dial tcp 127.0.0.1:10259: connect: connection refused"
        late = f"{DEADLINE} (Client.Timeout exceeded while awaiting headers)"
        for reason, words in ((refused, refused), ("EOF", "EOF"), (DEADLINE, late)):
            self.assertEqual(self.health("scheduler", Asked(HTTPSError("GET", _URL, reason))),
                             Health(False, f'Get "{_URL}": {words}'))

    def test_broken_off(self) -> None:
        """So is one that does not finish its answer."""
        self.assertEqual(self.health("scheduler", Asked(BodyError("unexpected EOF"))),
                         Health(False, f'Get "{_URL}": unexpected EOF'))

    def test_store(self) -> None:
        """The store is asked directly."""
        asked = Asked(answer(200, b"ok"))
        self.assertEqual(self.health("etcd-0", asked), Health(True, "ok"))
        self.assertEqual(self.health("etcd-0", asked, "closed"), Health(False, "closed"))
        self.assertEqual(asked.asked, [])
