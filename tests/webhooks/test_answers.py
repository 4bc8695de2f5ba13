"""What answers that are no success mean."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase
from twisted.web.http_headers import Headers

from kube_twisted.util.https import Answer
from kube_twisted.webhooks.answers import failure, retry_after


def answer(code: int, body: bytes = b"", **headers: str) -> Answer:
    return Answer(code, Headers({name.replace("_", "-"): [value] for name, value in headers.items()}), body)


class FailureTests(SynchronousTestCase):
    def test_success(self) -> None:
        """Codes from 200 to 206 are a success, whatever the body says."""
        for code in (200, 201, 206):
            self.assertIsNone(failure(answer(code, b'{"kind":"Status","status":"Failure"}')))

    def test_status(self) -> None:
        """A webhook may say what is wrong with a Status."""
        said = failure(answer(500, b'{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","code":409,'
                                   b'"reason":"Conflict","details":{"name":"x"}}'))
        assert said is not None
        self.assertEqual((said.code, said.reason, said.message, said.details),
                         (409, "Conflict", "no", {"name": "x"}))

    def test_no_status(self) -> None:
        """Other JSON says nothing."""
        for body in (b'{"kind":"Status","status":"Success"}', b'{"kind":"Odd"}', b"[]", b"{"):
            said = failure(answer(500, body, content_type="application/json"))
            assert said is not None
            self.assertEqual(said.message, 'an error on the server ("unknown") has prevented the request from '
                             "succeeding")

    def test_codes(self) -> None:
        """What the code means; the text of the body is part of some messages."""
        for code, reason, message in (
            (500, "InternalError", 'an error on the server ("oops") has prevented the request from succeeding'),
            (404, "NotFound", "the server could not find the requested resource"),
            (403, "Forbidden", "oops"),
            (307, "", "the server responded with the status code 307 but did not return more information"),
            (406, "NotAcceptable", "oops"),
        ):
            said = failure(answer(code, b"oops\n", content_type="text/plain"))
            assert said is not None
            self.assertEqual((said.code, said.reason, said.message), (code, reason, message))
            self.assertEqual(said.details, {"causes": [{"reason": "UnexpectedServerResponse", "message": "oops"}]})

    def test_silent_refusal(self) -> None:
        """A media type that is refused without a word is explained."""
        said = failure(answer(406))
        assert said is not None
        self.assertEqual(said.message,
                         "the server was unable to respond with a content type that the client supports")

    def test_retry_after(self) -> None:
        """The seconds are told; a date is not understood."""
        busy = answer(503, retry_after="7")
        self.assertEqual(retry_after(busy), 7)
        said = failure(busy)
        assert said is not None and said.details is not None
        self.assertEqual(said.details["retryAfterSeconds"], 7)
        self.assertIsNone(retry_after(answer(503, retry_after="Fri, 31 Dec 1999 23:59:59 GMT")))
        self.assertIsNone(retry_after(answer(503)))
