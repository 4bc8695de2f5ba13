"""Posting reviews."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase
from twisted.web.http_headers import Headers

from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.https import Answer, BodyError, HTTPSError, Server
from kube_twisted.util.tls import BadAuthorities
from kube_twisted.webhooks.client import CallFailed, WebhookClient
from tests.webhooks.test_service_resolver import Services

URL = "https://hook.example.com/convert"


class Answers:
    """An HTTPS client with prepared answers; it remembers what was sent."""

    def __init__(self, *answers: Answer | Exception) -> None:
        self.answers = list(answers)
        self.sent: list[tuple[Any, ...]] = []
        self.timeouts: list[float] = []

    async def request(self, server: Server, method: str, url: str, headers: Any, body: bytes, *,
                      timeout: float) -> Answer:
        self.sent.append((server, method, url, headers["Content-Type"], body))
        self.timeouts.append(timeout)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def answer(code: int = 200, body: bytes = b"{}", **headers: str) -> Answer:
    return Answer(code, Headers({name.replace("_", "-"): [value] for name, value in headers.items()}), body)


class PostTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()

    def post(self, https: Answers, timeout: int = 30) -> Deferred[bytes]:
        client = WebhookClient(https, Services(), Clock(self.time))  # type: ignore[arg-type]
        return to_deferred(client.post(client.target({"url": URL}), b"review", timeout))

    def failed(self, *answers: Answer | Exception) -> str:
        return str(self.failureResultOf(self.post(Answers(*answers)), CallFailed).value)

    def test_success(self) -> None:
        """A review is posted as JSON; the webhook is told how long one waits."""
        https = Answers(answer(body=b"answer"))
        self.assertEqual(self.successResultOf(self.post(https, 10)), b"answer")
        self.assertEqual(https.sent, [(Server("hook.example.com", 443), "POST", f"{URL}?timeout=10s",
                                       "application/json", b"review")])
        self.assertEqual(https.timeouts, [10])

    def test_failures(self) -> None:
        """Why there is no answer, or none that counts."""
        for given, said in (
            (HTTPSError("POST", URL, "EOF"), f'Post "{URL}": EOF'),
            (BodyError("unexpected EOF"), "unexpected error when reading response body. Please retry. "
                                          "Original error: unexpected EOF"),
            (BadAuthorities("unable to load"), "unable to load"),
            (answer(404), "the server could not find the requested resource"),
            (answer(200, b""), "0-length response with status code: 200 and content type: application/json"),
        ):
            self.assertEqual(self.failed(given), said)

    def test_status(self) -> None:
        """An error that the webhook answered with is at hand."""
        failed = self.failureResultOf(self.post(Answers(answer(403, b"no"))), CallFailed).value
        assert failed.status is not None
        self.assertEqual((failed.status.code, failed.status.message), (403, "no"))

    def test_busy(self) -> None:
        """A busy webhook is asked again when it says, within the same deadline."""
        https = Answers(answer(503, retry_after="7"), answer(429, retry_after="1"), answer(body=b"answer"))
        posted = self.post(https)
        self.time.advance(6)
        self.assertEqual(len(https.sent), 1)
        self.time.advance(1)
        self.time.advance(1)
        self.assertEqual(self.successResultOf(posted), b"answer")
        self.assertEqual(https.timeouts, [30, 23, 22])

    def test_busy_for_too_long(self) -> None:
        """There is no use in waiting beyond the deadline."""
        self.assertEqual(self.failed(answer(503, retry_after="30")), "context deadline exceeded")

    def test_busy_again_and_again(self) -> None:
        """At some time it is enough."""
        https = Answers(*(answer(503, retry_after="0") for _ in range(20)))
        posted = self.post(https)
        self.time.pump([0] * 20)
        failed = self.failureResultOf(posted, CallFailed).value
        self.assertEqual(str(failed), "the server is currently unable to handle the request")
        self.assertEqual(len(https.sent), 11)
