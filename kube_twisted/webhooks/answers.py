"""What a webhook's answer says when it is no success, in the words of client-go."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.api.field import go_quote
from kube_twisted.codec import json
from kube_twisted.util.https import Answer

_FIRST_OK, _LAST_OK = 200, 206
_TEXT_LIMIT = 2048
#: What some status codes mean: the reason, and the message; the webhook's own text where there is none.
_MEANINGS: dict[int, tuple[str, str]] = {
    400: ("BadRequest", "the server rejected our request for an unknown reason"),
    401: ("Unauthorized", "the server has asked for the client to provide credentials"),
    403: ("Forbidden", ""),
    404: ("NotFound", "the server could not find the requested resource"),
    405: ("MethodNotAllowed", "the server does not allow this method on the requested resource"),
    406: ("NotAcceptable", ""),
    409: ("AlreadyExists", "the server reported a conflict"),
    415: ("UnsupportedMediaType", ""),
    422: ("Invalid", "the server rejected our request due to an error in our request"),
    429: ("TooManyRequests", "the server has received too many requests and has asked us to try again later"),
    503: ("ServiceUnavailable", "the server is currently unable to handle the request"),
    504: ("Timeout", "the server was unable to return a response in the time allotted, but may still be processing "
          "the request"),
}


def failure(answer: Answer) -> StatusError | None:
    """The error that an answer's code tells of; None for a success.

    The body is preferred when it is a ``Status`` that tells of a failure.
    """
    if _FIRST_OK <= answer.code <= _LAST_OK:
        return None
    return _given(answer.body) or _generic(answer)


def _given(body: bytes) -> StatusError | None:
    try:
        status = json.parse(body)
    except ValueError:
        return None
    if not isinstance(status, dict) or status.get("kind") != "Status" or status.get("status") != "Failure" \
            or status.get("apiVersion", "v1") != "v1":
        return None
    details = status.get("details")
    return StatusError(_whole(status.get("code")), _text(status.get("reason")), _text(status.get("message")),
                       details if isinstance(details, dict) else None)


def _generic(answer: Answer) -> StatusError:
    said = _said(answer)
    default = f"the server responded with the status code {answer.code} but did not return more information"
    reason, message = "", default
    if answer.code in _MEANINGS:
        reason, message = _MEANINGS[answer.code]
        message = message or said
        if answer.code == 406 and said in ("", "unknown"):
            message = "the server was unable to respond with a content type that the client supports"
    elif answer.code >= 500:
        reason = "InternalError"
        message = f"an error on the server ({go_quote(said)}) has prevented the request from succeeding"
    details: dict[str, Any] = {"causes": [{"reason": "UnexpectedServerResponse", "message": said}]}
    wait = retry_after(answer)
    if wait:
        details["retryAfterSeconds"] = wait
    return StatusError(answer.code, reason, message, details)


def retry_after(answer: Answer) -> int | None:
    """The seconds of ``Retry-After``, None when it does not say so."""
    text = answer.header("Retry-After")
    return int(text) if text.isdecimal() else None


def _said(answer: Answer) -> str:
    """The body when it is text."""
    media_type = answer.header("Content-Type").strip().lower()
    if media_type and not media_type.startswith("text/"):
        return "unknown"
    return answer.body[:_TEXT_LIMIT].decode("utf-8", "replace").strip()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Any) -> int:
    return value if type(value) is int else 0
